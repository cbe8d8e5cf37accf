package io.quotatree.observe.log;

import java.io.IOException;

/** Where lines go. For one thread. */
sealed interface Output permits LogFile, StandardOutput {

  /**
   * Writes whole lines.
   *
   * @throws IOException if they could not be written, or not all
   */
  void write(byte[] lines) throws IOException;

  /** Sees to it that what is written next is found where it is looked for. */
  void lookAfter() throws IOException;

  /** Opens what is at the place now, whether it seems to be the same or not. */
  void reopen() throws IOException;

  /** Ends it. */
  void close() throws IOException;
}
