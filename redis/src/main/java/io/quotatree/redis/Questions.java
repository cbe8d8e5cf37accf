package io.quotatree.redis;

import io.quotatree.core.engine.Events;
import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.time.Ticker;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The questions of a ledger to its store: bounded in number and in time, and none are sent while
 * the breaker is open. Whoever asks is told in any case, once.
 *
 * <p>Safe for use by several threads.
 */
final class Questions {

  private static final Logger LOG = LoggerFactory.getLogger(Questions.class);

  private final Store store;
  private final Events events;
  private final long timeoutNanos;
  private final Breaker breaker;
  private final Deadlines deadlines;

  /**
   * The bounds of questions.
   *
   * @param timeoutNanos how long an answer may take
   * @param mostWaiting questions that may be under way
   */
  record Bounds(long timeoutNanos, int mostWaiting) {}

  /**
   * Questions to a store.
   *
   * @param comeback how the store is tried after a failure, and what it is told first
   */
  Questions(RedisLedger.Parts parts, Breaker.Comeback comeback) {
    ScheduledExecutorService timer = parts.timer();
    this.store = parts.store();
    this.events = parts.events();
    this.timeoutNanos = parts.bounds().timeoutNanos();
    this.breaker = new Breaker(comeback, timeoutNanos, Ticker.system(), timer);
    this.deadlines = new Deadlines(parts.bounds(), Ticker.system(), timer, this::failedInTime);
  }

  private void failedInTime() {
    events.storeFailed();
    breaker.failed();
  }

  /**
   * A question whose time begins now.
   *
   * @param reading fills the verdict from a reply
   * @param tooLate takes back what a reply granted that came too late for anybody to use
   */
  Question begin(Verdict verdict, Later later, Consumer<byte[]> reading, Runnable tooLate) {
    return new Question(deadlines.deadlineNanos(), verdict, later, reading, tooLate);
  }

  /** Takes a question in; where the store is not to be asked, it has failed and this is false. */
  boolean take(Question question) {
    boolean taken = !breaker.isOpen() && deadlines.add(question);
    if (!taken) {
      question.failed();
    }
    return taken;
  }

  /** Takes a question in, and sends it. */
  void ask(Question question, Script script, byte[][] keys, byte[] argument) {
    if (!take(question)) {
      return;
    }
    store
        .call(script, keys, argument)
        .whenComplete(
            (reply, failure) -> {
              if (failure == null) {
                answered(question, reply);
              } else {
                failed(question, failure);
              }
            });
  }

  /** The store answered a question that was taken in. */
  void answered(Question question, byte[] reply) {
    if (question.isOpen()) {
      breaker.answered();
      events.storeAnswered(timeoutNanos - (question.deadlineNanos - deadlines.nowNanos()));
    }
    question.answered(reply);
  }

  /** The store gave no answer to a question that was taken in. */
  void failed(Question question, Throwable failure) {
    LOG.debug("The store gave no answer", failure);
    // Where its time was over, that was told already.
    if (question.isOpen()) {
      failedInTime();
    }
    question.failed();
  }

  /** Whether the store is asked now: it is connected, and not known to give no answers. */
  boolean isAsked() {
    return !breaker.isOpen() && store.isConnected();
  }

  /**
   * Somebody decided without asking. Where the breaker is closed and there is no connection, that
   * is a failure as a question would have been.
   */
  void notAsked() {
    if (!breaker.isOpen()) {
      breaker.failed();
    }
  }

  /** How the store is, as far as the last question shows. */
  StoreState state() {
    if (!store.isConnected()) {
      return StoreState.UNREACHABLE;
    }
    return breaker.hasFailed() ? StoreState.SILENT : StoreState.UP;
  }
}
