package io.quotatree.observe.log;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Lines at the end of a file of bounded size: a full one becomes {@code FILE.1}, that one {@code
 * FILE.2}, and so on; the oldest goes.
 *
 * <p>Others may move the file away or empty it, as logrotate does: what is written next goes to a
 * new file of the name. Several processes may write to one file, each line whole, since each write
 * goes to what then is the file's end; who rotates it is seen by the others as somebody who moves
 * it. A library's appender would rotate as well, and notice none of this.
 */
final class LogFile implements Output {

  private final Path path;
  private final long maxBytes;
  private final int kept;
  private FileChannel channel;
  private @Nullable Object key;

  /** Whether the last write broke off, perhaps within a line. */
  private boolean torn;

  /**
   * Opens a file, which is made if it is not there.
   *
   * @param maxBytes the size that it may grow to; one write may go beyond
   * @param kept how many full ones are kept besides
   */
  LogFile(Path path, long maxBytes, int kept) throws IOException {
    this.path = path;
    this.maxBytes = maxBytes;
    this.kept = kept;
    this.channel = FileChannel.open(path, CREATE, APPEND);
    this.key = keyAtPath();
  }

  private @Nullable Object keyAtPath() {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException gone) {
      return null;
    }
  }

  @Override
  public void write(byte[] lines) throws IOException {
    if (channel.size() > 0 && channel.size() + lines.length > maxBytes) {
      rotate();
    }
    byte[] all = lines;
    if (torn) {
      all = new byte[lines.length + 1];
      all[0] = '\n';
      System.arraycopy(lines, 0, all, 1, lines.length);
    }
    ByteBuffer left = ByteBuffer.wrap(all);
    torn = true;
    while (left.hasRemaining()) {
      channel.write(left);
    }
    torn = false;
  }

  private void rotate() throws IOException {
    if (!isStillThere()) {
      // Somebody else rotates it.
      reopen();
      return;
    }
    for (int number = kept - 1; number >= 1; number--) {
      if (Files.exists(numbered(number))) {
        Files.move(numbered(number), numbered(number + 1), REPLACE_EXISTING);
      }
    }
    Files.move(path, numbered(1), REPLACE_EXISTING);
    reopen();
  }

  private Path numbered(int number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }

  private boolean isStillThere() {
    return Files.exists(path) && Objects.equals(key, keyAtPath());
  }

  @Override
  public void lookAfter() throws IOException {
    if (!isStillThere()) {
      reopen();
    }
  }

  @Override
  public void reopen() throws IOException {
    FileChannel fresh = FileChannel.open(path, CREATE, APPEND);
    channel.close();
    channel = fresh;
    key = keyAtPath();
    torn = false;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
