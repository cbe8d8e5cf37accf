package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DifferenceTest {

  private static Difference between(String before, String after) {
    return Difference.between(Trees.file(before), Trees.file(after));
  }

  @Test
  void lines_are_added_removed_and_changed() {
    Difference difference =
        between(
            """
            quotas:
              caller: { default: 10/s, overrides: { a: 20/s, b: 30/s } }
              api: { overrides: { GET /x: { limit: 5/s, cost: 2 } } }
            """,
            """
            quotas:
              caller: { default: 10/s, overrides: { a: { limit: 20/s, concurrency: 5 }, c: 40/s } }
              api: { overrides: { GET /x: { limit: 5/s, cost: 3, per_user: 4/s } } }
            """);
    assertThat(difference.changes())
        .containsExactly(
            "caller.overrides.a: token_bucket 20/s → token_bucket 20/s, 5 in flight",
            "caller.overrides.c: added: token_bucket 40/s",
            "api.overrides.GET /x.per_user: added: fixed_window 4/s",
            "api.overrides.GET /x.cost: 2 → 3",
            "api.overrides.GET /x.per_user.instead: added: besides",
            "caller.overrides.b: removed: token_bucket 30/s");
    assertThat(difference.restart()).isEmpty();
  }

  @Test
  void what_is_taken_over_changes_with_its_default_and_is_told_once() {
    assertThat(
            between(
                    "quotas: { api: { default: 10/s, names: [/a, /b, /c] } }",
                    "quotas: { api: { default: 20/s, names: [/a, /b, /c] } }")
                .changes())
        .containsExactly("api.default: fixed_window 10/s → fixed_window 20/s");
  }

  @Test
  void where_lines_stand_and_how_they_are_written_does_not_count() {
    assertThat(
            between(
                "quotas: { node: 10/s, caller: { default: 5/s } }",
                "# moved\nquotas:\n  caller: { default: { limit: 5/s, algorithm: token_bucket } }\n  node: [10/s]\n"))
        .isEqualTo(new Difference(List.of(), List.of()));
  }

  @Test
  void a_change_of_the_server_takes_a_restart() {
    Difference difference =
        between(
            "server: { node_id: a }\nquotas: { node: 10/s }",
            "server: { node_id: b, listen: \"0.0.0.0:80\" }\nquotas: { node: 20/s }");
    assertThat(difference.changes()).hasSize(3);
    assertThat(difference.restart()).containsExactly("server.listen", "server.node_id");
  }

  @Test
  void a_change_of_the_store_takes_a_restart() {
    Difference difference =
        between(
            "quotas: { node: 10/s }",
            "store: { redis: \"redis://a:6379\" }\nquotas: { node: 10/s }");
    assertThat(difference.changes()).contains("store: memory → redis://a:6379");
    assertThat(difference.restart())
        .containsExactly(
            "store", "store.credentials", "store.tls", "store.prefix", "store.timeout");
  }

  @Test
  void a_server_that_is_again_as_it_was_started_takes_no_restart() {
    var started = Trees.file("server: { node_id: a }\nquotas: { node: 10/s }");
    var before = Trees.file("server: { node_id: b }\nquotas: { node: 10/s }");
    Difference back = Difference.between(started, before, started);
    assertThat(back.changes()).containsExactly("server.node_id: b → a");
    assertThat(back.restart()).isEmpty();
    var other = Trees.file("server: { node_id: b }\nquotas: { node: 20/s }");
    assertThat(Difference.between(started, before, other).restart())
        .as("still to come")
        .containsExactly("server.node_id");
  }

  @Test
  void routes_upstreams_and_identity_are_compared_too() {
    String before =
        "routes: [{ match: /a, upstream: a }, { match: /b, upstream: a }]\nupstreams: { a: { targets: [\"http://h:1\"] } }\nquotas: { node: 1/s }";
    String after =
        "identity: { user: [\"cookie:u\"] }\nroutes: [{ match: /b, upstream: a }, { match: /a, upstream: a }]\nupstreams: { a: { targets: [\"http://h:1\"], timeout: 3s } }\nquotas: { node: 1/s }";
    assertThat(between(before, after).changes())
        .containsExactly(
            "identity.user: [] → [cookie:u]",
            "the order of routes: [/a, /b] → [/b, /a]",
            "upstreams.a: [http://h:1] in 60000ms → [http://h:1] in 3000ms");
  }
}
