package io.quotatree.quotafile;

import static io.quotatree.quotafile.Trees.api;
import static io.quotatree.quotafile.Trees.caller;
import static io.quotatree.quotafile.Trees.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Origin;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.core.policy.Line;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.UserLines;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a section says beside what its lines take over from each other. */
class TreeTest {

  @Test
  void a_bare_number_has_the_period_of_the_defaults() {
    QuotaTree tree = Trees.of("defaults: { period: 10min }\nnode: [5k, 1/s]");
    assertThat(words(tree.node().fleet())).isEqualTo("sliding_window 5k/10min, sliding_window 1/s");
    assertThat(Trees.words(Trees.of("defaults: { period: min }\nnode: 100_000").node().fleet()))
        .isEqualTo("sliding_window 100_000/min");
  }

  @Test
  void an_origin_is_the_line_that_gave_the_quota() {
    QuotaTree tree =
        Trees.of(
            """
            caller:
              default: 100/s
              overrides:
                a: { concurrency: 5 }
                b: { user: 5/s }
            api:
              default: { limit: 10/s, per_user: 3/s }
              overrides:
                POST /pay: 5/s
            """);
    assertThat(tree.caller().byDefault())
        .extracting(Quota::origin)
        .isEqualTo(new Origin("caller.default", 2, 3));
    assertThat(caller(tree, "a").quota())
        .extracting(Quota::origin)
        .isEqualTo(new Origin("caller.overrides.a", 4, 5));
    assertThat(caller(tree, "b").quota())
        .extracting(Quota::origin)
        .isEqualTo(new Origin("caller.default", 2, 3));
    assertThat(caller(tree, "b").user())
        .extracting(Quota::origin)
        .isEqualTo(new Origin("caller.overrides.b.user", 5, 10));
    assertThat(api(tree, "POST /pay").quota())
        .extracting(Quota::origin)
        .isEqualTo(new Origin("api.overrides.POST /pay", 9, 5));
    assertThat(perUser(api(tree, "POST /pay")).quota())
        .extracting(Quota::origin)
        .isEqualTo(new Origin("api.default.per_user", 7, 27));
  }

  @Test
  void layers_left_out_of_the_order_follow_as_usual() {
    assertThat(Trees.of("order: [api, caller]").order())
        .containsExactly(Layer.API, Layer.CALLER, Layer.NODE, Layer.USER);
    assertThat(Trees.of("node: 1/s").order()).isEqualTo(QuotaTree.USUAL_ORDER);
  }

  @Test
  void the_rest_of_the_section_reaches_the_tree() {
    QuotaTree tree =
        Trees.of(
            """
            defaults: { message: "慢一点", headers: legacy, hide_keys: true, disclose: all, spread: false }
            max_subjects: 5M
            user: { default: 5/s, anonymous: { ids: ["", 0, none], limit: 5/s, by: session } }
            """);
    assertThat(tree.maxSubjects()).isEqualTo(5_000_000);
    assertThat(tree.replies())
        .isEqualTo(
            new ReplyStyle(
                "慢一点",
                ReplyStyle.Fields.LEGACY,
                ReplyStyle.Keys.HIDDEN,
                ReplyStyle.Disclosure.ALL,
                ReplyStyle.Spread.EXACT));
    assertThat(tree.user().anonymous().ids()).containsExactlyInAnyOrder("", "0", "none");
    assertThat(tree.user().anonymous().by()).isEqualTo(UserLines.By.SESSION);
  }

  @Test
  void apis_stand_in_the_order_of_the_file() {
    QuotaTree tree =
        Trees.of("api:\n  overrides: { /b: 1/s, /a: 2/s }\n  names: [/c]\n  default: 5/s\n");
    assertThat(tree.api().lines())
        .extracting(line -> line.name())
        .containsExactly("/b", "/a", "/c");
    assertThat(Trees.of("api:\n  names: [/c]\n  overrides: { /b: 1/s }\n").api().lines())
        .extracting(line -> line.name())
        .containsExactly("/c", "/b");
  }

  @Test
  void patterns_keep_their_star() {
    QuotaTree tree =
        Trees.of("caller: { overrides: { partner-*: { limit: 8/s, users: { \"*-bot\": 1/s } } } }");
    assertThat(caller(tree, "partner-*").users())
        .extracting(Line::pattern)
        .isEqualTo(List.of("*-bot"));
  }

  @Test
  void items_of_a_list_say_themselves_how_they_are_counted() {
    QuotaTree tree =
        Trees.of(
            """
            defaults: { algorithm: fixed_window }
            caller:
              default: [{ limit: 10/s, algorithm: leaky_bucket, burst: 3 }, { limit: 100/min, algorithm: sliding_window, slices: 6 }, 1000/h]
              overrides: { a: { concurrency: 5 }, b: { limit: [20/s, 200/min], algorithm: sliding_log } }
            """);
    String three =
        "leaky_bucket 10/s burst 3, sliding_window 100/min 6 slices, fixed_window 1000/h";
    assertThat(words(tree.caller().byDefault())).isEqualTo(three);
    assertThat(words(caller(tree, "a").quota())).isEqualTo(three + ", 5 in flight");
    assertThat(words(caller(tree, "b").quota())).isEqualTo("sliding_log 20/s, sliding_log 200/min");
  }

  private static PerUser perUser(ApiRule rule) {
    return Objects.requireNonNull(rule.perUser());
  }
}
