package io.quotatree.testkit.trace;

import io.quotatree.core.policy.QuotaTree;
import java.util.List;

/**
 * A story for a ledger.
 *
 * @param seed what it was made from
 * @param tree the tree in force at first
 * @param steps what happens
 */
public record Trace(long seed, QuotaTree tree, List<Step> steps) {

  /** The gateways whose requests traces hold. */
  public static final List<String> NODE_IDS = List.of("gw-1", "gw-2");

  /** Copies the list. */
  public Trace {
    steps = List.copyOf(steps);
  }

  /** The trace of a seed; the same each time. */
  public static Trace of(long seed) {
    return new TraceMaker(seed).trace();
  }

  /** This trace with other steps. */
  Trace withSteps(List<Step> changed) {
    return new Trace(seed, tree, changed);
  }

  /** This trace with another first tree. */
  Trace withTree(QuotaTree changed) {
    return new Trace(seed, changed, steps);
  }

  /** The whole of it, a line a step. */
  public String text() {
    StringBuilder text = new StringBuilder("seed " + seed + "\n     tree " + TreeText.of(tree));
    for (int i = 0; i < steps.size(); i++) {
      text.append(String.format("%n%4d ", i)).append(text(steps.get(i)));
    }
    return text.toString();
  }

  private static String text(Step step) {
    return step instanceof Step.Reload reload
        ? "Reload " + TreeText.of(reload.tree())
        : step.toString();
  }
}
