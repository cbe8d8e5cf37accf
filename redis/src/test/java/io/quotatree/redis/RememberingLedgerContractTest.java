package io.quotatree.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memo.RememberingLedger;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.testkit.LedgerContract;
import io.quotatree.testkit.Stage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A memory of refusals changes nothing that the contract of all ledgers asks for. */
final class RememberingLedgerContractTest extends LedgerContract {

  private static VirtualLedgers ledgers;

  @BeforeAll
  static void start() {
    ledgers = VirtualLedgers.onOneServer();
  }

  @AfterAll
  static void stop() {
    ledgers.end();
    ledgers.close();
  }

  @Override
  public int many(int wanted) {
    return wanted / 50;
  }

  @Override
  public Ledger emptyLedger(ManualTicker ticker) {
    return new RememberingLedger(ledgers.empty(), ticker, step -> false);
  }

  /** But for this: that the store's clock was set is seen when it is asked again. */
  @Override
  @Test
  public void a_clock_set_forward_is_followed_at_once() {
    RateLimit limit =
        RateLimit.of(
            AlgorithmName.FIXED_WINDOW, Rate.of(10, Duration.ofHours(1).toMillis() * 1_000));
    Stage stage = stage(QuotaTree.empty().withCaller(new CallerLines(Quota.of(limit), List.of())));
    Request request = Request.of("app-a", "u", "GET", "/");
    assertThat(stage.allowed(request, 20)).isEqualTo(10);
    stage.stepWall(Duration.ofHours(1));
    assertThat(stage.allowed(request, 20)).isZero();
    stage.advance(RememberingLedger.MOST);
    assertThat(stage.allowed(request, 20)).isEqualTo(10);
  }
}
