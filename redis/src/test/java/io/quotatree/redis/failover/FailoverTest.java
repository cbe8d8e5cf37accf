package io.quotatree.redis.failover;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.LedgerClock;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.core.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class FailoverTest {

  private static final Request REQUEST = Request.of("app", "u1", "GET", "/x");

  private final ManualTicker ticker = new ManualTicker(Instant.parse("2026-01-01T00:00:00Z"));
  private final LedgerClock clock = new LedgerClock(ticker);
  private final MemoryLedger ledger = new MemoryLedger();
  private final Failover failover = new Failover(ledger, OnFailure.LOCAL);

  /** What the store was charged on its return, in order. */
  private final List<Long> charged = new ArrayList<>();

  private boolean storeFails;

  private final Account account =
      new Account() {
        @Override
        public byte[] key() {
          return new byte[0];
        }

        @Override
        public CompletionStage<?> charge(long permits) {
          return charged(permits);
        }
      };

  private CompletionStage<?> charged(long permits) {
    if (storeFails) {
      return CompletableFuture.failedFuture(new IllegalStateException("away"));
    }
    charged.add(permits);
    return CompletableFuture.completedFuture(permits);
  }

  /** A gateway among others that decides by itself. */
  private final class Gateway {

    private final Policy policy;
    private final Policy share;

    Gateway(QuotaTree tree, int gateways) {
      policy = Policy.compile(tree, "gw");
      share = failover.share(policy, gateways);
      ledger.adopt(share);
    }

    Plan plan() {
      Plan plan = new Plan();
      policy.plan(REQUEST, plan);
      return plan;
    }

    Moment now() {
      Moment moment = new Moment();
      clock.read(moment);
      return moment;
    }

    Verdict send() {
      Verdict verdict = new Verdict();
      failover.decide(plan(), share, now(), verdict, index -> account);
      return verdict;
    }

    long granted(int times) {
      return IntStream.range(0, times)
          .filter(
              i -> {
                Verdict verdict = send();
                return !verdict.isRefused() && !verdict.isUnavailable();
              })
          .count();
    }

    /** The store tells that so much is left of each limit. */
    void storeToldLeft(long remaining) {
      Verdict verdict = new Verdict();
      Plan plan = plan();
      verdict.begin(plan, now());
      for (int i = 0; i < plan.size(); i++) {
        verdict.left(i, remaining, 1_000_000);
        verdict.grant(i);
      }
      failover.follow(plan, verdict, now(), 0);
    }
  }

  static Stream<Arguments> limits() {
    return Stream.of(
            fixedWindow("100/h"), slidingWindow("100/h"), slidingLog("100/h"), tokenBucket("100/h"))
        .map(Arguments::of);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void a_gateway_grants_its_share_in_a_period_and_again_in_the_next(RateLimit limit) {
    Gateway gateway = new Gateway(tree(caller(limit)), 3);
    assertThat(gateway.granted(200)).isEqualTo(33);
    ticker.advance(Duration.ofHours(2));
    assertThat(gateway.granted(200)).isEqualTo(33);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void it_begins_with_its_share_of_what_the_store_told_last(RateLimit limit) {
    Gateway gateway = new Gateway(tree(caller(limit)), 2);
    gateway.storeToldLeft(60);
    assertThat(gateway.granted(200)).isEqualTo(30);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void what_the_store_told_wears_off(RateLimit limit) {
    Gateway gateway = new Gateway(tree(caller(limit)), 2);
    gateway.storeToldLeft(0);
    ticker.advance(Duration.ofHours(2));
    assertThat(gateway.granted(200)).isEqualTo(50);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void what_was_granted_is_charged_once_the_store_is_back_and_what_it_knew_is_not(RateLimit limit) {
    Gateway gateway = new Gateway(tree(caller(limit)), 2);
    gateway.storeToldLeft(60);
    assertThat(gateway.granted(7)).isEqualTo(7);
    failover.tell(1_000, key -> true);
    assertThat(charged).containsExactly(7L);
    assertThat(failover.owes()).isFalse();
    failover.tell(1_000, key -> true);
    assertThat(charged).containsExactly(7L);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void failures_one_after_another_grant_no_more_than_one(RateLimit limit) {
    Gateway gateway = new Gateway(tree(caller(limit)), 2);
    long granted = 0;
    for (int i = 0; i < 10; i++) {
      granted += gateway.granted(20);
      failover.tell(1_000, key -> true);
    }
    assertThat(granted).isEqualTo(50);
    assertThat(charged.stream().mapToLong(Long::longValue).sum()).isEqualTo(50);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void what_no_longer_counts_is_not_charged(RateLimit limit) {
    Gateway gateway = new Gateway(tree(caller(limit)), 2);
    assertThat(gateway.granted(20)).isEqualTo(20);
    ticker.advance(Duration.ofHours(2));
    assertThat(gateway.granted(3)).isEqualTo(3);
    failover.tell(1_000, key -> true);
    assertThat(charged).containsExactly(3L);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void what_the_store_does_not_take_is_charged_at_its_next_return(RateLimit limit) {
    Gateway gateway = new Gateway(tree(caller(limit)), 2);
    gateway.storeToldLeft(60);
    assertThat(gateway.granted(7)).isEqualTo(7);
    storeFails = true;
    failover.tell(1_000, key -> true);
    assertThat(failover.owes()).isTrue();
    assertThat(gateway.granted(100)).isEqualTo(23);
    storeFails = false;
    failover.tell(1_000, key -> true);
    assertThat(charged).containsExactly(30L);
  }

  @Test
  void more_gateways_than_permits_grant_one_each() {
    for (RateLimit limit : List.of(fixedWindow("3/h"), tokenBucket("3/h"), leakyBucket("3/h"))) {
      assertThat(new Gateway(tree(caller(limit)), 1_000).granted(9)).as(limit.toString()).isOne();
    }
  }

  @Test
  void a_rate_that_was_rounded_down_fills_its_burst_in_a_hundred_years_at_most() {
    Gateway gateway = new Gateway(tree(caller(tokenBucket("3/year", 300))), 2);
    assertThat(gateway.granted(400)).isEqualTo(100);
  }

  @Test
  void each_quota_falls_by_itself() {
    Quota open = Quota.of(fixedWindow("2/h")).withOnFailure(OnFailure.OPEN);
    Quota closed = Quota.of(fixedWindow("2/h")).withOnFailure(OnFailure.CLOSED);
    Quota local = Quota.of(fixedWindow("5/h"));
    assertThat(new Gateway(tree(caller(open)), 1).granted(9)).isEqualTo(9);
    assertThat(new Gateway(tree(caller(open), user(local)), 1).granted(9)).isEqualTo(5);
    Gateway mixed = new Gateway(tree(user(open), caller(local), api("/x", closed)), 1);
    Verdict verdict = mixed.send();
    assertThat(verdict.isUnavailable()).isTrue();
    assertThat(verdict.certainty()).isEqualTo(Certainty.FALLBACK);
  }

  @Test
  void an_open_quota_owes_what_a_share_holds_at_most() {
    Quota open = Quota.of(fixedWindow("10/h")).withOnFailure(OnFailure.OPEN);
    Gateway gateway = new Gateway(tree(caller(open)), 2);
    assertThat(gateway.granted(100)).isEqualTo(100);
    failover.tell(1_000, key -> true);
    assertThat(charged).containsExactly(5L);
  }

  @Test
  void a_closed_shadow_quota_makes_nothing_unavailable() {
    Quota shadow =
        Quota.of(fixedWindow("1/h"))
            .withOnFailure(OnFailure.CLOSED)
            .withEnforcement(Enforcement.SHADOW);
    Gateway gateway = new Gateway(tree(caller(shadow)), 2);
    assertThat(gateway.granted(3)).isEqualTo(3);
  }

  @Test
  void counters_that_the_store_is_told_of_are_bounded_and_those_of_the_file_have_a_place() {
    QuotaTree tree = tree(user(fixedWindow("9/h")), api("/x", fixedWindow("1000000/h")));
    Gateway gateway = new Gateway(tree, 1);
    int users = 25_000;
    for (int i = 0; i < users; i++) {
      Plan plan = new Plan();
      gateway.policy.plan(Request.of("app", "u" + i, "GET", i < users - 1_000 ? "/y" : "/x"), plan);
      failover.decide(plan, gateway.share, gateway.now(), new Verdict(), index -> account);
    }
    failover.tell(1_000_000, key -> true);
    assertThat(charged).hasSize(20_001).contains(1_000L);
  }
}
