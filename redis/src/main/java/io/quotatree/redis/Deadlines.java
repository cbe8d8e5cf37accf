package io.quotatree.redis;

import io.quotatree.core.time.Ticker;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Ends questions whose time is over.
 *
 * <p>All have the same time, so they end in the order in which they came: a queue and one timer for
 * its head stand for a timer each. A question that was answered stays in the queue until its time
 * is over.
 */
final class Deadlines {

  private final Queue<Question> queue = new ConcurrentLinkedQueue<>();

  /** Questions that were not answered yet. */
  private final AtomicInteger waiting = new AtomicInteger();

  private final int mostWaiting;
  private final long timeoutNanos;
  private final Ticker ticker;
  private final ScheduledExecutorService timer;

  /** True while the timer is set; whoever sets it from false to true has to set the timer. */
  private final AtomicBoolean armed = new AtomicBoolean();

  private final Consumer<Question> late;

  /**
   * Deadlines for the questions to one store.
   *
   * @param late is told of each question that was not answered in time
   */
  Deadlines(
      Questions.Bounds bounds,
      Ticker ticker,
      ScheduledExecutorService timer,
      Consumer<Question> late) {
    this.timeoutNanos = bounds.timeoutNanos();
    this.mostWaiting = bounds.mostWaiting();
    this.ticker = ticker;
    this.timer = timer;
    this.late = late;
  }

  long deadlineNanos() {
    return nowNanos() + timeoutNanos;
  }

  long nowNanos() {
    return ticker.monotonicNanos();
  }

  /** Takes a question in; false where too many are under way, and it was not. */
  boolean add(Question question) {
    if (waiting.incrementAndGet() > mostWaiting) {
      waiting.decrementAndGet();
      return false;
    }
    question.countAmong(waiting);
    queue.add(question);
    arm(timeoutNanos);
    return true;
  }

  private void arm(long delayNanos) {
    if (armed.compareAndSet(false, true)) {
      Future<?> unused = timer.schedule(this::endThoseDue, delayNanos, TimeUnit.NANOSECONDS);
    }
  }

  private void endThoseDue() {
    long now = ticker.monotonicNanos();
    Question head;
    while ((head = queue.peek()) != null && (!head.isOpen() || head.deadlineNanos - now <= 0)) {
      queue.poll();
      if (head.isOpen()) {
        late.accept(head);
      }
      head.failed();
    }
    armed.set(false);
    Question next = queue.peek();
    if (next != null) {
      arm(Math.max(0, next.deadlineNanos - now));
    }
  }
}
