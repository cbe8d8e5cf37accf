package io.quotatree.cli;

import java.io.PrintWriter;

/** A bar on a terminal that tells how far a long run is. */
final class ProgressBar {

  private static final int WIDTH = 40;
  private static final String CLEAR = "\r\u001B[K";

  private final PrintWriter terminal;
  private final long total;
  private long done;
  private int shown = -1;

  ProgressBar(PrintWriter terminal, long total) {
    this.terminal = terminal;
    this.total = Math.max(total, 1);
  }

  void advance(long more) {
    done += more;
    int percent = (int) Math.min(100, done * 100.0 / total);
    if (percent != shown) {
      shown = percent;
      int filled = percent * WIDTH / 100;
      terminal.print(
          "\r[" + "#".repeat(filled) + ".".repeat(WIDTH - filled) + "] " + percent + "%");
      terminal.flush();
    }
  }

  /** Takes the bar away, so that a line can be written; it comes back as the run goes on. */
  void clear() {
    if (shown >= 0) {
      terminal.print(CLEAR);
      terminal.flush();
      shown = -1;
    }
  }
}
