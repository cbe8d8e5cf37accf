package io.quotatree.redis;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A question on its way to the store: answered once, by the reply, by a failure, or by the end of
 * its time, whichever comes first. Whatever comes later finds the verdict gone to another request
 * and does not touch it.
 */
final class Question {

  final long deadlineNanos;
  private final Later later;
  private final Consumer<byte[]> reading;

  /** What has to be taken back where the reply comes too late. */
  private final Runnable tooLate;

  /** Fills the verdict where there is no reply; set before it is sent. */
  private Runnable without;

  /** Those under way, of which this is one; set before it is sent. */
  private @Nullable AtomicInteger underWay;

  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Awaited(byte[] key, long sinceNanos) {}

  /** Servers that it waits for, by a key of theirs; guarded by this object's monitor. */
  private final List<Awaited> awaited = new ArrayList<>(1);

  /** True until the first answer, which alone may touch the verdict. */
  private final AtomicBoolean open = new AtomicBoolean(true);

  Question(
      long deadlineNanos, Verdict verdict, Later later, Consumer<byte[]> reading, Runnable late) {
    this.deadlineNanos = deadlineNanos;
    this.later = later;
    this.reading = reading;
    this.tooLate = late;
    this.without = verdict::unavailable;
  }

  /** What fills the verdict where there is no reply, which else says that nobody could be asked. */
  Question without(Runnable filling) {
    without = filling;
    return this;
  }

  /** Counts this among those under way, until it is answered. */
  void countAmong(AtomicInteger others) {
    underWay = others;
  }

  private boolean close() {
    boolean closed = open.compareAndSet(true, false);
    AtomicInteger others = underWay;
    if (closed && others != null) {
      others.decrementAndGet();
    }
    return closed;
  }

  boolean isOpen() {
    return open.get();
  }

  /** From now on it waits for the server of a key. */
  synchronized void awaits(byte[] key, long nowNanos) {
    awaited.add(new Awaited(key, nowNanos));
  }

  /** The server of a key was heard of. */
  synchronized void heardOf(byte[] key) {
    for (int i = 0; i < awaited.size(); i++) {
      if (awaited.get(i).key == key) {
        awaited.remove(i);
        return;
      }
    }
  }

  /**
   * Keys whose servers it waits for since some time or longer; all that it waits for, where none is
   * waited for that long.
   */
  synchronized List<byte[]> awaited(long sinceNanos) {
    List<byte[]> early =
        awaited.stream().filter(one -> one.sinceNanos - sinceNanos <= 0).map(Awaited::key).toList();
    return early.isEmpty() ? awaited.stream().map(Awaited::key).toList() : early;
  }

  /** Ends it without an answer, since another question goes on for it; false if it has ended. */
  boolean handOver() {
    return close();
  }

  /** The reply is there. */
  void answered(byte[] reply) {
    if (!close()) {
      tooLate.run();
      return;
    }
    try {
      reading.accept(reply);
    } catch (RuntimeException e) {
      // Not our reply: as if there were none.
      without.run();
    }
    later.answered();
  }

  /** There will be no reply, or not in time. */
  void failed() {
    if (close()) {
      without.run();
      later.answered();
    }
  }
}
