package io.quotatree.redis;

import io.quotatree.core.engine.Events;
import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.time.Ticker;
import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The questions of a ledger to its store: bounded in number and in time, and none are sent to a
 * server whose breaker is open. Whoever asks is told in any case, once.
 *
 * <p>Safe for use by several threads.
 */
final class Questions {

  private static final Logger LOG = LoggerFactory.getLogger(Questions.class);

  private final Store store;
  private final Events events;
  private final long timeoutNanos;
  private final Breakers breakers;
  private final Deadlines deadlines;

  /**
   * The bounds of questions.
   *
   * @param timeoutNanos how long an answer may take
   * @param mostWaiting questions that may be under way
   */
  record Bounds(long timeoutNanos, int mostWaiting) {}

  /** Questions to a ledger's store. */
  Questions(RedisLedger.Parts parts, Breakers breakers) {
    this.store = parts.store();
    this.events = parts.events();
    this.timeoutNanos = parts.bounds().timeoutNanos();
    this.breakers = breakers;
    this.deadlines = new Deadlines(parts.bounds(), Ticker.system(), parts.timer(), this::isLate);
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

  /**
   * Takes a question in; where a server of its keys is not to be asked, it has failed and this is
   * false.
   */
  boolean take(Question question, byte[][] keys) {
    boolean taken = areAsked(keys) && deadlines.add(question);
    if (!taken) {
      question.failed();
    }
    return taken;
  }

  private boolean areAsked(byte[][] keys) {
    if (breakers.areAllWell()) {
      return true;
    }
    for (byte[] key : keys) {
      if (!breakers.isAsked(key)) {
        return false;
      }
    }
    return true;
  }

  /** Takes a question to one server in, and sends it. */
  void ask(Question question, Script script, byte[][] keys, byte[] argument) {
    if (!take(question, keys)) {
      return;
    }
    awaits(question, keys[0]);
    store
        .call(script, keys, argument)
        .whenComplete(
            (reply, failure) -> {
              heard(question, keys[0], failure);
              if (failure == null) {
                answered(question, reply);
              } else {
                failed(question, failure);
              }
            });
  }

  /** From now on a question waits for the server of a key. */
  void awaits(Question question, byte[] key) {
    question.awaits(key, deadlines.nowNanos());
  }

  /** Asks one server a part of a question that was taken in. */
  CompletionStage<byte[]> call(Question about, Script script, byte[][] keys, byte[] argument) {
    awaits(about, keys[0]);
    return store
        .call(script, keys, argument)
        .whenComplete((reply, failure) -> heard(about, keys[0], failure));
  }

  /** What a server said, or that it said nothing, shows how it is. */
  void heard(Question about, byte[] key, @Nullable Throwable failure) {
    about.heardOf(key);
    if (failure == null || Store.isTornApart(failure)) {
      if (!breakers.areAllWell() && about.deadlineNanos - deadlines.nowNanos() >= 0) {
        breakers.answered(key);
      }
    } else if (about.isOpen()) {
      // Where its time was over, that was told already.
      breakers.failed(key);
    }
  }

  /**
   * Of those that were not heard of in time, whoever was asked at the last moment is not blamed.
   */
  private void isLate(Question question) {
    events.storeFailed();
    question.awaited(question.deadlineNanos - timeoutNanos / 2).forEach(breakers::failed);
  }

  /** All that a question asked was answered. */
  void answered(Question question, byte[] reply) {
    if (question.isOpen()) {
      events.storeAnswered(timeoutNanos - (question.deadlineNanos - deadlines.nowNanos()));
    }
    question.answered(reply);
  }

  /** Something that a question asked will not be answered. */
  void failed(Question question, Throwable failure) {
    LOG.debug("The store gave no answer", failure);
    if (question.isOpen()) {
      events.storeFailed();
    }
    question.failed();
  }

  /** Whether every server is asked now, and none has failed. */
  boolean areAllAsked() {
    return breakers.areAllWell() && store.isConnected();
  }

  /** Whether the server of a key is asked now. */
  boolean isAsked(byte[] key) {
    return store.isConnected() && breakers.isAsked(key);
  }

  /** Whether the server of a key answers, as far as the last question to it shows. */
  boolean isWell(byte[] key) {
    return store.isConnected() && breakers.isWell(key);
  }

  /**
   * Somebody decided without asking. Where there is no connection, and it is not known that there
   * are no answers, that is a failure as a question would have been.
   */
  void notAsked(byte[] key) {
    if (!store.isConnected() && breakers.isAsked(key)) {
      breakers.failed(key);
    }
  }

  /** How the store is, as far as the last question shows. */
  StoreState state() {
    return store.isConnected() ? breakers.state() : StoreState.UNREACHABLE;
  }
}
