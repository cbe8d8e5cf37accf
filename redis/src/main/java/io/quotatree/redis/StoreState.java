package io.quotatree.redis;

/** How a store is, as one gateway sees it. */
public enum StoreState {
  /** It is connected, and the last question was answered. */
  UP("up"),
  /** Of a cluster's servers some answer, and some do not: what needs these is not exact. */
  PARTLY("partly"),
  /** It is connected, and the last question was not answered in time, or with an error. */
  SILENT("silent"),
  /** There is no connection; it is tried again and again. */
  UNREACHABLE("unreachable");

  private final String word;

  StoreState(String word) {
    this.word = word;
  }

  /** The state in one word. */
  public String word() {
    return word;
  }
}
