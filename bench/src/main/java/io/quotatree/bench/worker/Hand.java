package io.quotatree.bench.worker;

import io.quotatree.bench.contender.Contender;
import org.HdrHistogram.Histogram;

/** One of the threads that decide: its requests, its scratch, and what it has counted. */
final class Hand<R, S> {

  private static final int SAMPLED = 8;
  private static final int DIGITS = 3;

  private final Contender<R, S> contender;
  private final Feed<R> feed;
  private final S scratch;
  private final Histogram times = new Histogram(DIGITS);

  long operations;
  long allowed;
  long cpuNanos;
  long bytes;

  /** What was read of requests before they were decided; of no meaning. */
  long read;

  Hand(Contender<R, S> contender, Feed<R> feed) {
    this.contender = contender;
    this.feed = feed;
    this.scratch = contender.scratch();
  }

  void clear() {
    operations = 0;
    allowed = 0;
    cpuNanos = 0;
    bytes = 0;
  }

  Histogram times() {
    return times;
  }

  /** Decides until a moment. */
  void until(long wallNanos) {
    clear();
    do {
      piece();
    } while (Meter.wallNanos() - wallNanos < 0);
  }

  /** Decides so often. */
  void times(long count) {
    clear();
    while (operations < count) {
      piece();
    }
  }

  private void piece() {
    read += feed.next();
    long bytesBefore = Meter.allocatedBytes();
    long cpuBefore = Meter.cpuNanos();
    int passed = decide(feed.from());
    cpuNanos += Meter.cpuNanos() - cpuBefore;
    bytes += Meter.allocatedBytes() - bytesBefore;
    allowed += passed;
    operations += Feed.PIECE;
  }

  private int decide(int from) {
    int passed = 0;
    for (int i = from; i < from + Feed.PIECE; i++) {
      passed += contender.decide(feed.request(i), scratch) ? 1 : 0;
    }
    return passed;
  }

  /** Decides until a moment, and times one in eight decisions by itself. */
  void sampleUntil(long wallNanos) {
    clear();
    do {
      read += feed.next();
      int from = feed.from();
      for (int i = from; i < from + Feed.PIECE; i++) {
        if (i % SAMPLED == 0) {
          long before = Meter.wallNanos();
          contender.decide(feed.request(i), scratch);
          times.recordValue(Math.max(0, Meter.wallNanos() - before));
        } else {
          contender.decide(feed.request(i), scratch);
        }
      }
    } while (Meter.wallNanos() - wallNanos < 0);
  }
}
