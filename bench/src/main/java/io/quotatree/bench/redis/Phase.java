package io.quotatree.bench.redis;

/** When a decision was made, as the store stood. */
enum Phase {
  BEFORE("before", "before"),
  /** The first tenth of a second of the failure. */
  ONSET("first 100 ms", "onset"),
  /** The rest of it. */
  MEANWHILE("then", "meanwhile"),
  RETURNED("once back", "returned");

  private final String title;
  private final String word;

  Phase(String title, String word) {
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
