package io.quotatree.testkit.trace;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
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
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.policy.UserLines.Anonymous;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Random small trees over few names, so that lines meet requests. */
final class TreeMaker {

  private static final List<String> CALLER_PATTERNS = List.of("c1", "c*", "anonymous", "*2", "c:*");
  private static final List<String> USER_PATTERNS = List.of("u1", "u*", "0", "anonymous");
  private static final List<String> API_NAMES =
      List.of(
          "/a",
          "GET /a",
          "POST /a",
          "/a/{id}",
          "GET /a/{id}",
          "/a/**",
          "/a/{id}/b",
          "/b/**",
          "GET /b/c",
          "/{x}/c",
          "/{x}",
          "POST /**",
          "/**");
  private static final List<String> PLANS = List.of("vip", "gold");

  private final Dice dice;
  private final QuotaMaker quotas;

  /** The layer whose limits are the tightest, so that each layer refuses often in some traces. */
  private final Layer tightest;

  TreeMaker(Dice dice, Scale scale) {
    this.dice = dice;
    this.quotas = new QuotaMaker(dice, scale);
    this.tightest = dice.pick(List.of(Layer.values()));
  }

  QuotaTree tree() {
    return QuotaTree.empty()
        .withOrder(dice.chance(75) ? QuotaTree.USUAL_ORDER : dice.shuffled(QuotaTree.USUAL_ORDER))
        .withNode(node())
        .withCaller(caller())
        .withUser(user())
        .withApi(api())
        .withRoutes(dice.chance(85) ? List.of() : List.of("GET /b/**", "/a/**", "/**"));
  }

  /** What an operator's next file could be. */
  QuotaTree changed(QuotaTree tree) {
    return switch (dice.between(1, 10)) {
      case 1 -> tree();
      case 2 -> tree.withNode(node());
      case 3 -> tree.withCaller(caller());
      case 4 -> tree.withUser(user());
      case 5 -> tree.withApi(api());
      case 6 -> tree.withOrder(dice.shuffled(QuotaTree.USUAL_ORDER));
      default -> tree.withEach(quotas::tweaked);
    };
  }

  private Quota quota(Layer layer, String place) {
    return quotas.quota(place, layer == tightest ? 5 : 14);
  }

  private @Nullable Quota maybe(int percent, Layer layer, String place) {
    return dice.maybe(percent, () -> quota(layer, place));
  }

  private Line line(Layer layer, String pattern) {
    return new Line(pattern, quota(layer, layer.word() + "." + pattern));
  }

  private NodeLines node() {
    List<Line> instances =
        dice.some(8, List.of("gw-1", "gw-*", "*")).stream()
            .map(pattern -> line(Layer.NODE, pattern))
            .toList();
    return new NodeLines(
        maybe(50, Layer.NODE, "node"), maybe(15, Layer.NODE, "node.instance"), instances);
  }

  private CallerLines caller() {
    Quota byDefault = maybe(70, Layer.CALLER, "caller.default");
    List<CallerOverride> overrides =
        dice.some(25, CALLER_PATTERNS).stream().map(name -> override(name, byDefault)).toList();
    return new CallerLines(byDefault, overrides);
  }

  private CallerOverride override(String pattern, @Nullable Quota byDefault) {
    boolean own = byDefault == null ? dice.chance(50) : dice.chance(70);
    String place = "caller." + pattern;
    return new CallerOverride(
        pattern,
        own ? maybe(95, Layer.CALLER, place) : byDefault,
        maybe(30, Layer.USER, place + ".user"),
        dice.some(15, USER_PATTERNS).stream().map(user -> line(Layer.USER, user)).toList(),
        plans(20),
        dice.some(8, API_NAMES).stream()
            .map(name -> new ApiQuota(name, quota(Layer.API, place + ".api")))
            .toList());
  }

  private Map<String, Quota> plans(int percent) {
    Map<String, Quota> plans = new HashMap<>();
    for (String plan : dice.some(percent, PLANS)) {
      plans.put(plan, quota(Layer.USER, "plan." + plan));
    }
    return plans;
  }

  private UserLines user() {
    return new UserLines(
        maybe(70, Layer.USER, "user.default"),
        maybe(30, Layer.USER, "user.writes"),
        plans(30),
        new Anonymous(
            dice.pick(List.of(Set.of("", "0"), Set.of("", "0"), Set.of("u2"))),
            maybe(50, Layer.USER, "user.anonymous"),
            dice.pick(List.of(UserLines.By.values()))));
  }

  private ApiLines api() {
    List<ApiLine> lines =
        dice.some(25, API_NAMES).stream().map(name -> new ApiLine(name, rule(name))).toList();
    List<Group> groups =
        dice.some(20, List.of("g1", "g2")).stream()
            .map(name -> new Group(name, dice.some(40, API_NAMES), quota(Layer.API, name)))
            .toList();
    return new ApiLines(unmatched(), lines, groups);
  }

  private ApiRule unmatched() {
    return new ApiRule(
        maybe(50, Layer.API, "api.unmatched"),
        null,
        null,
        dice.chance(90) ? 1 : 2,
        ApiRule.Rank.USUAL,
        ApiRule.Effect.BY_METHOD);
  }

  private ApiRule rule(String name) {
    return new ApiRule(
        maybe(70, Layer.API, name),
        maybe(25, Layer.API, name + ".per_caller"),
        dice.maybe(30, () -> perUser(name)),
        dice.pick(List.of(1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 2L, 3L, 0L)),
        dice.chance(30) ? ApiRule.Rank.PRIORITY : ApiRule.Rank.USUAL,
        dice.chance(70) ? ApiRule.Effect.BY_METHOD : dice.pick(List.of(ApiRule.Effect.values())));
  }

  private ApiRule.PerUser perUser(String name) {
    return new ApiRule.PerUser(
        maybe(90, Layer.API, name + ".per_user"),
        plans(20),
        dice.chance(50) ? ApiRule.Placement.INSTEAD : ApiRule.Placement.BESIDES);
  }
}
