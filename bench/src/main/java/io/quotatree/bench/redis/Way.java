package io.quotatree.bench.redis;

/** How a client waits for its decisions. */
enum Way {
  /** One decision after the other, each call after the answer to the last. */
  WAITING("one waiting client", "waiting"),
  /** Many decisions at a time, the calls of each all at once. */
  PIPELINED("pipelined", "pipelined");

  private final String title;
  private final String word;

  Way(String title, String word) {
    this.title = title;
    this.word = word;
  }

  String title() {
    return title;
  }

  String word() {
    return word;
  }
}
