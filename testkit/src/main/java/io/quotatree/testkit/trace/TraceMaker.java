package io.quotatree.testkit.trace;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import java.util.ArrayList;
import java.util.List;

/**
 * A random trace, in which limits are met, waited for to the microsecond, and reloaded in between.
 */
final class TraceMaker {

  /** Traces end before clocks of 64 bits do. */
  private static final long LONGEST_JUMP_MICROS = 10L * 366 * 86_400_000_000L;

  private static final int MOST_JUMPS = 4;

  private final long seed;
  private final Dice dice;
  private final Scale scale;
  private final TreeMaker trees;
  private final RequestMaker requests;
  private final List<Step> steps = new ArrayList<>();
  private final List<Request> familiar = new ArrayList<>();
  private final List<String> nodeIds;
  private Request last;
  private String lastNodeId;
  private int sent;
  private int jumps;

  TraceMaker(long seed) {
    this.seed = seed;
    this.dice = new Dice(seed);
    this.scale = Scale.of(dice);
    this.trees = new TreeMaker(dice, scale);
    this.requests = new RequestMaker(dice, scale);
    this.nodeIds = dice.chance(80) ? Trace.NODE_IDS.subList(0, 1) : Trace.NODE_IDS;
    this.last = requests.request();
    this.lastNodeId = nodeIds.get(0);
  }

  Trace trace() {
    QuotaTree first = trees.tree();
    QuotaTree tree = first;
    familiar.add(last);
    int wanted = dice.between(25, 50);
    while (steps.size() < wanted) {
      int kind = dice.between(1, 100);
      if (kind <= 53) {
        addBurst();
      } else if (kind <= 77) {
        addTime();
      } else if (kind <= 85) {
        addRelease();
      } else if (kind <= 91) {
        addSettle();
      } else if (kind <= 93) {
        addReset();
      } else if (kind <= 98) {
        tree = trees.changed(tree);
        steps.add(new Step.Reload(tree));
      } else if (nodeIds.size() == 1) {
        steps.add(wall());
      }
    }
    return new Trace(seed, first, steps);
  }

  private void addBurst() {
    Request request = request();
    lastNodeId = dice.pick(nodeIds);
    send(request, dice.pick(List.of(1, 1, 1, 2, 3, 5)));
  }

  private void send(Request request, int times) {
    last = request;
    for (int i = 0; i < times; i++) {
      steps.add(new Step.Send(sent++, lastNodeId, request));
    }
  }

  private Request request() {
    if (dice.chance(65)) {
      return dice.pick(familiar);
    }
    Request fresh = dice.chance(80) ? requests.like(dice.pick(familiar)) : requests.request();
    familiar.add(fresh);
    return fresh;
  }

  private void addRelease() {
    int releases = dice.pick(List.of(1, 1, 3, 8));
    for (int i = 1; i <= releases; i++) {
      steps.add(new Step.Release(Math.max(0, sent - (releases == 1 ? dice.between(1, 6) : i))));
    }
  }

  private void addSettle() {
    int settles = dice.pick(List.of(1, 1, 1, 2, 5));
    for (int i = 1; i <= settles; i++) {
      int id = Math.max(0, sent - (settles == 1 ? dice.between(1, 6) : i));
      // Debts of a billion permits are forgotten in part; large figures stay below that.
      steps.add(
          new Step.Settle(
              id, dice.chance(60) ? 0 : scale.count(dice, scale.permits() > 1_000 ? 1 : 4)));
    }
    send(last, dice.pick(List.of(1, 1, 2)));
  }

  /** Only under the first tree: counters that only an earlier tree knew are nobody's limits now. */
  private void addReset() {
    if (steps.stream().noneMatch(Step.Reload.class::isInstance)) {
      steps.add(new Step.Reset(Math.max(0, sent - dice.between(1, 3))));
      send(last, dice.pick(List.of(1, 1, 2)));
    }
  }

  private void addTime() {
    int kind = dice.between(1, 100);
    if (kind <= 55) {
      Step.Edge edge = kind <= 42 ? Step.Edge.RETRY : Step.Edge.RESET;
      steps.add(new Step.Await(edge, dice.pick(List.of(0L, 0L, 0L, -1L))));
      send(last, dice.pick(List.of(1, 1, 2)));
    } else if (kind <= 60) {
      steps.add(new Step.Advance(dice.between(1L, 3L)));
    } else if (kind <= 80) {
      steps.add(new Step.Advance(fraction()));
    } else if (kind <= 96 || jumps++ == MOST_JUMPS) {
      steps.add(new Step.Advance(scale.periodMicros() * dice.between(1, 5)));
    } else {
      steps.add(new Step.Advance(dice.between(scale.periodMicros(), LONGEST_JUMP_MICROS)));
    }
  }

  /** A part of the shortest period, sometimes a round one. */
  private long fraction() {
    long period = scale.periodMicros();
    return dice.chance(40)
        ? period / dice.pick(List.of(1, 2, 3, 5, 10, 60))
        : dice.between(1L, period * 2);
  }

  private Step wall() {
    long step = dice.chance(50) ? dice.between(1L, 900_000L) : dice.between(1L, 3_600_000_000L);
    return new Step.StepWall(dice.chance(50) ? step : -step);
  }
}
