package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.gateway.server.ListenException;
import io.quotatree.gateway.server.TlsException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Overrides of one gateway, in a file. */
final class OverridesTest extends OverridesOverHttp {

  @Test
  void an_override_holds_for_the_very_next_request_and_keeps_what_was_used()
      throws ListenException, TlsException {
    FileGateway gateway = alone();
    assertThat(ask(gateway, "app-a", 4)).containsExactly(200, 200, 200, 429);
    HttpResponse<String> set = put(gateway, caller("app-a", "5/365day", "2h"));
    assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
    assertThat(ask(gateway, "app-a", 3)).containsExactly(200, 200, 429);
    assertThat(ask(gateway, "app-b", 4)).containsExactly(200, 200, 200, 429);
    JsonObject usage =
        shown(gateway, "usage?layer=caller&subject=app-a").getJsonArray("limits").getJsonObject(0);
    assertThat(usage.getString("limit")).isEqualTo("5/365day");
    assertThat(usage.getString("algorithm")).isEqualTo("fixed_window");
    assertThat(usage.getLong("used")).isEqualTo(5);
    assertThat(usage.getString("written_at")).isEqualTo("override of caller app-a");
    assertThat(usage.getString("until"))
        .isEqualTo(shown(gateway, "overrides/caller/app-a").getString("until"));
    HttpResponse<String> ended = send(admin(gateway, "overrides/caller/app-a").DELETE());
    assertThat(ended.statusCode()).isEqualTo(200);
    assertThat(ask(gateway, "app-a")).isEqualTo(429);
    assertThat(subjects(gateway)).isEmpty();
  }

  @Test
  void an_override_ends_by_itself() throws ListenException, TlsException {
    FileGateway gateway = alone();
    assertThat(put(gateway, caller("app-a", "blocked", "1s")).statusCode()).isEqualTo(200);
    eventually("it has ended", () -> ask(gateway, "app-a") == 200);
    assertThat(subjects(gateway)).isEmpty();
  }

  @Test
  void overrides_survive_a_restart_and_a_reload() throws ListenException, TlsException {
    FileGateway first = alone();
    put(
        first,
        "[" + caller("app-a", "1/365day", "2h") + "," + caller("app-b", "blocked", "1s") + "]");
    eventually("the short one has ended", () -> ask(first, "app-b") == 200);
    end(first);
    FileGateway second = alone();
    assertThat(ask(second, "app-a", 2)).containsExactly(200, 429);
    assertThat(ask(second, "app-b")).isEqualTo(200);
    assertThat(subjects(second)).containsExactly("app-a");
    second.use(file("", "{ caller: { default: { limit: 100/365day, algorithm: fixed_window } } }"));
    assertThat(ask(second, "app-a")).isEqualTo(429);
    assertThat(ask(second, "app-c", 5)).containsOnly(200);
  }

  @Test
  void an_override_that_the_file_has_no_place_for_waits_for_one_that_has()
      throws ListenException, TlsException {
    FileGateway gateway = alone();
    String api = "{\"layer\":\"api\",\"subject\":\"GET /a\",\"quota\":\"blocked\",\"for\":\"2h\"}";
    assertThat(put(gateway, api).statusCode()).isEqualTo(200);
    assertThat(ask(gateway, "app-a")).isEqualTo(429);
    gateway.use(file("", "{ caller: { default: 100/365day } }"));
    assertThat(ask(gateway, "app-a")).isEqualTo(200);
    JsonObject shown = shown(gateway, "overrides/api/GET%20%2Fa");
    assertThat(shown.getBoolean("in_force")).isFalse();
    assertThat(shown.getString("why_not")).contains("the file names no such api");
    gateway.use(file("", QUOTAS));
    assertThat(ask(gateway, "app-a")).isEqualTo(429);
  }

  @Test
  void a_broken_file_is_told_and_never_written_over()
      throws IOException, ListenException, TlsException {
    FileGateway first = alone();
    put(first, caller("app-a", "1/365day", "2h"));
    end(first);
    Path kept = folder.resolve("data").resolve("overrides");
    String whole = Files.readString(kept);
    String half = whole.substring(0, whole.length() / 2);
    Files.writeString(kept, half);
    FileGateway second = alone();
    assertThat(ask(second, "app-a", 3)).containsOnly(200);
    HttpResponse<String> refused = put(second, caller("app-b", "1/365day", "2h"));
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.body()).contains(kept.toString(), "mend it, or move it away");
    assertThat(shown(second, "overrides").getString("problem")).contains(kept.toString());
    assertThat(Files.readString(kept)).isEqualTo(half);
    Files.writeString(kept, whole);
    eventually("it is read again", () -> ask(second, "app-a") == 429);
  }

  @Test
  void names_with_any_characters_are_found_by_their_path() throws ListenException, TlsException {
    FileGateway gateway = alone();
    String subject = "a%2Fb%20c%25%3Ad%E4%BD%A0";
    assertThat(put(gateway, caller(subject, "blocked", "2h")).statusCode()).isEqualTo(200);
    assertThat(ask(gateway, "a/b c%:d")).isEqualTo(200);
    put(gateway, caller("a%2Fb%20c%25%3Ad", "blocked", "2h"));
    assertThat(ask(gateway, "a/b c%:d")).isEqualTo(429);
    String path = "overrides/caller/" + subject.replace("%", "%25");
    assertThat(shown(gateway, path).getString("subject")).isEqualTo(subject);
    assertThat(send(admin(gateway, "overrides/caller/a%252Fb").DELETE()).statusCode())
        .isEqualTo(404);
    assertThat(send(admin(gateway, path).DELETE()).statusCode()).isEqualTo(200);
    String user = "{\"layer\":\"user\",\"subject\":\"app-a/u 1\",\"quota\":\"5/s\",\"for\":\"2h\"}";
    assertThat(put(gateway, user).statusCode()).isEqualTo(200);
    for (String spelled : List.of("app-a/u%201", "app-a%2Fu%201", "app-a/u%25201")) {
      assertThat(shown(gateway, "overrides/user/" + spelled).getString("subject"))
          .isEqualTo("app-a/u%201");
    }
    for (String bad : List.of("caller/%ff", "caller/a*", "caller/a%2Fb", "callers/a")) {
      assertThat(send(admin(gateway, "overrides/" + bad)).statusCode()).as(bad).isEqualTo(400);
    }
  }

  @Test
  void where_a_limit_is_shown_the_override_is_told_with_its_end()
      throws ListenException, TlsException {
    FileGateway gateway = alone();
    put(gateway, caller("app-a", "7/365day", "2h"));
    String until = shown(gateway, "overrides/caller/app-a").getString("until");
    JsonObject quota =
        shown(gateway, "quotas").getJsonArray("quotas").stream()
            .map(JsonObject.class::cast)
            .filter(one -> one.getString("place").equals("caller.overrides.app-a"))
            .findFirst()
            .orElseThrow();
    assertThat(quota.getString("written_at")).isEqualTo("override of caller app-a");
    assertThat(quota.getString("until")).isEqualTo(until);
    HttpResponse<String> explained =
        send(
            admin(gateway, "explain")
                .header("Content-Type", "application/json")
                .POST(
                    BodyPublishers.ofString(
                        "{\"caller\":\"app-a\",\"method\":\"GET\",\"path\":\"/a\"}")));
    JsonObject asked = new JsonObject(explained.body()).getJsonArray("quotas").getJsonObject(0);
    assertThat(asked.getString("place")).isEqualTo("override of caller app-a");
    assertThat(asked.getString("until")).isEqualTo(until);
  }

  @Test
  void of_a_list_with_a_mistake_nothing_is_set() throws ListenException, TlsException {
    FileGateway gateway = alone();
    HttpResponse<String> answer =
        put(
            gateway,
            "[" + caller("app-a", "1/s", "2h") + ",\n" + caller("app-b", "1/sec", "2h") + "]");
    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(new JsonObject(answer.body()).getJsonArray("errors"))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("overrides:2:")
        .contains("`sec`");
    assertThat(put(gateway, "layer: caller").statusCode()).isEqualTo(400);
    assertThat(put(gateway, "[" + " ".repeat(600_000) + "]").statusCode()).isEqualTo(413);
    assertThat(
            send(putting(gateway, caller("a", "1/s", "1h")).header("If-Match", "3")).statusCode())
        .isEqualTo(400);
    assertThat(subjects(gateway)).isEmpty();
    assertThat(folder.resolve("data")).doesNotExist();
  }
}
