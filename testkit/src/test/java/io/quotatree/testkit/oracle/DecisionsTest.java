package io.quotatree.testkit.oracle;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.oracle.Play.get;
import static io.quotatree.testkit.oracle.Play.post;
import static io.quotatree.testkit.oracle.Play.told;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Origin;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.CallerOverride.ApiQuota;
import io.quotatree.core.policy.Line;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.policy.UserLines.Anonymous;
import io.quotatree.core.policy.UserLines.By;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules of a decision, one by one, with outcomes worked out by hand. */
class DecisionsTest {

  private static final Quota LARGE = Quota.of(fixedWindow("1000/h"));

  @Test
  void layers_are_asked_in_order_and_a_priority_api_before_users() {
    ApiRule rule =
        new ApiRule(LARGE, LARGE, null, 1, ApiRule.Rank.PRIORITY, ApiRule.Effect.BY_METHOD);
    QuotaTree tree =
        QuotaTree.empty()
            .withNode(new NodeLines(LARGE, LARGE, List.of()))
            .withCaller(new CallerLines(LARGE, List.of()))
            .withUser(new UserLines(LARGE, LARGE, Map.of(), Anonymous.NONE))
            .withApi(
                new ApiLines(
                    ApiRule.of(LARGE),
                    List.of(new ApiLine("/pay", rule)),
                    List.of(new Group("g", List.of("/**"), LARGE))));
    assertThat(subjects(tree, post("c", "u", "/pay")))
        .containsExactly("node@a", "node", "c", "group:g", "/pay", "/pay|c", "c/u", "c/u!writes");
    assertThat(subjects(tree, get("c", "u", "/else")))
        .containsExactly("node@a", "node", "c", "c/u", "group:g", "/**|c");
    QuotaTree turned = tree.withOrder(List.of(Layer.API, Layer.USER, Layer.NODE, Layer.CALLER));
    assertThat(subjects(turned, get("c", "u", "/pay")))
        .containsExactly("group:g", "/pay", "/pay|c", "c/u", "node@a", "node", "c");
  }

  @Test
  void users_find_their_most_specific_line() {
    CallerOverride override =
        new CallerOverride(
            "c",
            LARGE,
            quota("of c"),
            List.of(new Line("vip-*", quota("of vip"))),
            Map.of("gold", quota("of gold")),
            List.of());
    Map<String, Quota> plans = Map.of("gold", quota("any gold"), "tin", quota("any tin"));
    QuotaTree tree =
        QuotaTree.empty()
            .withCaller(new CallerLines(null, List.of(override)))
            .withUser(new UserLines(quota("default"), null, plans, Anonymous.NONE));
    assertThat(userPlace(tree, get("c", "vip-1", "/"))).isEqualTo("of vip");
    assertThat(userPlace(tree, get("c", "u", "/").withPlan("gold"))).isEqualTo("of gold");
    assertThat(userPlace(tree, get("c", "u", "/").withPlan("tin"))).isEqualTo("of c");
    assertThat(userPlace(tree, get("d", "u", "/").withPlan("tin"))).isEqualTo("any tin");
    assertThat(userPlace(tree, get("d", "u", "/").withPlan("no"))).isEqualTo("default");
    assertThat(userPlace(tree, get("c", "vip-1", "/").unproven())).isEqualTo("of c");
    assertThat(userPlace(tree, get("c", "", "/"))).isEqualTo("of c");
    assertThat(userPlace(tree, get("d", "u", "/").withPlan("tin").unproven())).isEqualTo("default");
  }

  @Test
  void nobody_is_counted_by_pool_address_network_or_session() {
    Request nobody = get("c", "0", "/").withAddress("2001:db8:1:2::9").withSession("abc");
    assertThat(subjects(anonymous(By.POOL), nobody)).containsExactly("c/anonymous");
    assertThat(subjects(anonymous(By.IP), nobody)).containsExactly("c/ip:2001:db8:1:2::/64");
    assertThat(subjects(anonymous(By.NETWORK), nobody)).containsExactly("c/net:2001:db8:1::/48");
    assertThat(subjects(anonymous(By.SESSION), nobody)).containsExactly("c/sid:ba7816bf8f01cfea");
    assertThat(subjects(anonymous(By.SESSION), nobody.withSession("")))
        .containsExactly("c/ip:2001:db8:1:2::/64");
    QuotaTree none =
        QuotaTree.empty().withUser(new UserLines(LARGE, null, Map.of(), Anonymous.NONE));
    assertThat(subjects(none, nobody.withAddress(""))).containsExactly("c/ip:-");
    assertThat(subjects(anonymous(By.IP), nobody.unproven()))
        .containsExactly("c/ip:2001:db8:1:2::/64");
  }

  @Test
  void a_made_up_id_is_counted_and_the_pool_besides() {
    Request madeUp = get("c", "u1", "/").unproven();
    assertThat(subjects(anonymous(By.IP), madeUp)).containsExactly("c/u1", "c/anonymous");
    assertThat(subjects(anonymous(By.IP), get("c", "anonymous", "/")))
        .containsExactly("c/%61nonymous");
    assertThat(subjects(anonymous(By.IP), get("", "u", "/"))).containsExactly("anonymous/u");
  }

  @Test
  void a_quota_per_user_can_stand_instead_of_the_users_own() {
    ApiRule.PerUser instead =
        new ApiRule.PerUser(LARGE, Map.of("gold", LARGE), ApiRule.Placement.INSTEAD);
    ApiRule rule = new ApiRule(null, null, instead, 1, ApiRule.Rank.USUAL, ApiRule.Effect.WRITES);
    QuotaTree tree =
        QuotaTree.empty()
            .withUser(new UserLines(LARGE, LARGE, Map.of(), Anonymous.NONE))
            .withApi(new ApiLines(ApiRule.NONE, List.of(new ApiLine("/p", rule)), List.of()));
    assertThat(subjects(tree, get("c", "u", "/p"))).containsExactly("c/u!writes", "/p|c/u");
    assertThat(subjects(tree, get("c", "", "/p").withAddress("192.0.2.1")))
        .containsExactly("c/ip:192.0.2.1!writes", "/p|c/ip:192.0.2.1");
  }

  @Test
  void a_callers_own_api_stands_besides_and_names_no_api() {
    CallerOverride override =
        new CallerOverride(
            "c", LARGE, null, List.of(), Map.of(), List.of(new ApiQuota("GET /o/{id}", LARGE)));
    QuotaTree tree =
        QuotaTree.empty()
            .withCaller(new CallerLines(null, List.of(override)))
            .withApi(new ApiLines(ApiRule.of(LARGE), List.of(), List.of()))
            .withRoutes(List.of("/o/**", "/**"));
    assertThat(subjects(tree, get("c", "u", "/o/7")))
        .containsExactly("c", "/o/**|c", "c|GET /o/{id}");
    assertThat(subjects(tree, get("d", "u", "/o/7"))).containsExactly("/o/**|d");
  }

  @Test
  void blocked_refuses_before_anything_is_asked() {
    QuotaTree tree = callerAnd(Accounting.LOOSE, Quota.of(Allowance.BLOCKED));
    Play play = new Play(tree);
    OracleDecision decision = play.send(get("c", "u", "/p").withCost(0));
    assertThat(decision.layer()).contains(Layer.API);
    assertThat(told(decision).limitPermits()).isZero();
    assertThat(decision.retryAfter()).isEqualTo(Wait.NEVER);
    assertThat(told(play.send(get("c", "u", "/else"))).remainingPermits()).isEqualTo(9);
  }

  @Test
  void a_shadow_quota_tells_and_never_decides() {
    Quota shadow = Quota.of(fixedWindow("1/h")).withEnforcement(Enforcement.SHADOW);
    Play play = new Play(callerAnd(Accounting.STRICT, shadow));
    List<OracleDecision> decisions = play.send(get("c", "u", "/p"), 3);
    assertThat(decisions).allMatch(OracleDecision::allowed);
    assertThat(decisions.stream().map(OracleDecision::wouldRefuse))
        .containsExactly(false, true, true);
    assertThat(told(decisions.get(2)).subject()).isEqualTo("c");
  }

  @Test
  void cost_nothing_is_decided_as_one_and_takes_nothing() {
    Play play =
        new Play(callerAnd(Accounting.STRICT, Quota.of(fixedWindow("2/h")).withConcurrency(1)));
    Request free = get("c", "u", "/p").withCost(0);
    assertThat(play.send(free).holding()).isFalse();
    assertThat(told(play.send(free)).remainingPermits()).isEqualTo(10);
    OracleDecision job = play.send(get("c", "u", "/p"));
    assertThat(job.holding()).isTrue();
    OracleDecision full = play.send(free);
    assertThat(full.allowed()).isFalse();
    assertThat(told(full).algorithm()).isEqualTo("concurrency");
    assertThat(told(full).retryAfter().millis()).isEqualTo(1000);
    play.release(job);
    play.release(job);
    assertThat(play.send(free).allowed()).isTrue();
  }

  @Test
  void loose_charges_stay_and_permits_in_flight_do_not() {
    Quota caller =
        Quota.of(fixedWindow("10/h")).withConcurrency(1).withAccounting(Accounting.LOOSE);
    QuotaTree tree =
        callerAnd(Accounting.STRICT, Quota.of(fixedWindow("1/h")))
            .withCaller(new CallerLines(caller, List.of()));
    Play play = new Play(tree);
    play.release(play.send(get("c", "u", "/p")));
    assertThat(play.allowed(get("c", "u", "/p"), 3)).isZero();
    assertThat(told(play.send(get("c", "u", "/else"))).remainingPermits()).isEqualTo(5);
  }

  @Test
  void the_smallest_share_is_told_the_first_of_equals_never_an_instances() {
    QuotaTree tree =
        callerAnd(Accounting.STRICT, Quota.of(fixedWindow("5/h")))
            .withNode(new NodeLines(null, Quota.of(tokenBucket("2/h")), List.of()));
    Play play = new Play(tree);
    // 9/10 of the caller's, 4/5 of the api's.
    assertThat(told(play.send(get("c", "u", "/p"))).subject()).isEqualTo("/p");
    Play even = new Play(callerAnd(Accounting.STRICT, Quota.of(fixedWindow("10/h"))));
    OracleDecision decision = even.send(get("c", "u", "/p"));
    assertThat(told(decision).subject()).isEqualTo("c");
    assertThat(decision.toldOwn().orElseThrow().subject()).isEqualTo("c");
  }

  private static QuotaTree callerAnd(Accounting accounting, Quota api) {
    Quota caller = Quota.of(fixedWindow("10/h")).withAccounting(accounting);
    return QuotaTree.empty()
        .withCaller(new CallerLines(caller, List.of()))
        .withApi(
            new ApiLines(ApiRule.NONE, List.of(new ApiLine("/p", ApiRule.of(api))), List.of()));
  }

  private static QuotaTree anonymous(By by) {
    Anonymous anonymous = new Anonymous(Set.of("", "0"), LARGE, by);
    return QuotaTree.empty().withUser(new UserLines(LARGE, null, Map.of(), anonymous));
  }

  private static Quota quota(String place) {
    return new Quota(
        LARGE.allowance(),
        LARGE.concurrency(),
        LARGE.accounting(),
        LARGE.enforcement(),
        Origin.code(place),
        Optional.empty());
  }

  private static List<String> subjects(QuotaTree tree, Request request) {
    return RequestPlan.of(tree, "a", request).quotas().stream().map(AskedQuota::subject).toList();
  }

  private static String userPlace(QuotaTree tree, Request request) {
    return RequestPlan.of(tree, "a", request).quotas().stream()
        .filter(quota -> quota.layer() == Layer.USER)
        .findFirst()
        .orElseThrow()
        .quota()
        .origin()
        .place();
  }
}
