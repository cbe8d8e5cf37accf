package io.quotatree.observe;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.ManualTicker;
import java.time.Instant;
import java.util.List;

/** Decisions that are counted, and what the page says of them then. */
abstract class CountedDecisions {

  static final Quota ONE_A_DAY = aDay(1);
  static final Quota BLOCKED = Quota.of(Allowance.BLOCKED);

  final ManualTicker clock = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
  final PrometheusPage page = new PrometheusPage();
  final Metrics metrics =
      new Metrics(page.registry(), new Readings(layer -> 0, () -> 0, () -> 0), clock);
  final Scraped scraped = new Scraped(page);

  static Quota aDay(long permits) {
    return Quota.of(
        RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(permits, 24L * 60 * 60 * 1_000_000)));
  }

  static QuotaTree apis(String... names) {
    return QuotaTree.empty()
        .withApi(
            new ApiLines(
                ApiRule.of(ONE_A_DAY),
                List.of(names).stream()
                    .map(name -> new ApiLines.ApiLine(name, ApiRule.of(ONE_A_DAY)))
                    .toList(),
                List.of()));
  }

  /** A limiter whose decisions are counted, on a clock that stands still. */
  final class Counting {
    final Limiter limiter;
    final Decision decision = new Decision();

    Counting(QuotaTree tree) {
      metrics.use(tree, "gateway-01", 1);
      limiter = new Limiter(Policy.compile(tree, "gateway-01"), new MemoryLedger(), clock);
    }

    void decide(Request request) {
      limiter.decide(request, decision);
      metrics.decided(decision, 700);
      metrics.ended(decision, 30_000_000);
      limiter.release(decision);
    }

    void decide(String caller, String user, String path) {
      decide(Request.of(caller, user, "GET", path));
    }

    Counting twice(String caller, String user, String path) {
      decide(caller, user, path);
      decide(caller, user, path);
      return this;
    }
  }

  double decisions(String layer, String outcome) {
    return scraped.value(
        "quotatree_decisions_total{layer=\"" + layer + "\",outcome=\"" + outcome + "\"}");
  }

  double refusals(String layer, String subject) {
    return scraped.value(
        "quotatree_refusals_total{layer=\"" + layer + "\",subject=\"" + subject + "\"}");
  }
}
