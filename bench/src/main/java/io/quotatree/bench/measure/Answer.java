package io.quotatree.bench.measure;

import java.util.HashMap;
import java.util.Map;

/** A worker's answer: whole numbers by name. */
public final class Answer {

  private final Map<String, Long> figures = new HashMap<>();

  /** Reads {@code key=value} pairs. */
  Answer(String text) {
    for (String pair : text.split(" ", -1)) {
      int equals = pair.indexOf('=');
      figures.put(pair.substring(0, equals), Long.parseLong(pair.substring(equals + 1)));
    }
  }

  /** A figure that the command is known to answer with. */
  public long figure(String name) {
    Long figure = figures.get(name);
    if (figure == null) {
      throw new IllegalStateException("a worker did not tell `" + name + "` but " + figures);
    }
    return figure;
  }

  /** CPU nanoseconds of an operation. */
  double nanosPerOperation() {
    return (double) figure("cpu") / figure("operations");
  }

  /** CPU nanoseconds of the whole process, collector and all, by operation. */
  double processNanosPerOperation() {
    return (double) figure("process") / figure("operations");
  }

  double bytesPerOperation() {
    return (double) figure("bytes") / figure("operations");
  }

  double allowedShare() {
    return (double) figure("allowed") / figure("operations");
  }
}
