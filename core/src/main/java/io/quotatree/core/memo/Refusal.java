package io.quotatree.core.memo;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Step;
import io.quotatree.core.time.Moment;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One refusal as the ledger told it, and for how long it can be told again. Immutable. */
final class Refusal {

  /** Nobody is told to wait longer than that, but for debts, which are asked for again then. */
  private static final long MOST_WAIT_MICROS = Duration.ofDays(366).toNanos() / 1_000;

  /** What may end a refusal before its wait is over, from the least. */
  enum Ending {
    /** Only what the whole fleet is told of. */
    TOLD,
    /** A refund too. */
    REFUND,
    /** Whatever others do: it stands for a second. */
    ANYTHING
  }

  private final Policy policy;
  private final long costPermits;
  private final Step[] steps;
  private final long[] keys;
  private final long[] waits;
  private final long[] remaining;
  private final long[] resets;
  private final int firstRefusal;

  /** When it was asked: since then it stands. */
  private final long askedNanos;

  /** When the answer came: waits are told from then on, so never shorter than they are. */
  private final long answeredNanos;

  /** Until when each limit that refused does so still, counted from before it was asked. */
  private final long endNanos;

  private final Ending ending;

  /** What was forgotten in one go has another number than what is remembered now. */
  private final int epoch;

  /**
   * When it was asked, and when it was answered.
   *
   * @param epoch the number of what is remembered with it
   */
  record Times(long askedNanos, long answeredNanos, int epoch) {}

  private Refusal(Plan plan, Verdict verdict, Times times, long waitMicros, Ending ending) {
    int size = plan.size();
    policy = plan.policy();
    costPermits = plan.costPermits();
    steps = new Step[size];
    keys = new long[2 * size];
    waits = new long[size];
    remaining = new long[size];
    resets = new long[size];
    for (int i = 0; i < size; i++) {
      steps[i] = plan.step(i);
      keys[2 * i] = plan.key1(i);
      keys[2 * i + 1] = plan.key2(i);
      waits[i] = verdict.refuses(i) ? verdict.waitOrNever(i) : Long.MIN_VALUE;
      remaining[i] = verdict.remaining(plan, i);
      resets[i] = verdict.resetMicros(plan, i);
    }
    firstRefusal = verdict.firstRefusal();
    askedNanos = times.askedNanos();
    answeredNanos = times.answeredNanos();
    endNanos = askedNanos + 1_000 * Math.min(waitMicros, MOST_WAIT_MICROS);
    epoch = times.epoch();
    this.ending = ending;
  }

  /**
   * The refusal of a plan, if it can be told again.
   *
   * <p>It cannot where a permit in flight is missing, which may come back at any moment; where a
   * loose quota is charged by each refused request; where the cost is above 1, since what is left
   * of a limit may then change before the wait is over; and where the store was not asked.
   *
   * @param passing whether refusals by a limit may be over at any moment
   */
  static @Nullable Refusal of(Plan plan, Verdict verdict, Times times, Predicate<Step> passing) {
    if (verdict.isUnavailable() || !verdict.isRefused() || verdict.certainty() != Certainty.EXACT) {
      return null;
    }
    if (plan.costPermits() > 1) {
      return null;
    }
    long least = Long.MAX_VALUE;
    Ending ending = Ending.TOLD;
    for (int i = 0; i < plan.size(); i++) {
      Step step = plan.step(i);
      if (step.isLoose() || verdict.isOverflowed(i)) {
        return null;
      }
      if (verdict.refuses(i)) {
        if (step.isInFlight()) {
          return null;
        }
        if (verdict.waitOrNever(i) != Algorithm.NEVER) {
          least = Math.min(least, verdict.waitMicros(i));
        }
        Ending its = passing.test(step) ? Ending.ANYTHING : ending(step);
        ending = its.compareTo(ending) > 0 ? its : ending;
      }
    }
    return new Refusal(plan, verdict, times, least, ending);
  }

  /**
   * Nothing is ever refunded to the node layer. What is a gateway's alone is charged before the
   * store is asked, and undone where that refuses.
   */
  private static Ending ending(Step step) {
    if (step.isLocal()) {
      return Ending.ANYTHING;
    }
    return step.layer() == Layer.NODE ? Ending.TOLD : Ending.REFUND;
  }

  /** Where in a table the refusal of a plan stands. */
  static int place(Plan plan, int mask) {
    long hash = plan.costPermits();
    for (int i = 0; i < plan.size(); i++) {
      hash = (hash ^ plan.key1(i)) * 0x9E3779B97F4A7C15L;
    }
    return (int) (hash >>> 32) & mask;
  }

  /**
   * Whether it stands: its wait is not over, and within the last second it was asked, or somebody
   * has seen that nothing ended it.
   */
  boolean stands(long nowNanos, RememberingLedger.Confirmed confirmed) {
    if (endNanos - nowNanos <= 0) {
      return false;
    }
    return isRecent(askedNanos, nowNanos)
        || switch (ending) {
          case TOLD -> isRecent(confirmed.nanos(), nowNanos);
          case REFUND -> isRecent(confirmed.withoutRefundsNanos(), nowNanos);
          case ANYTHING -> false;
        };
  }

  private static boolean isRecent(long thenNanos, long nowNanos) {
    return nowNanos - thenNanos < RememberingLedger.MOST_NANOS;
  }

  /** Whether it is that of a plan, and not forgotten. */
  boolean isOf(Plan plan, int currentEpoch) {
    if (epoch != currentEpoch
        || policy != plan.policy()
        || costPermits != plan.costPermits()
        || steps.length != plan.size()) {
      return false;
    }
    for (int i = 0; i < steps.length; i++) {
      if (steps[i] != plan.step(i)
          || keys[2 * i] != plan.key1(i)
          || keys[2 * i + 1] != plan.key2(i)) {
        return false;
      }
    }
    return true;
  }

  /** Tells it again, with what has passed since taken from all times. */
  void tell(Plan plan, Moment moment, Verdict verdict, long nowNanos) {
    long passedMicros = Math.max(0, nowNanos - answeredNanos) / 1_000;
    verdict.begin(plan, moment);
    for (int i = 0; i < steps.length; i++) {
      if (waits[i] == Long.MIN_VALUE) {
        verdict.grant(i);
      } else if (waits[i] == Algorithm.NEVER) {
        verdict.refuse(i, Algorithm.NEVER);
      } else {
        verdict.refuse(i, Math.max(1, waits[i] - passedMicros));
      }
      verdict.left(i, remaining[i], Math.max(0, resets[i] - passedMicros));
    }
    verdict.refusedBy(firstRefusal);
  }
}
