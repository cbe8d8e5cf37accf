package io.quotatree.redis;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.Bucket;
import io.quotatree.core.algorithm.InFlight;
import io.quotatree.core.algorithm.SlidingLog;
import io.quotatree.core.algorithm.SlidingWindow;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.ledger.Verdict.Standing;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Step;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * What the store answered to a plan, read into a verdict.
 *
 * <p>The script says which limits grant and what state their counters are in. What is told of them
 * (permits left, waits, resets) is worked out here, by the same algorithms as in memory.
 */
final class Reply {

  static final int HEAD_BYTES = 4 * Double.BYTES;
  static final int LIMIT_BYTES = 1 + 4 * Double.BYTES;

  /** Stands for a limit that was asked elsewhere. */
  static final int ELSEWHERE = -1;

  private static final int GRANTS = 1;
  private static final int PRESENT = 2;
  private static final int ANOTHER_LINES = 4;
  private static final int LATERS = 8;

  /** The most units that a bucket counts. */
  private static final long MAX_UNITS = (1L << 62) - 1;

  private final ByteBuffer in;
  private final Plan plan;
  private final Verdict verdict;

  /** The place of each limit that is answered; null where all are, in order. */
  private final int @Nullable [] places;

  private final long costPermits;
  private final long lateMicros;
  private final long windowMicros;
  private final int refusal;

  // Of the limit at hand:
  private int bits;
  private long a;
  private long b;
  private long c;
  private long d;

  Reply(byte[] reply, Plan plan, Verdict verdict) {
    this(reply, plan, verdict, null);
  }

  /**
   * A reply of one of several servers.
   *
   * @param places of the limits that were asked there, with {@link #ELSEWHERE} for those that it
   *     was only told of; null for all of the plan
   */
  Reply(byte[] reply, Plan plan, Verdict verdict, int @Nullable [] places) {
    this.plan = plan;
    this.verdict = verdict;
    this.places = places;
    this.costPermits = Math.max(1, plan.costPermits());
    if (reply.length != HEAD_BYTES + limits() * LIMIT_BYTES) {
      throw new IllegalStateException(
          "the store answered "
              + reply.length
              + " bytes to a plan of "
              + limits()
              + " limits: another program answers there");
    }
    in = ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN);
    lateMicros = (long) in.getDouble();
    in.getDouble();
    windowMicros = (long) in.getDouble();
    refusal = (int) in.getDouble();
  }

  private int limits() {
    return places == null ? plan.size() : places.length;
  }

  private int place(int nth) {
    return places == null ? nth : places[nth];
  }

  /** Whether the nth limit of a reply grants. */
  static boolean grants(byte[] reply, int nth) {
    return (reply[HEAD_BYTES + nth * LIMIT_BYTES] & GRANTS) != 0;
  }

  /** Where the charge of the nth limit of a reply is found again. */
  static long mark(byte[] reply, int nth, Algorithm algorithm) {
    if (algorithm instanceof Bucket) {
      return 0;
    }
    boolean isLast = algorithm instanceof SlidingWindow || algorithm instanceof SlidingLog;
    int at = HEAD_BYTES + nth * LIMIT_BYTES + 1 + (isLast ? 3 * Double.BYTES : 0);
    return (long) ByteBuffer.wrap(reply).order(ByteOrder.LITTLE_ENDIAN).getDouble(at);
  }

  /** The store's time, as windows count it. */
  long windowMicros() {
    return windowMicros;
  }

  private void read() {
    bits = in.get();
    a = (long) in.getDouble();
    b = (long) in.getDouble();
    c = (long) in.getDouble();
    d = (long) in.getDouble();
  }

  /** Fills the verdict of a decision, and notes where the charges are. */
  void decided(Asked asked) {
    decided(asked, refusal > 0);
    if (refusal > 0) {
      verdict.refusedBy(refusal - 1);
    }
  }

  /**
   * Fills what a verdict says of the limits that were asked there, and notes where the charges are.
   *
   * @param isRefused whether any limit of the whole plan refuses
   */
  void decided(Asked asked, boolean isRefused) {
    for (int nth = 0; nth < limits(); nth++) {
      read();
      int i = place(nth);
      if (i == ELSEWHERE) {
        continue;
      }
      Step step = plan.step(i);
      if (asked.local != null && asked.local.has(i)) {
        asked.local.tell(i, verdict);
        if (!isRefused && asked.local.holds(i)) {
          verdict.hold(i);
        }
        continue;
      }
      tell(i, step, (bits & GRANTS) != 0);
      asked.marks[i] = step.algorithm() instanceof Bucket ? 0 : mark(step.algorithm());
      if (!isRefused && step.isInFlight() && !verdict.refuses(i) && plan.costPermits() > 0) {
        verdict.hold(i);
      }
    }
  }

  private long mark(Algorithm algorithm) {
    return algorithm instanceof SlidingWindow || algorithm instanceof SlidingLog ? d : a;
  }

  /** Fills the verdict of a look. */
  void looked() {
    for (int nth = 0; nth < limits(); nth++) {
      read();
      int i = place(nth);
      Step step = plan.step(i);
      if (step.algorithm() instanceof Bucket own) {
        look(i, step, own);
      } else {
        tell(i, step, (bits & GRANTS) != 0);
        boolean absent = (bits & PRESENT) == 0;
        verdict.standing(i, absent ? Standing.ABSENT : Standing.UNDER_THIS_LIMIT);
      }
    }
  }

  private void look(int index, Step step, Bucket own) {
    boolean absent = (bits & PRESENT) == 0 || (a == 0 && b == 0);
    boolean isOwn = c == own.capacityPermits() && d == step.limitPermits();
    Bucket writer = isOwn || absent ? own : writer(step, own);
    long told = own.adopted(word(writer), writer, 0);
    long wait = own.waitMicros(told, 0, costPermits);
    say(index, wait == 0, own.remaining(told, 0), own.resetMicros(told, 0), wait);
    Standing there = isOwn ? Standing.UNDER_THIS_LIMIT : Standing.UNDER_ANOTHER_LIMIT;
    verdict.standing(index, absent ? Standing.ABSENT : there);
  }

  private void tell(int index, Step step, boolean grants) {
    Algorithm algorithm = step.algorithm();
    if (algorithm instanceof Bucket own) {
      tellBucket(index, step, own, grants);
    } else if (algorithm instanceof InFlight flight) {
      long remaining = flight.remaining(a, 0);
      say(index, grants, remaining, flight.resetMicros(a, 0), flight.waitMicros(a, 0, 1));
    } else if (algorithm instanceof SlidingWindow window) {
      long reset = c < 0 ? 0 : window.toLeaving(c, windowMicros);
      long wait = b < 0 ? 0 : window.toLeaving(b, windowMicros);
      say(index, grants, left(algorithm, a), reset, wait(algorithm, wait));
    } else if (algorithm instanceof SlidingLog) {
      say(index, grants, left(algorithm, a), c, wait(algorithm, b));
    } else {
      RateLimit limit = step.limit();
      long period = limit == null ? 0 : limit.rate().periodMicros();
      long toEnd = a + period - windowMicros;
      say(index, grants, left(algorithm, b), b == 0 ? 0 : toEnd, wait(algorithm, toEnd));
    }
  }

  private static long left(Algorithm algorithm, long usedPermits) {
    return Math.max(0, algorithm.capacityPermits() - usedPermits);
  }

  private long wait(Algorithm algorithm, long micros) {
    return costPermits > algorithm.capacityPermits() ? Algorithm.NEVER : micros;
  }

  private void tellBucket(int index, Step step, Bucket own, boolean grants) {
    boolean isOwn = (bits & (ANOTHER_LINES | LATERS)) == 0;
    Bucket writer = isOwn ? own : writer(step, own);
    long used = word(writer);
    long told = isOwn ? used : own.adopted(used, writer, 0);
    boolean isAnothers = (bits & ANOTHER_LINES) != 0;
    // What another line wrote wears off as that says.
    long reset = isAnothers ? writer.resetMicros(used, 0) : own.resetMicros(told, 0);
    long wait =
        isAnothers
            ? own.waitMicros(used, writer, 0, costPermits)
            : writer.waitMicros(used, 0, costPermits);
    say(index, grants, own.remaining(told, 0), reset, wait);
  }

  /** What is used, as the word of a bucket at time 0. */
  private long word(Bucket writer) {
    long gain = writer.gainUnits();
    return writer.word(0, a > (MAX_UNITS - b) / gain ? MAX_UNITS : a * gain + b);
  }

  /** The limit that the state is written in; it has this one's shape. */
  private Bucket writer(Step step, Bucket own) {
    RateLimit limit = step.limit();
    if (limit == null) {
      return own;
    }
    Rate rate = Rate.of(d, limit.rate().periodMicros());
    RateLimit written = new RateLimit(limit.algorithm(), rate, c, 1, Stagger.ALIGNED);
    return Algorithm.of(written) instanceof Bucket bucket ? bucket : own;
  }

  private void say(int index, boolean grants, long remaining, long resetMicros, long waitMicros) {
    verdict.left(index, remaining, resetMicros == 0 ? 0 : resetMicros + lateMicros);
    if (grants) {
      verdict.grant(index);
    } else {
      verdict.refuse(
          index, waitMicros == Algorithm.NEVER ? Algorithm.NEVER : waitMicros + lateMicros);
    }
  }
}
