package io.quotatree.testkit.oracle;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.oracle.Play.get;
import static io.quotatree.testkit.oracle.Play.post;
import static io.quotatree.testkit.oracle.Play.told;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.policy.UserLines.Anonymous;
import io.quotatree.core.policy.UserLines.By;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Scenarios whose figures an exact model gave, played by the reference. */
class AcceptedScenariosTest {

  @Test
  void a_refusal_spends_nothing_and_loose_accounting_does() {
    Play play = new Play(callerAndSpecial(Accounting.STRICT));
    List<OracleDecision> special = play.send(get("a", "u", "/special"), 9);
    assertThat(special.stream().filter(OracleDecision::allowed)).hasSize(3);
    assertThat(special.get(8).layer()).contains(Layer.API);
    List<OracleDecision> plain = play.send(get("a", "u", "/plain"), 9);
    assertThat(plain.stream().filter(OracleDecision::allowed)).hasSize(7);
    assertThat(plain.get(8).layer()).contains(Layer.CALLER);
    assertThat(told(plain.get(8)).remainingPermits()).isZero();

    play.reload(callerAndSpecial(Accounting.LOOSE));
    assertThat(play.send(get("b", "u", "/special"), 9))
        .allSatisfy(decision -> assertThat(decision.layer()).contains(Layer.API));
    List<OracleDecision> rest = play.send(get("b", "u", "/plain"), 9);
    assertThat(rest.stream().filter(OracleDecision::allowed)).hasSize(1);
    assertThat(rest.get(8).layer()).contains(Layer.CALLER);
  }

  @Test
  void a_storm_of_one_caller_is_refused_in_its_own_layer() {
    Play play =
        new Play(
            QuotaTree.empty()
                .withNode(new NodeLines(Quota.of(slidingWindow("100000/min")), null, List.of()))
                .withCaller(callers(tokenBucket("5000/min"))));
    int allowed = 0;
    for (int i = 0; i < 25_000; i++) {
      play.atMillis(i);
      OracleDecision decision = play.send(get("storm", "s", "/ad"));
      allowed += decision.allowed() ? 1 : 0;
      assertThat(decision.layer().orElse(Layer.CALLER)).isEqualTo(Layer.CALLER);
    }
    assertThat(allowed).isEqualTo(7083);
    assertThat(play.allowed(get("calm", "c", "/list"), 4000)).isEqualTo(4000);
  }

  @Test
  void users_without_identity_share_one_small_pool() {
    Anonymous pool = new Anonymous(Set.of("", "0"), Quota.of(fixedWindow("50/s")), By.POOL);
    Play play =
        new Play(
            QuotaTree.empty()
                .withCaller(new CallerLines(Quota.of(Allowance.UNLIMITED), List.of()))
                .withUser(new UserLines(Quota.of(fixedWindow("10/s")), null, Map.of(), pool)));
    List<OracleDecision> zeros = play.send(get("a", "0", "/user/info"), 2000);
    assertThat(zeros.stream().filter(OracleDecision::allowed)).hasSize(50);
    assertThat(told(zeros.get(1999)).subject()).isEqualTo("a/anonymous");
    assertThat(told(play.send(get("a", "", "/user/info"))).subject()).isEqualTo("a/anonymous");
    assertThat(play.allowed(get("a", "u7", "/user/info"), 20)).isEqualTo(10);
  }

  @Test
  void the_scarcest_quota_refuses_first_and_only_its_own_branch() {
    Play play =
        new Play(
            QuotaTree.empty()
                .withNode(new NodeLines(Quota.of(slidingLog("1000/s")), null, List.of()))
                .withCaller(callers(slidingLog("600/s")))
                .withUser(users(slidingLog("100/s")))
                .withApi(api("POST /order/pay", slidingLog("60/s"))));
    assertThat(play.allowed(post("A", "u1", "/order/pay"), 80)).isEqualTo(60);
    List<OracleDecision> list = play.send(get("A", "u1", "/order/list"), 60);
    assertThat(list.stream().filter(OracleDecision::allowed)).hasSize(40);
    assertThat(told(list.get(59)).subject()).isEqualTo("A/u1");
    assertThat(play.allowed(get("A", "u2", "/order/list"), 100)).isEqualTo(100);
    assertThat(play.send(post("A", "u3", "/order/pay")).layer()).contains(Layer.API);
    play.atMillis(1000);
    assertThat(play.allowed(post("A", "u1", "/order/pay"), 80)).isEqualTo(60);
  }

  @Test
  void the_longest_wait_is_told_whoever_refuses_first() {
    Play play =
        new Play(
            QuotaTree.empty()
                .withCaller(callers(fixedWindow("2/s")))
                .withUser(users(fixedWindow("2/min"))));
    play.atMillis(100);
    OracleDecision third = play.send(get("a", "u", "/x"), 3).get(2);
    assertThat(third.layer()).contains(Layer.CALLER);
    assertThat(third.retryAfter().millis()).isEqualTo(59_900);
    assertThat(told(third).retryAfter().millis()).isEqualTo(900);
    play.atMillis(5000);
    OracleDecision later = play.send(get("a", "u", "/x"));
    assertThat(later.layer()).contains(Layer.USER);
    assertThat(later.retryAfter().millis()).isEqualTo(55_000);
  }

  private static QuotaTree callerAndSpecial(Accounting accounting) {
    Quota caller = Quota.of(fixedWindow("10/h")).withAccounting(accounting);
    return QuotaTree.empty()
        .withCaller(new CallerLines(caller, List.of()))
        .withApi(api("GET /special", fixedWindow("3/h")));
  }

  private static CallerLines callers(RateLimit limit) {
    return new CallerLines(Quota.of(limit), List.of());
  }

  private static UserLines users(RateLimit limit) {
    return new UserLines(Quota.of(limit), null, Map.of(), Anonymous.NONE);
  }

  private static ApiLines api(String name, RateLimit limit) {
    return new ApiLines(
        ApiRule.NONE, List.of(new ApiLine(name, ApiRule.of(Quota.of(limit)))), List.of());
  }
}
