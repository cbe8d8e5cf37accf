package io.quotatree.core.policy.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.Line;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OverridePlaceTest {

  private static final Quota NEW = Quota.of(Allowance.BLOCKED);

  private final QuotaTree tree =
      QuotaTree.empty()
          .withNode(new NodeLines(limit(1), limit(2), List.of(new Line("big-*", limit(3)))))
          .withCaller(
              new CallerLines(
                  limit(4),
                  List.of(
                      new CallerOverride(
                          "partner-*",
                          limit(5),
                          limit(6),
                          List.of(new Line("vip-*", limit(7))),
                          Map.of("gold", limit(8)),
                          List.of(new CallerOverride.ApiQuota("GET /a", limit(9)))))))
          .withUser(new UserLines(limit(10), null, Map.of(), UserLines.Anonymous.NONE))
          .withApi(
              new ApiLines(
                  ApiRule.of(limit(11)),
                  List.of(
                      new ApiLines.ApiLine("GET /a", ApiRule.of(limit(12))),
                      new ApiLines.ApiLine("/b/{id}", ApiRule.of(limit(13)))),
                  List.of(new ApiLines.Group("all", List.of("/**"), limit(14)))));

  private static Quota limit(long permits) {
    return Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(permits, 1_000_000)));
  }

  private static List<String> asked(QuotaTree tree, String caller, String user, String path) {
    return Policy.compile(tree, "one").explain(Request.of(caller, user, "GET", path)).stream()
        .filter(asked -> asked.quota().allowance() instanceof Allowance.Blocked)
        .map(asked -> asked.layer().word() + " " + asked.subject())
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "NODE, node, node, 1",
    "NODE, node@big-1, node@big-1, 3",
    "NODE, node@one, node@one, 2",
    "CALLER, app-a, app-a, 4",
    "CALLER, partner-x, partner-x, 5",
    "CALLER, a%20b, a%20b, 4",
    "CALLER, a b, a%20b, 4",
    "USER, app-a/u1, app-a/u1, 10",
    "USER, partner-x/u1, partner-x/u1, 6",
    "USER, partner-x/vip-1, partner-x/vip-1, 7",
    "USER, app-a/%61nonymous, app-a/%61nonymous, 10",
    "API, GET /a, GET /a, 12",
    "API, /b/{id}, /b/{id}, 13",
    "API, group:all, group:all, 14",
    "API, partner-x|GET /a, partner-x|GET /a, 9"
  })
  void a_place_stands_for_the_quota_that_its_subject_has(
      Layer layer, String subject, String written, long permits) {
    OverridePlace place = OverridePlace.of(layer, subject);
    assertThat(place.subject()).isEqualTo(written);
    assertThat(place.layer()).isEqualTo(layer);
    assertThat(place.in(tree)).isEqualTo(limit(permits));
    assertThat(place.in(place.with(tree, NEW))).isEqualTo(NEW);
  }

  @Test
  void an_override_is_for_its_subject_alone() {
    QuotaTree caller = OverridePlace.of(Layer.CALLER, "partner-x").with(tree, NEW);
    assertThat(asked(caller, "partner-x", "u", "/a")).containsExactly("caller partner-x");
    assertThat(asked(caller, "partner-y", "u", "/a")).isEmpty();
    QuotaTree user = OverridePlace.of(Layer.USER, "app-a/u1").with(tree, NEW);
    assertThat(asked(user, "app-a", "u1", "/a")).containsExactly("user app-a/u1");
    assertThat(asked(user, "app-a", "u2", "/a")).isEmpty();
    assertThat(asked(user, "app-b", "u1", "/a")).isEmpty();
    QuotaTree api = OverridePlace.of(Layer.API, "GET /a").with(tree, NEW);
    assertThat(asked(api, "app-a", "u1", "/a")).containsExactly("api GET /a");
    assertThat(asked(api, "app-a", "u1", "/b/1")).isEmpty();
    QuotaTree itsApi = OverridePlace.of(Layer.API, "app-a|/b/{id}").with(tree, NEW);
    assertThat(asked(itsApi, "app-a", "u1", "/b/1")).containsExactly("api app-a|/b/{id}");
    assertThat(asked(itsApi, "app-b", "u1", "/b/1")).isEmpty();
  }

  @Test
  void a_caller_keeps_what_else_its_line_says() {
    QuotaTree changed = OverridePlace.of(Layer.CALLER, "partner-x").with(tree, NEW);
    CallerOverride line = changed.caller().overrides().get(0);
    assertThat(line)
        .isEqualTo(
            new CallerOverride(
                "partner-x",
                NEW,
                limit(6),
                List.of(new Line("vip-*", limit(7))),
                Map.of("gold", limit(8)),
                List.of(new CallerOverride.ApiQuota("GET /a", limit(9)))));
    QuotaTree user = OverridePlace.of(Layer.USER, "app-a/u1").with(tree, NEW);
    assertThat(user.caller().overrides().get(0).quota()).isEqualTo(limit(4));
  }

  @ParameterizedTest
  @CsvSource({
    "NODE, nodes, write `node`",
    "NODE, node/ip:192.0.2.1, write `node`",
    "NODE, node@, write `node`",
    "CALLER, a/b, write a caller's name",
    "CALLER, app-a!retries, write a caller's name",
    "CALLER, partner-*, holds a `*`",
    "CALLER, partner-%2A, holds a `*`",
    "CALLER, %ff, a name is UTF-8",
    "CALLER, a\uD800b, a name is UTF-8",
    "USER, app-a/%c3, a name is UTF-8",
    "USER, app-a, write CALLER/USER",
    "USER, app-a/, write CALLER/USER",
    "USER, app-a/u/v, write CALLER/USER",
    "USER, app-a/u1!writes, change `user.writes` in the file",
    "USER, app-a/anonymous, change `user.anonymous` in the file",
    "USER, app-a/ip:192.0.2.1, change `user.anonymous` in the file",
    "API, nothing, write an api as the file does",
    "API, GET /a|app-a, for one caller write CALLER|API",
    "API, GET /a|app-a/u1, for one caller write CALLER|API"
  })
  void what_none_can_be_set_for_is_told_with_what_to_write(
      Layer layer, String subject, String advice) {
    assertThatThrownBy(() -> OverridePlace.of(layer, subject))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(subject)
        .hasMessageContaining(advice);
  }

  @ParameterizedTest
  @CsvSource({
    "GET /c, the file names no such api",
    "GET  /a, the file names no such api",
    "group:none, write one of group:all"
  })
  void a_place_that_the_file_does_not_have_is_told(String subject, String advice) {
    OverridePlace place = OverridePlace.of(Layer.API, subject);
    assertThatThrownBy(() -> place.in(tree))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(advice);
    assertThatThrownBy(() -> place.with(tree, NEW)).isInstanceOf(IllegalArgumentException.class);
  }
}
