package io.quotatree.bench.redis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What a decision by the shared ledger costs beside other ways to it, and how decisions fare while
 * the store fails.
 */
public final class RedisBench {

  private final Plan plan;
  private final Consumer<String> progress;

  /**
   * How much is measured.
   *
   * @param rounds turns of each contender, for each way to wait
   * @param turnMillis how long each turn is
   * @param warming decisions of each before anything is measured, for each way to wait
   * @param outages how often the store is frozen, and how often killed
   * @param seed of the requests and the order of turns
   */
  public record Plan(int rounds, long turnMillis, long warming, int outages, long seed) {}

  /** A bench that tells its progress. */
  public RedisBench(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /** Measures all. */
  public RedisTable run() {
    return new RedisTable(new Contest(plan, progress).run(), outages());
  }

  private List<Survival> outages() {
    Random random = new Random(plan.seed());
    List<Survival> survivals = new ArrayList<>();
    for (int round = 1; round <= plan.outages(); round++) {
      List<Fault> order = new ArrayList<>(List.of(Fault.values()));
      Collections.shuffle(order, random);
      for (Fault fault : order) {
        survivals.add(Outage.of(fault));
        progress.accept(fault.title() + ": " + round + " of " + plan.outages());
      }
    }
    return survivals;
  }
}
