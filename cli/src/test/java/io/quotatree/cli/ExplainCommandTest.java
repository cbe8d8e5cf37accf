package io.quotatree.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {

  @TempDir private Path folder;
  private String file = "";

  @BeforeEach
  void writeQuotas() throws IOException {
    file =
        Files.writeString(
                folder.resolve("q.yaml"),
                """
                server: { node_id: gw-1 }
                quotas:
                  node: { limit: 1000/s, instance: { limit: 300/s }, instances: { gw-2: { limit: 500/s } } }
                  caller: { default: 100/s, overrides: { app-b: blocked } }
                  user:
                    default: 10/s
                    plans: { vip: 20/s }
                    anonymous: { limit: 5/s, by: ip }
                  api:
                    default: 50/s
                    overrides: { POST /order/pay: { limit: 6/s, cost: 2, priority: true } }
                """)
            .toString();
  }

  @Test
  void the_quotas_are_told_in_the_order_in_which_they_are_asked() {
    Ran ran = explain("--caller", "app-a", "--user", "u1", "POST", "/order/pay?x=1");
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .containsSubsequence(
            "POST /order/pay",
            "node@gw-1",
            "300/s",
            "1000/s",
            "app-a",
            "100/s",
            "6/s",
            "app-a/u1",
            "10/s")
        .contains(file + ":3:");
  }

  @Test
  void each_option_is_part_of_the_request() {
    assertThat(explain("--caller", "app-a", "--user", "u1", "--plan", "vip", "GET", "/x").out())
        .contains("20/s");
    assertThat(explain("--caller", "app-a", "--ip", "203.0.113.7", "GET", "/x").out())
        .contains("app-a/ip:203.0.113.7", "5/s");
    assertThat(explain("--caller", "app-a", "--user", "d1", "--unproven", "GET", "/x").out())
        .contains("app-a/d1", "app-a/anonymous");
    assertThat(explain("--node-id", "gw-2", "GET", "/x").out()).contains("node@gw-2", "500/s");
    assertThat(explain("--caller", "app-b", "get", "/x").out()).contains("GET /x", "blocked");
  }

  @Test
  void json_tells_the_same() throws IOException {
    Ran ran = explain("--caller", "app-a", "--user", "u1", "--json", "POST", "/order/pay");
    assertThat(ran.code()).isZero();
    try (JsonParser parser = new JsonFactory().createParser(ran.out())) {
      while (parser.nextToken() != null) {
        // reading to the end proves that it is JSON
      }
    }
    assertThat(ran.out().replaceAll("\\s", ""))
        .contains(
            "\"cost\":2",
            "\"route\":null",
            "{\"turn\":1,\"layer\":\"node\",\"subject\":\"node@gw-1\",\"allowance\":\"limited\"",
            "\"limit\":\"6/s\"");
  }

  @Test
  void a_path_that_nobody_can_match_is_exit_2() {
    Ran ran = explain("GET", "/a%2Fb");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .startsWith("quotatree explain: `/a%2Fb` gets the answer 400 and meets no quota: ");
  }

  @Test
  void a_file_with_errors_is_exit_1() throws IOException {
    Files.writeString(folder.resolve("q.yaml"), "quotas: { calller: 1 }\n");
    assertThat(explain("GET", "/x"))
        .isEqualTo(new Ran(1, "", file + ":1:11: unknown key `calller`; write `caller`\n"));
  }

  @Test
  void a_file_that_is_missing_is_exit_2() throws IOException {
    Files.delete(folder.resolve("q.yaml"));
    assertThat(explain("GET", "/x"))
        .isEqualTo(new Ran(2, "", "quotatree explain: " + file + ": no such file\n"));
  }

  private Ran explain(String... args) {
    String[] all = new String[args.length + 2];
    all[0] = "explain";
    all[1] = file;
    System.arraycopy(args, 0, all, 2, args.length);
    return Ran.quotatree(all);
  }
}
