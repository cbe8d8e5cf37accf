package io.quotatree.observe.log;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** Lines on the standard output, past its buffers, so that each is whole. */
final class StandardOutput implements Output {

  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  @Override
  public void write(byte[] lines) throws IOException {
    out.write(lines);
  }

  @Override
  public void lookAfter() {}

  @Override
  public void reopen() {}

  /** It belongs to the process, which may have more to say. */
  @Override
  public void close() {}
}
