package io.quotatree.testkit;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.policy.UserLines.Anonymous;
import io.quotatree.core.policy.UserLines.By;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whose counter a request is counted on: nobody's is another's. */
interface IdentityContract extends LedgerUnderTest {

  /** Ten for each user, five for those without identity. */
  static QuotaTree users(By by) {
    Anonymous anonymous = new Anonymous(Set.of("", "0"), Quota.of(fixedWindow("5/h")), by);
    return QuotaTree.empty()
        .withUser(
            new UserLines(
                Quota.of(fixedWindow("10/h")), Quota.of(fixedWindow("3/h")), Map.of(), anonymous));
  }

  /** A request of a caller and a user. */
  static Request by(String caller, String user) {
    return Request.of(caller, user, "GET", "/x");
  }

  @Test
  default void B46_no_two_pairs_of_caller_and_user_share_a_counter() {
    List<Request> pairs =
        List.of(
            by("a:b", "c"),
            by("a", "b:c"),
            by("a", "b/c"),
            by("a/b", "c"),
            by("a", "ab"),
            by("aa", "b"),
            by("a", ""),
            by("", "a"),
            by("{x}", "u"),
            by("x", "u"),
            by("a", "192.0.2.1"),
            by("a", "").withAddress("192.0.2.1"),
            by("a", "ip:192.0.2.1"),
            by("a", "u v"),
            by("a", "u\nv"),
            by("a", "u\0v"),
            by("a", "u*v"),
            by("a", "u%20v"),
            by("a", "\u00e9"),
            by("a", "e\u0301"),
            by("a", "\uD83D\uDE00"),
            by("a", "\uD83D\uDE01"),
            by("a", "anonymous"),
            by("a", "u!writes"),
            by("a!retries", "u"),
            by("A", "c"));
    Stage stage = stage(tree(user(fixedWindow("2/min"))));
    for (Request pair : pairs) {
      assertThat(stage.allowed(pair, 5)).as(pair.caller() + " and " + pair.user()).isEqualTo(2);
    }
    Stage callers = stage(tree(caller(fixedWindow("2/min"))));
    for (String name : List.of("a", "b", "a:b", "{a}", "a\0", "a ", "\u00e9", "e\u0301", "A")) {
      assertThat(callers.allowed(by(name, "u"), 5)).as(name).isEqualTo(2);
    }
  }

  @Test
  default void subjects_write_foreign_bytes_in_hexadecimal() {
    Stage stage = stage(tree(user(fixedWindow("2/min"))));
    assertThat(stage.told(by("a:b", "c/\u00e9")).subject()).isEqualTo("a%3Ab/c%2F%C3%A9");
    assertThat(stage.told(by("", "u")).subject()).isEqualTo("anonymous/u");
    assertThat(stage.told(by("a", "anonymous")).subject()).isEqualTo("a/%61nonymous");
  }

  @Test
  default void users_without_identity_share_a_pool() {
    Stage stage = stage(users(By.POOL));
    assertThat(stage.allowed(by("a", "0"), 3)).isEqualTo(3);
    assertThat(stage.allowed(by("a", ""), 9)).isEqualTo(2);
    assertThat(stage.told(by("a", "")).subject()).isEqualTo("a/anonymous");
    assertThat(stage.allowed(by("b", ""), 9)).isEqualTo(5);
    assertThat(stage.allowed(by("a", "anonymous"), 20)).isEqualTo(10);
  }

  @Test
  default void addresses_of_one_network_of_version_six_are_one() {
    Stage stage = stage(users(By.IP));
    int allowed = 0;
    for (int i = 1; i <= 20; i++) {
      allowed += stage.allowed(by("a", "").withAddress("2001:db8:1:2::" + i), 1);
    }
    assertThat(allowed).isEqualTo(5);
    assertThat(stage.told(by("a", "").withAddress("2001:DB8:1:2:0:0:0:1")).subject())
        .isEqualTo("a/ip:2001:db8:1:2::/64");
    assertThat(stage.allowed(by("a", "").withAddress("2001:db8:1:3::1"), 9)).isEqualTo(5);
  }

  @Test
  default void an_address_of_version_four_is_one_in_whatever_clothing() {
    Stage stage = stage(users(By.IP));
    int allowed = 0;
    for (String address : List.of("::ffff:192.0.2.1", "::ffff:c000:201", "192.0.2.1")) {
      allowed += stage.allowed(by("a", "").withAddress(address), 2);
    }
    assertThat(allowed).isEqualTo(5);
    assertThat(stage.allowed(by("a", "").withAddress("::ffff:192.0.2.2"), 9)).isEqualTo(5);
    assertThat(stage.told(by("a", "").withAddress("fe80::1%eth0")).subject())
        .isEqualTo("a/ip:fe80::/64");
  }

  @Test
  default void networks_and_sessions_are_counted_where_said() {
    Stage networks = stage(users(By.NETWORK));
    assertThat(networks.allowed(by("a", "").withAddress("192.0.2.1"), 3)).isEqualTo(3);
    assertThat(networks.allowed(by("a", "").withAddress("192.0.2.200"), 9)).isEqualTo(2);
    Stage sessions = stage(users(By.SESSION));
    assertThat(sessions.allowed(by("a", "").withSession("s1"), 9)).isEqualTo(5);
    assertThat(sessions.allowed(by("a", "").withSession("s2"), 9)).isEqualTo(5);
  }

  @Test
  default void without_a_quota_for_them_each_address_has_that_of_a_user() {
    Stage stage = stage(tree(user(fixedWindow("10/h"))));
    assertThat(stage.allowed(by("a", "0").withAddress("192.0.2.1"), 20)).isEqualTo(10);
    assertThat(stage.allowed(by("a", "").withAddress("192.0.2.2"), 20)).isEqualTo(10);
    assertThat(stage.told(by("a", "")).subject()).isEqualTo("a/ip:-");
  }

  @Test
  default void whoever_makes_up_ids_wins_nothing() {
    for (By by : By.values()) {
      Stage stage = stage(users(by));
      int allowed = 0;
      for (int i = 0; i < 20; i++) {
        allowed += stage.allowed(by("a", "made-up-" + i).unproven(), 1);
      }
      assertThat(allowed).as(by.name()).isEqualTo(5);
      assertThat(stage.told(by("a", "made-up-99").unproven()).subject()).isEqualTo("a/anonymous");
      assertThat(stage.allowed(by("a", "proven"), 20)).isEqualTo(10);
      assertThat(stage.allowed(by("a", ""), 9)).isEqualTo(by == By.POOL ? 0 : 5);
    }
  }

  @Test
  default void writes_have_a_quota_besides() {
    Stage stage = stage(users(By.POOL));
    assertThat(stage.allowed(Request.of("a", "u", "POST", "/x"), 9)).isEqualTo(3);
    assertThat(stage.told(Request.of("a", "u", "DELETE", "/x")).subject()).isEqualTo("a/u!writes");
    assertThat(stage.allowed(Request.of("a", "u", "HEAD", "/x"), 20)).isEqualTo(7);
  }

  @Test
  default void a_million_made_up_paths_of_one_caller_are_one_counter_and_nobody_elses() {
    QuotaTree tree =
        QuotaTree.empty()
            .withApi(
                new ApiLines(ApiRule.of(Quota.of(fixedWindow("300/min"))), List.of(), List.of()));
    Stage stage = stage(tree);
    int allowed = 0;
    for (int i = 0; i < many(20_000); i++) {
      allowed += stage.allowed(Request.of("walker", "u", "GET", "/made/up/" + i), 1);
    }
    assertThat(allowed).isEqualTo(300);
    assertThat(stage.told(Request.of("walker", "u", "GET", "/p")).subject())
        .isEqualTo("/**|walker");
    assertThat(stage.allowed(Request.of("other", "u", "GET", "/p"), 301)).isEqualTo(300);
  }
}
