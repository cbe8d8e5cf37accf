package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.policy.BadPathException;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.quotafile.Explanation.Asked;
import io.quotatree.quotafile.Explanation.Counted;
import io.quotatree.quotafile.Explanation.Taken;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  private static final String FILE =
      """
      routes:
        - { match: "/order/**", upstream: orders }
        - { match: "/internal/**", upstream: orders }
      upstreams: { orders: { targets: ["http://127.0.0.1:9001"] } }
      quotas:
        node: { limit: 100000/min, instance: { limit: 7000/s, concurrency: 300 } }
        caller:
          default: 5000/min
          overrides:
            app-a: { limit: [500/s, 10000/min], user: 10/s, api: { POST /order/pay: 100/s } }
            banned: blocked
        user:
          default: 100/min
          writes: { limit: 10/s, shadow: true }
          plans: { vip: 1000/min }
          anonymous: 50/s
        api:
          default: 600/min
          groups: { orders: { match: ["/order/**"], limit: 5000/s } }
          overrides:
            POST /order/pay: { limit: 60/min, priority: true, cost: 5, stagger: false, accounting: loose }
            GET /order/{id}: { per_user: { limit: 5/s, instead: true } }
            POST /internal/bulk: { limit: 100000/min, cost: 6000 }
            /internal/**: unlimited
      """;

  private static Explanation explain(Request request) {
    return explain(FILE, request);
  }

  private static Explanation explain(String text, Request request) {
    QuotaFile file = Trees.file(text);
    return Explanation.of(file, Policy.compile(file.quotas(), "gateway-01"), request);
  }

  @Test
  void it_reads_as_a_table_in_the_order_of_asking() {
    assertThat(explain(Request.of("app-a", "u1", "POST", "/order/pay")).text())
        .isEqualTo(
            """
            POST /order/pay
              caller  app-a
              user    u1
              route   /order/** to orders (line 2)
              api     POST /order/pay
              cost    5 permits

            Asked in this order; all must grant:

                 layer   subject                limit          counted by                          written at
              1  node    node@gateway-01        7000/s         token_bucket                        test.yaml:6:30   node.instance
                                                300 in flight  concurrency
              2  node    node                   100000/min     sliding_window                      test.yaml:6:3    node
              3  caller  app-a                  500/s          token_bucket                        test.yaml:10:7   caller.overrides.app-a
                                                10000/min      token_bucket
              4  api     group:orders           5000/s         fixed_window                        test.yaml:19:15  api.groups.orders
              5  api     POST /order/pay        60/min         fixed_window, not staggered, loose  test.yaml:21:7   api.overrides.POST /order/pay
              6  api     app-a|POST /order/pay  100/s          fixed_window                        test.yaml:10:62  caller.overrides.app-a.api.POST /order/pay
              7  user    app-a/u1               10/s           token_bucket                        test.yaml:10:43  caller.overrides.app-a.user
              8  user    app-a/u1!writes        10/s           token_bucket, shadow                test.yaml:14:5   user.writes

            - The api has `priority`: its layer is asked before the user layer.
            """);
  }

  @Test
  void its_parts_are_texts_and_numbers() {
    Explanation explanation = explain(Request.of("app-a", "u1", "POST", "/order/pay"));
    assertThat(explanation.route()).isEqualTo(new Taken("/order/**", "orders", 2));
    assertThat(explanation.api()).isEqualTo("POST /order/pay");
    assertThat(explanation.cost()).isEqualTo(5);
    assertThat(explanation.quotas())
        .extracting(Asked::turn)
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(explanation.quotas().get(0).limits())
        .containsExactly(
            new Counted("7000/s", "token_bucket", "", 7000, 7000),
            new Counted("300 in flight", "concurrency", "", 300, 300));
    assertThat(explanation.quotas().get(4))
        .isEqualTo(
            new Asked(
                5,
                "api",
                "POST /order/pay",
                "limited",
                List.of(new Counted("60/min", "fixed_window", "not staggered", 60, 60)),
                "loose",
                "enforced",
                "api.overrides.POST /order/pay",
                21,
                7,
                Optional.empty()));
  }

  @Test
  void a_blocked_caller_is_always_refused() {
    Explanation explanation = explain(Request.of("banned", "u", "GET", "/order/x/y"));
    assertThat(explanation.text()).contains("caller  banned").contains("blocked");
    assertThat(explanation.notes())
        .contains(
            "Always refused: `caller.overrides.banned` is blocked, which is told before any limit is asked, and nothing is charged.");
  }

  @Test
  void an_unlimited_api_stands_in_the_table() {
    Explanation explanation = explain(Request.of("app-b", "u", "GET", "/internal/x"));
    assertThat(explanation.quotas().get(4).allowance()).isEqualTo("unlimited");
    assertThat(explanation.quotas().get(4).limits()).isEmpty();
  }

  @Test
  void paths_without_a_name_say_so() {
    Explanation explanation = explain(Request.of("app-b", "u", "GET", "/order/x/y"));
    assertThat(explanation.api()).isEqualTo("/order/**");
    assertThat(explanation.quotas()).extracting(Asked::subject).contains("/order/**|app-b");
    assertThat(explanation.notes())
        .contains(
            "No line of `api` names this path: all such paths of this route are one api for each caller.");
  }

  @Test
  void a_path_without_a_route_is_not_found() {
    Explanation explanation = explain(Request.of("a", "u", "GET", "/none"));
    assertThat(explanation.route()).isNull();
    assertThat(explanation.quotas()).isEmpty();
    assertThat(explanation.notes())
        .containsExactly("No route takes this path: it is a 404, and nothing is charged.");
  }

  @Test
  void requests_without_a_name_say_what_they_count_as() {
    assertThat(explain(Request.of("", "", "HEAD", "//order/7/")).notes())
        .containsExactly(
            "The path was sent as `//order/7/`; every spelling of it has the same quotas.",
            "HEAD counts as GET.",
            "The api's `per_user` stands in place of the user layer's quota.",
            "The request has no caller: it counts as the caller `anonymous`.",
            "The request has no user: it has the quota `user.anonymous`.");
    assertThat(explain(Request.of("a", "0", "POST", "/internal/x")).notes())
        .contains(
            "The user id `0` counts as none (`user.anonymous.ids`): it has the quota `user.anonymous`.");
    assertThat(
            explain("quotas: { user: { default: 1/s } }", Request.of("a", "", "GET", "/")).notes())
        .contains(
            "The request has no user: without a quota `user.anonymous`, each address counts as a user.");
    assertThat(explain(Request.of("a", "dev", "GET", "/internal/x").unproven()).notes())
        .contains(
            "The client makes up this user id: besides its own quota it meets the pool of all such ids of the caller.");
  }

  @Test
  void an_unknown_plan_says_that_it_counts_as_none() {
    assertThat(explain(Request.of("a", "u", "GET", "/internal/x").withPlan("gold")).notes())
        .contains("No line names the plan `gold`: it counts as none.");
    assertThat(explain(Request.of("a", "u", "GET", "/internal/x").withPlan("vip")).text())
        .contains("plan    vip")
        .contains("user.plans.vip")
        .doesNotContain("counts as none");
  }

  @Test
  void a_cost_that_can_never_be_granted_says_so() {
    assertThat(explain(Request.of("app-b", "u", "POST", "/internal/bulk")).notes())
        .contains(
            "Always refused: it costs 6000, and `5000/min` of `caller.default` never grants more than 5000 at once.");
    assertThat(explain(Request.of("app-b", "u", "GET", "/internal/x").withCost(0)).notes())
        .contains("A cost of 0 is decided as a cost of 1 would be, and charges nothing.");
  }

  @Test
  void a_request_that_nothing_limits_says_so() {
    assertThat(
            explain("quotas: { api: { names: [/a] } }", Request.of("a", "u", "GET", "/a")).notes())
        .containsExactly("Nothing limits this request.");
  }

  @Test
  void a_path_that_could_be_read_in_two_ways_has_no_explanation() {
    assertThatThrownBy(() -> explain(Request.of("a", "u", "GET", "/order/%2e%2e/x")))
        .isInstanceOf(BadPathException.class);
  }
}
