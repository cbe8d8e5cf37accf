package io.quotatree.scenario;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.scenario.ScenarioResult.FailedStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Runs scenarios in virtual time: a month takes as long as its requests take to decide.
 *
 * <p>Every scenario has a ledger of its own, which all of its gateways share.
 */
public final class ScenarioRunner {

  private final Supplier<Ledger> ledgers;
  private final LongConsumer progress;

  /**
   * A runner.
   *
   * @param ledgers gives each scenario an empty ledger
   */
  public ScenarioRunner(Supplier<Ledger> ledgers) {
    this(ledgers, requests -> {});
  }

  /**
   * A runner that tells how it gets on.
   *
   * @param ledgers gives each scenario an empty ledger
   * @param progress is told now and then how many more requests were sent
   */
  public ScenarioRunner(Supplier<Ledger> ledgers, LongConsumer progress) {
    this.ledgers = Objects.requireNonNull(ledgers, "ledgers");
    this.progress = Objects.requireNonNull(progress, "progress");
  }

  /**
   * Runs a scenario to its end, past steps that fail: what was expected changes no decision.
   *
   * @return which steps failed
   * @throws UnavailableException if its ledger is a shared one and gives no answers
   */
  public ScenarioResult run(Scenario scenario) {
    Fleet fleet = new Fleet(scenario, ledgers.get(), progress);
    List<FailedStep> failed = new ArrayList<>();
    for (Step step : scenario.steps()) {
      List<Expectation.Unmet> unmet = fleet.take(step);
      if (!unmet.isEmpty()) {
        failed.add(new FailedStep(step, unmet));
      }
    }
    return new ScenarioResult(scenario, failed);
  }
}
