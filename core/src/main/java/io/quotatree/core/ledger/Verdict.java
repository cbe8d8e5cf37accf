package io.quotatree.core.ledger;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Step;
import io.quotatree.core.time.Moment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the limits of a plan said, each by its place in the plan.
 *
 * <p>Filled by a ledger, read by the engine, and reused from request to request: once it has grown
 * to a plan's size it allocates nothing. What few will ask for (permits left, time to reset) is
 * kept as the counter's word and worked out when it is asked. Not for use by several threads at
 * once.
 */
public final class Verdict {

  private static final int USUAL_STEPS = 8;
  private static final long GRANTED = -1;

  /** In place of what is worked out of a counter's mark. */
  private static final long OF_MARK = -1;

  /** What one limit said. */
  private static final class Said {
    long waitMicros;

    /** What of the counter tells the rest: its word, or what of it leaves last. */
    long mark;

    long remainingPermits;
    long resetMicros;
    boolean isOverflowed;
    boolean isHeld;
  }

  /** By place in the plan. */
  private Said[] said = {};

  /** Whether there is anything to clear of the two: seldom. */
  private boolean isAnyOverflowed;

  private boolean wasAnyHeld;
  private long monotonicMicros;
  private long windowMicros;
  private int firstRefusal = -1;
  private boolean holding;
  private boolean unavailable;
  private Certainty certainty = Certainty.EXACT;
  private int emptied;
  private @Nullable Object scratch;
  private Standing[] standings = {};

  /** An empty verdict. */
  public Verdict() {
    grow(USUAL_STEPS);
  }

  private void grow(int steps) {
    int kept = said.length;
    said = Arrays.copyOf(said, steps);
    for (int i = kept; i < steps; i++) {
      said[i] = new Said();
    }
  }

  /** Begins a verdict on a plan: forgets all that was said before. */
  public void begin(Plan plan, Moment moment) {
    if (plan.size() > said.length) {
      grow(Math.max(plan.size(), 2 * said.length));
    }
    if (isAnyOverflowed || wasAnyHeld) {
      forget();
    }
    holding = false;
    unavailable = false;
    exact();
    firstRefusal = -1;
    monotonicMicros = moment.monotonicMicros();
    windowMicros = moment.windowMicros();
  }

  private void forget() {
    for (Said one : said) {
      one.isOverflowed = false;
      one.isHeld = false;
    }
    isAnyOverflowed = false;
    wasAnyHeld = false;
  }

  /** How a counter that was looked at stands. */
  public enum Standing {
    /** There is none: nothing is used. */
    ABSENT,
    /** It was last asked under another limit of the same shape. */
    UNDER_ANOTHER_LIMIT,
    /** As far as the ledger can tell, it was last asked under this limit. */
    UNDER_THIS_LIMIT
  }

  /** Notes how a counter that was looked at stands. */
  public void standing(int index, Standing standing) {
    if (index >= standings.length) {
      standings = Arrays.copyOf(standings, said.length);
    }
    standings[index] = standing;
  }

  /** How a counter stands; only after a look. */
  public Standing standing(int index) {
    return standings[index];
  }

  /** Forgets what was said before of the whole. */
  public void clear() {
    firstRefusal = -1;
    unavailable = false;
    exact();
    emptied = 0;
  }

  private void exact() {
    // Nearly always it is: a reference that is written costs a fence, one that is read does not.
    if (certainty != Certainty.EXACT) {
      certainty = Certainty.EXACT;
    }
  }

  /** What a ledger keeps here for its own use. */
  public @Nullable Object scratch() {
    return scratch;
  }

  /** Keeps something for the ledger's own use. */
  public void scratch(Object kept) {
    scratch = kept;
  }

  /** A limit grants. */
  public void grant(int index) {
    said[index].waitMicros = GRANTED;
  }

  /**
   * A limit refuses.
   *
   * @param waitMicros until it would grant; {@code Algorithm.NEVER} if it cannot
   */
  public void refuse(int index, long waitMicros) {
    said[index].waitMicros = waitMicros;
  }

  /** The word of a limit's counter, after the charge if there was one. */
  public void word(int index, long word) {
    Said one = said[index];
    one.mark = word;
    one.remainingPermits = OF_MARK;
    one.resetMicros = OF_MARK;
  }

  /**
   * What is left of a limit whose counter has several words; after the charge if there was one.
   *
   * @param mark what of the counter leaves last; see {@code Algorithm.resetMicros}
   */
  public void leftUntil(int index, long remainingPermits, long mark) {
    Said one = said[index];
    one.mark = mark;
    one.remainingPermits = remainingPermits;
    one.resetMicros = OF_MARK;
  }

  /**
   * What is left of a limit where no mark tells it, as of a counter in another limit's figures or
   * in a store; after the charge if there was one.
   */
  public void left(int index, long remainingPermits, long resetMicros) {
    Said one = said[index];
    one.remainingPermits = remainingPermits;
    one.resetMicros = resetMicros;
  }

  /**
   * The limit was asked on an overflow counter, since there was no room for one of the subject's
   * own.
   */
  public void overflowed(int index) {
    said[index].isOverflowed = true;
    isAnyOverflowed = true;
  }

  /** The limit holds a permit in flight for this request. */
  public void hold(int index) {
    said[index].isHeld = true;
    holding = true;
    wasAnyHeld = true;
  }

  /** What was charged or held of a limit was taken back. */
  public void undone(int index) {
    said[index].isHeld = false;
  }

  /** No permits are held any more. */
  public void released() {
    holding = false;
  }

  /** The plan is refused by the enforced limit at this place, the first in order that refuses. */
  public void refusedBy(int index) {
    firstRefusal = index;
  }

  /** The ledger failed: nobody knows what the limits say. */
  public void unavailable() {
    unavailable = true;
    holding = false;
  }

  /** How sure the verdict is, where it is not exact. */
  public void sure(Certainty changed) {
    certainty = changed;
  }

  /** How sure the verdict is. */
  public Certainty certainty() {
    return certainty;
  }

  /** Whether the ledger failed, so that nothing was decided. */
  public boolean isUnavailable() {
    return unavailable;
  }

  /** So many counters had something used in them, and have no more. */
  public void emptied(int counters) {
    emptied = counters;
  }

  /** How many counters were emptied. */
  public int emptied() {
    return emptied;
  }

  /** Whether an enforced limit refused. */
  public boolean isRefused() {
    return firstRefusal >= 0;
  }

  /** The place of the first enforced limit that refused; only of a refused plan. */
  public int firstRefusal() {
    return firstRefusal;
  }

  /** Whether a limit refuses. */
  public boolean refuses(int index) {
    return said[index].waitMicros != GRANTED;
  }

  /** Microseconds until a refusing limit would grant. */
  public long waitMicros(int index) {
    return Math.max(0, said[index].waitMicros);
  }

  /** The same, or {@code Algorithm.NEVER} where it never would: as it was said. */
  public long waitOrNever(int index) {
    return said[index].waitMicros;
  }

  /** Whether a limit was asked on an overflow counter. */
  public boolean isOverflowed(int index) {
    return said[index].isOverflowed;
  }

  /** Whether a limit holds a permit in flight. */
  public boolean holds(int index) {
    return said[index].isHeld;
  }

  /** Whether any permit in flight is held. */
  public boolean isHolding() {
    return holding;
  }

  /** The limit that was in force at a place of the plan. */
  public Step inForce(Plan plan, int index) {
    Step step = plan.step(index);
    return said[index].isOverflowed ? step.overflow() : step;
  }

  /** Permits left at a place of the plan, rounded down. */
  public long remaining(Plan plan, int index) {
    Said one = said[index];
    return one.remainingPermits == OF_MARK
            && inForce(plan, index).algorithm() instanceof WordAlgorithm algorithm
        ? algorithm.remaining(one.mark, now(algorithm))
        : one.remainingPermits;
  }

  /** Microseconds until nothing is used any more at a place of the plan. */
  public long resetMicros(Plan plan, int index) {
    Said one = said[index];
    if (one.resetMicros != OF_MARK) {
      return one.resetMicros;
    }
    Algorithm algorithm = inForce(plan, index).algorithm();
    return algorithm.resetMicros(one.mark, now(algorithm));
  }

  private long now(Algorithm algorithm) {
    return algorithm.onWindowTime() ? windowMicros : monotonicMicros;
  }
}
