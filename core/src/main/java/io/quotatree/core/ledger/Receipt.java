package io.quotatree.core.ledger;

import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Step;
import org.jspecify.annotations.Nullable;

/**
 * What an allowed plan took, in as few bytes as will do, so that it can be released and settled
 * long after the plan was used for another request.
 *
 * <p>Written by the ledger that made it, line by line, before anybody else sees it; then safe for
 * use by several threads. Each receipt is released once and settled once.
 */
public final class Receipt {

  private final Policy policy;
  private final long costPermits;
  private final Step[] steps;
  private final long[] keys;
  private final long[] marks;
  private final int[] owners;
  private int size;
  private @Nullable Object note;

  /** Whether permits in flight are held by it; guarded by this object's monitor. */
  private boolean holding;

  /** Guarded by this object's monitor. */
  private boolean settled;

  /**
   * A receipt without lines.
   *
   * @param policy what was decided by
   * @param costPermits what was charged
   * @param lines how many lines will be written
   */
  public Receipt(Policy policy, long costPermits, int lines) {
    this.policy = policy;
    this.costPermits = costPermits;
    this.steps = new Step[lines];
    this.keys = new long[2 * lines];
    this.marks = new long[lines];
    this.owners = new int[lines];
  }

  /**
   * Writes a line.
   *
   * @param step the limit that granted
   * @param key1 the first half of its counter's key
   * @param key2 the second half
   * @param mark what the ledger needs to find the charge again
   * @param owner whose room the counter takes, as the ledger counts it
   */
  public void add(Step step, long key1, long key2, long mark, int owner) {
    steps[size] = step;
    keys[2 * size] = key1;
    keys[2 * size + 1] = key2;
    marks[size] = mark;
    owners[size] = owner;
    size++;
  }

  /** Keeps what else the ledger needs to find the charges again; before anybody else sees it. */
  public void note(Object kept) {
    note = kept;
  }

  /** What else the ledger that made it keeps. */
  public @Nullable Object note() {
    return note;
  }

  /** It holds permits in flight: those of its lines that are in flight. */
  public synchronized void hold() {
    holding = true;
  }

  /** Whether it holds permits in flight. */
  public synchronized boolean isHolding() {
    return holding;
  }

  /** Ends what it holds in flight; true for whoever has to give it back. */
  public synchronized boolean endHolding() {
    boolean held = holding;
    holding = false;
    return held;
  }

  /** Closes the account; true for whoever has to settle it. */
  public synchronized boolean endAccount() {
    boolean open = !settled;
    settled = true;
    return open;
  }

  /** The policy that was decided by. */
  public Policy policy() {
    return policy;
  }

  /** The permits that were charged. */
  public long costPermits() {
    return costPermits;
  }

  /** How many lines it has. */
  public int size() {
    return size;
  }

  /** The limit of a line. */
  public Step step(int line) {
    return steps[line];
  }

  /** The first half of the key of a line's counter. */
  public long key1(int line) {
    return keys[2 * line];
  }

  /** The second half of the key of a line's counter. */
  public long key2(int line) {
    return keys[2 * line + 1];
  }

  /** What the ledger noted of a line's charge. */
  public long mark(int line) {
    return marks[line];
  }

  /** Whose room a line's counter takes. */
  public int owner(int line) {
    return owners[line];
  }
}
