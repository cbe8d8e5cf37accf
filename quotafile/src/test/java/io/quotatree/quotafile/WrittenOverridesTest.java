package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.overlay.Overlay.Wanted;
import io.quotatree.core.policy.overlay.OverridePlace;
import io.quotatree.core.policy.overlay.TimedOverride;
import io.quotatree.quotafile.WrittenOverrides.Read;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WrittenOverridesTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final QuotaFile file =
      Trees.file(
          """
          quotas:
            defaults: { period: min, accounting: loose }
            node: 1000/s
            caller:
              default: { limit: 100/s, burst: 7, shadow: true }
              overrides:
                app-a: { limit: 50/min, algorithm: sliding_window, slices: 30, concurrency: 5, accounting: strict, on_failure: open }
                many: { limit: [10/s, 100/min], algorithm: fixed_window, stagger: false }
                mixed: { limit: [{ limit: 10/s, algorithm: sliding_log }, 100/min] }
                shut: blocked
            api:
              overrides: { POST /pay: { limit: 60/min, cost: 5 } }
              groups: { money: { match: [POST /pay], limit: 100/min } }
          """);

  private Read read(String json) {
    return WrittenOverrides.read(json.getBytes(StandardCharsets.UTF_8), file);
  }

  private static String one(String layer, String subject, String quota) {
    return "{\"layer\":\"%s\",\"subject\":\"%s\",\"quota\":%s,\"for\":\"2h\"}"
        .formatted(layer, subject, quota);
  }

  private String words(String subject, String quota) {
    OverridePlace place = OverridePlace.of(Layer.CALLER, subject);
    return QuotaWords.of(WrittenOverrides.quota(timed(place, quota), place, file));
  }

  private static TimedOverride timed(OverridePlace place, String quota) {
    return new TimedOverride(
        place.layer(), place.subject(), quota, START, START.plusSeconds(1), "me", "");
  }

  private List<String> errors(String json) {
    return ((Read.Faulty) read(json)).errors().stream().map(String::valueOf).toList();
  }

  @Test
  void an_override_is_read_with_all_that_it_says() {
    Read read =
        read(
            "[\t{\"layer\":\"user\",\n\t\"subject\":\"app-a/u1\",\"quota\":{\"limit\":[\"10/s\",\"90/min\"],\"concurrency\":3,\"shadow\":false},"
                + "\"for\":\"90min\",\"reason\":\"\\u4f60 \\ud83d\\ude00 \\/ sale\"}]");
    assertThat(read).isInstanceOf(Read.Sound.class);
    Wanted wanted = ((Read.Sound) read).wanted().get(0);
    assertThat(wanted.place()).isEqualTo(OverridePlace.of(Layer.USER, "app-a/u1"));
    assertThat(wanted.quota())
        .isEqualTo("{\"limit\": [\"10/s\", \"90/min\"], \"concurrency\": 3, \"shadow\": false}");
    assertThat(wanted.lasting()).isEqualTo(Duration.ofMinutes(90));
    assertThat(wanted.reason()).isEqualTo("\u4f60 \ud83d\ude00 / sale");
    Quota quota =
        WrittenOverrides.quota(timed(wanted.place(), wanted.quota()), wanted.place(), file);
    assertThat(QuotaWords.of(quota))
        .isEqualTo("token_bucket 10/s, token_bucket 90/min, 3 in flight, loose");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // No line of its own: what the default says, but for its burst and shadow.
        "app-x; \"200/s\"; token_bucket 200/s, loose",
        "app-x; {\"concurrency\": 3}; token_bucket 100/s burst 7, 3 in flight, loose",
        "app-x; {\"burst\": 9}; token_bucket 100/s burst 9, loose",
        "app-x; \"20\"; token_bucket 20/min, loose",
        // A line of its own: what that says, but for its slices.
        "app-a; \"200/min\"; sliding_window 200/min, 5 in flight, on_failure open",
        "app-a; {\"algorithm\": \"token_bucket\"}; token_bucket 50/min, 5 in flight, on_failure open",
        "app-a; {\"concurrency\": 9}; sliding_window 50/min 30 slices, 9 in flight, on_failure open",
        "app-a; \"unlimited\"; unlimited, loose",
        "many; [\"20/s\", \"200/min\"]; fixed_window 20/s not staggered, fixed_window 200/min not staggered, loose",
        "mixed; {\"concurrency\": 2}; sliding_log 10/s, token_bucket 100/min, 2 in flight, loose",
        "mixed; \"5/s\"; token_bucket 5/s, loose",
        "shut; \"5/s\"; token_bucket 5/s, loose"
      })
  void what_it_does_not_say_it_takes_from_what_holds_without_it(
      String subject, String quota, String words) {
    assertThat(words(subject, quota)).isEqualTo(words);
  }

  @Test
  void what_becomes_of_it_while_the_store_fails_is_taken_over() {
    OverridePlace place = OverridePlace.of(Layer.CALLER, "app-a");
    Quota quota = WrittenOverrides.quota(timed(place, "\"1/s\""), place, file);
    assertThat(quota.onFailure()).contains(OnFailure.OPEN);
  }

  @Test
  void all_errors_are_told_at_once_each_with_its_place() {
    assertThat(
            errors(
                """
                [
                  {"layer": "caler", "subject": "app-a", "quota": "1/s", "for": "1h"},
                  {"layer": "caller", "subject": "app-a", "quota": "1/fortnight", "for": "3"},
                  {"layer": "caller", "subject": "app-*", "quota": "1/s", "for": "1h", "until": "x"},
                  {"layer": "caller", "quota": "1/s", "for": "367day"},
                  {"layer": "api", "subject": "GET /none", "quota": "1/s", "for": "0s"}
                ]
                """))
        .satisfiesExactly(
            e ->
                assertThat(e)
                    .startsWith("overrides:2:13: `caler` is not known here; write `caller`"),
            e -> assertThat(e).startsWith("overrides:3:52: ").contains("fortnight"),
            e -> assertThat(e).startsWith("overrides:3:74: `3` has no unit"),
            e -> assertThat(e).startsWith("overrides:4:34: ").contains("holds a `*`"),
            e -> assertThat(e).startsWith("overrides:4:72: unknown key `until`"),
            e -> assertThat(e).startsWith("overrides:5:3: no `subject`"),
            e -> assertThat(e).startsWith("overrides:5:46: `367day` is out of bounds"),
            e -> assertThat(e).startsWith("overrides:6:31: ").contains("names no such api"),
            e -> assertThat(e).startsWith("overrides:6:67: `0s` is out of bounds"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "caller; app-a; \"0/s\"; blocked",
        "caller; app-a; {\"limmit\": \"1/s\"}; limit",
        "caller; app-a; {\"limit\": \"1/s\", \"users\": {}}; users",
        "caller; app-a; {\"limit\": \"200k/s\", \"algorithm\": \"sliding_log\"}; 100,000 at most",
        "caller; app-a; {\"limit\": \"1/s\", \"limit\": \"2/s\"}; duplicate key",
        "caller; shut; null; nothing is written here",
        "api; POST /pay; \"4/min\"; a cost of 5 is over what",
        "api; group:money; \"4/min\"; a cost of 5 is over what"
      })
  void it_is_checked_as_the_file_is(String layer, String subject, String quota, String what) {
    assertThat(errors(one(layer, subject, quota))).hasSize(1).first().asString().contains(what);
  }

  @Test
  void a_subject_has_one_override_however_it_is_written() {
    String twice =
        "[" + one("caller", "a b", "\"1/s\"") + ",\n" + one("caller", "a%20b", "\"2/s\"") + "]";
    assertThat(errors(twice)).hasSize(1).first().asString().contains("a second time", "1:30");
    String alike =
        "["
            + one("api", "app-a|GET /a/{id}", "\"1/s\"")
            + ",\n"
            + one("api", "app-a|GET /a/{other}", "\"2/s\"")
            + "]";
    assertThat(errors(alike)).hasSize(1).first().asString().contains("a second time", "1:27");
  }

  @Test
  void what_is_odd_is_told_and_holds() {
    Read read = read(one("caller", "app-a", "\"2000/s\""));
    assertThat(((Read.Sound) read).warnings())
        .hasSize(1)
        .first()
        .asString()
        .contains("overrides:1:45: warning: `2000/s` is above the `1000/s` of `node`");
    // What is odd in the file was told with the file, and is not the override's.
    assertThat(((Read.Sound) read(one("node", "node", "\"10/s\""))).warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "caller; app-x; \"4/s\"",
        "user; app-x/u1; \"4/s\"",
        "node; node; \"4/s\"",
        "api; app-x|POST /**; \"4/s\""
      })
  void one_below_what_an_api_costs_is_told_and_holds(String layer, String subject, String quota) {
    assertThat(((Read.Sound) read(one(layer, subject, quota))).warnings())
        .singleElement()
        .asString()
        .contains("`POST /pay` costs 5, which is over what `4/s` ever grants");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "caller; app-x; \"5/s\"",
        "caller; app-x; {\"limit\": \"4/s\", \"burst\": 5}",
        "caller; app-x; {\"limit\": \"4/s\", \"algorithm\": \"leaky_bucket\"}",
        "caller; app-x; {\"limit\": \"4/s\", \"shadow\": true}",
        "api; app-x|GET /**; \"4/s\""
      })
  void one_that_grants_what_every_api_costs_is_not(String layer, String subject, String quota) {
    assertThat(((Read.Sound) read(one(layer, subject, quota))).warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"''", "7", "[]", "[7]", "{", "[[]]"})
  void a_text_that_is_no_override_is_told(String text) {
    assertThat(errors(text)).isNotEmpty();
  }

  @Test
  void a_quota_that_a_later_file_has_no_room_for_is_told() {
    OverridePlace place = OverridePlace.of(Layer.API, "POST /pay");
    QuotaFile dearer =
        Trees.file("quotas: { api: { overrides: { POST /pay: { limit: 60/min, cost: 50 } } } }");
    TimedOverride kept = timed(place, "\"30/min\"");
    assertThat(QuotaWords.of(WrittenOverrides.quota(kept, place, file)))
        .isEqualTo("fixed_window 30/min, loose");
    assertThatThrownBy(() -> WrittenOverrides.quota(kept, place, dearer))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a cost of 50");
  }
}
