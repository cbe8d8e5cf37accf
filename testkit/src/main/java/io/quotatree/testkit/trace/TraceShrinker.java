package io.quotatree.testkit.trace;

import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.UserLines;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Leaves out of a failing trace what it fails without. */
public final class TraceShrinker {

  private static final List<UnaryOperator<QuotaTree>> LEAVING_OUT =
      List.of(
          tree -> tree.withNode(NodeLines.NONE),
          tree -> tree.withCaller(CallerLines.NONE),
          tree -> tree.withUser(UserLines.NONE),
          tree -> tree.withApi(ApiLines.NONE),
          tree -> tree.withOrder(QuotaTree.USUAL_ORDER),
          tree -> tree.withRoutes(List.of()));

  private TraceShrinker() {}

  /**
   * A shorter trace that fails too.
   *
   * @param trace a trace that fails
   * @param fails tells whether a trace fails
   */
  public static Trace shrunk(Trace trace, Predicate<Trace> fails) {
    Trace shrunk = trace;
    int size;
    do {
      size = shrunk.steps().size();
      for (int chunk = Math.max(1, size / 2); chunk >= 1; chunk /= 2) {
        shrunk = withoutChunks(shrunk, chunk, fails);
      }
      shrunk = withSmallerTrees(shrunk, fails);
    } while (shrunk.steps().size() < size);
    return shrunk;
  }

  private static Trace withoutChunks(Trace trace, int chunk, Predicate<Trace> fails) {
    Trace shrunk = trace;
    int from = 0;
    while (from < shrunk.steps().size()) {
      List<Step> steps = new ArrayList<>(shrunk.steps());
      steps.subList(from, Math.min(steps.size(), from + chunk)).clear();
      Trace shorter = shrunk.withSteps(steps);
      if (fails.test(shorter)) {
        shrunk = shorter;
      } else {
        from += chunk;
      }
    }
    return shrunk;
  }

  private static Trace withSmallerTrees(Trace trace, Predicate<Trace> fails) {
    Trace shrunk = trace;
    for (UnaryOperator<QuotaTree> leavingOut : LEAVING_OUT) {
      Trace smaller =
          shrunk
              .withTree(leavingOut.apply(shrunk.tree()))
              .withSteps(shrunk.steps().stream().map(step -> in(step, leavingOut)).toList());
      if (fails.test(smaller)) {
        shrunk = smaller;
      }
    }
    return shrunk;
  }

  private static Step in(Step step, UnaryOperator<QuotaTree> leavingOut) {
    return step instanceof Step.Reload reload
        ? new Step.Reload(leavingOut.apply(reload.tree()))
        : step;
  }
}
