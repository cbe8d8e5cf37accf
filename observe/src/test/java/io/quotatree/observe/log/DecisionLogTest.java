package io.quotatree.observe.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.time.ManualTicker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DecisionLogTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:07.25Z");
  private static final long MICROS = NOW.toEpochMilli() * 1000;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  private final ManualTicker ticker = new ManualTicker(NOW);
  private final DecisionLog log = new DecisionLog("gateway-01");
  private final Decision decision = new Decision();

  @AfterEach
  void close() {
    log.close();
  }

  private Path file() {
    return folder.resolve("decisions.jsonl");
  }

  private void use(int allowedPerMillion, LogSettings.Users users) {
    try {
      log.use(Optional.of(new LogSettings(Optional.of(file()), allowedPerMillion, users)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Quota aMinute(long permits) {
    return Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(permits, 60_000_000)));
  }

  private static QuotaTree users(Quota quota) {
    return QuotaTree.empty()
        .withUser(new UserLines(quota, null, Map.of(), UserLines.Anonymous.NONE));
  }

  private static QuotaTree callers(Quota quota) {
    return QuotaTree.empty().withCaller(new CallerLines(quota, List.of()));
  }

  private Limiter limiter(QuotaTree tree) {
    return new Limiter(Policy.compile(tree, "gateway-01"), new MemoryLedger(), ticker);
  }

  private void decide(Limiter limiter, Request request, String path, int status) {
    limiter.decide(request, decision);
    if (log.wants(decision)) {
      log.lineOf(decision, new LogLine.Seen(path, "r-1", MICROS)).answered(status);
    }
    limiter.release(decision);
  }

  private static void eventually(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(20)) {
        throw new AssertionError("never came true");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  private List<String> lines() {
    log.close();
    return lines(file());
  }

  private static List<String> lines(Path path) {
    try {
      return Files.readAllLines(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new AssertionError(line, e);
    }
  }

  @Test
  void a_refusal_is_a_line_with_every_field() {
    use(0, LogSettings.Users.NAMED);
    QuotaTree tree =
        users(aMinute(1))
            .withApi(
                new ApiLines(
                    ApiRule.NONE,
                    List.of(new ApiLines.ApiLine("POST /order/pay", ApiRule.of(aMinute(1)))),
                    List.of()));
    Limiter limiter = limiter(tree);
    Request request = Request.of("app-a", "u1", "POST", "/order/pay");
    decide(limiter, request, "POST /order/pay", 200);
    decide(limiter, request, "POST /order/pay", 429);
    assertThat(lines())
        .containsExactly(
            "{\"ts\":\"2026-01-01T00:00:07.250Z\",\"node_id\":\"gateway-01\","
                + "\"outcome\":\"refused\",\"final_hit_layer\":\"user\","
                + "\"hit_layers\":[\"user\",\"api\"],\"caller_id\":\"app-a\",\"user_id\":\"u1\","
                + "\"api_path\":\"POST /order/pay\",\"limit_value\":1,\"current_value\":1,"
                + "\"limit\":\"1/min\",\"algorithm\":\"token_bucket\",\"cost\":1,"
                + "\"retry_after_ms\":60000,\"sure\":\"exact\",\"status\":429,"
                + "\"request_id\":\"r-1\"}");
  }

  @Test
  void what_can_never_be_granted_has_no_time_to_come_back() {
    use(0, LogSettings.Users.NAMED);
    decide(
        limiter(callers(Quota.of(Allowance.BLOCKED))), Request.of("a", "", "GET", "/"), "/", 429);
    JsonNode line = json(lines().get(0));
    assertThat(line.get("retry_after_ms").isNull()).isTrue();
    assertThat(line.get("limit_value").longValue()).isZero();
    assertThat(line.get("limit").textValue()).isEqualTo("blocked");
  }

  @Test
  void what_a_shadow_would_have_refused_is_a_line_whatever_the_share() {
    use(0, LogSettings.Users.NAMED);
    Limiter limiter = limiter(callers(aMinute(1).withEnforcement(Enforcement.SHADOW)));
    decide(limiter, Request.of("a", "u", "GET", "/"), "GET /", 200);
    decide(limiter, Request.of("a", "u", "GET", "/"), "GET /", 204);
    List<String> lines = lines();
    assertThat(lines).hasSize(1);
    JsonNode line = json(lines.get(0));
    assertThat(line.get("outcome").textValue()).isEqualTo("would_refuse");
    assertThat(line.get("final_hit_layer").textValue()).isEqualTo("caller");
    assertThat(line.get("hit_layers")).hasSize(1);
    assertThat(line.get("status").intValue()).isEqualTo(204);
    assertThat(line.get("retry_after_ms").longValue()).isEqualTo(60_000);
  }

  @Test
  void an_allowed_request_is_a_line_in_as_many_of_a_million_as_asked_for() {
    use(500_000, LogSettings.Users.NAMED);
    Limiter limiter = limiter(callers(aMinute(1_000_000)));
    for (int i = 0; i < 2_000; i++) {
      decide(limiter, Request.of("a", "u", "GET", "/"), "GET /", 200);
    }
    List<String> lines = lines();
    // Ten standard deviations: this fails by chance once in a universe.
    assertThat(lines.size()).isBetween(776, 1_224);
    JsonNode line = json(lines.get(0));
    assertThat(line.get("outcome").textValue()).isEqualTo("allowed");
    assertThat(line.get("final_hit_layer").isNull()).isTrue();
    assertThat(line.get("hit_layers")).isEmpty();
    assertThat(line.get("retry_after_ms").isNull()).isTrue();
    assertThat(line.get("limit_value").longValue()).isEqualTo(1_000_000);
  }

  @Test
  void an_allowed_request_without_any_limit_has_a_line_without_one() {
    use(1_000_000, LogSettings.Users.NAMED);
    decide(limiter(QuotaTree.empty()), Request.of("a", "u", "GET", "/"), "GET /", 200);
    JsonNode line = json(lines().get(0));
    for (String name : List.of("limit_value", "current_value", "limit", "algorithm")) {
      assertThat(line.get(name).isNull()).as(name).isTrue();
    }
  }

  @Test
  void a_path_that_no_line_names_is_told_as_it_is_and_cut_where_it_is_long() {
    use(0, LogSettings.Users.NAMED);
    Limiter limiter = limiter(callers(Quota.of(Allowance.BLOCKED)));
    decide(limiter, Request.of("a", "u", "GET", "/made/up"), "GET /made/up", 429);
    decide(limiter, Request.of("a", "u", "GET", "/x"), "GET /" + "x".repeat(5_000), 429);
    List<String> lines = lines();
    assertThat(json(lines.get(0)).get("api_path").textValue()).isEqualTo("GET /made/up");
    assertThat(json(lines.get(1)).get("api_path").textValue()).hasSize(512).endsWith("x…");
  }

  @Test
  void nothing_in_a_request_can_end_its_line_or_begin_another() {
    use(0, LogSettings.Users.NAMED);
    String evil = "a\"}\n{\"outcome\":\"allowed\"}\r\u2028\u0000\u001b[31m\ud800";
    limiter(users(Quota.of(Allowance.BLOCKED)))
        .decide(Request.of(evil, evil, "GET", "/x"), decision);
    LogLine line = log.lineOf(decision, new LogLine.Seen("GET /" + evil, evil, MICROS));
    line.answered(429);
    List<String> lines = lines();
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).doesNotContain("\u001b").doesNotContain("\u0000");
    assertThat(json(lines.get(0)).get("outcome").textValue()).isEqualTo("refused");
    assertThat(json(lines.get(0)).get("request_id").textValue()).startsWith("a\"}\n{");
  }

  @Test
  void without_user_ids_neither_ids_nor_addresses_nor_paths_are_told() {
    use(0, LogSettings.Users.HASHED);
    Limiter limiter = limiter(users(Quota.of(Allowance.BLOCKED)));
    decide(limiter, Request.of("a", "ann", "GET", "/user/ann"), "GET /user/ann", 429);
    decide(limiter, Request.of("a", "ann", "GET", "/user/ann"), "GET /user/ann", 429);
    decide(limiter, Request.of("b", "ann", "GET", "/user/ann"), "GET /user/ann", 429);
    decide(
        limiter,
        Request.of("a", "", "GET", "/user/ann").withAddress("192.0.2.7"),
        "GET /user/ann",
        429);
    List<String> lines = lines();
    assertThat(String.join("", lines)).doesNotContain("ann").doesNotContain("192.0.2.7");
    List<String> users = lines.stream().map(line -> json(line).get("user_id").textValue()).toList();
    assertThat(users.get(0)).matches("hash:[0-9a-f]{32}").isEqualTo(users.get(1));
    assertThat(users.get(2)).matches("hash:[0-9a-f]{32}").isNotEqualTo(users.get(0));
    assertThat(users.get(3)).matches("ip:[0-9a-f]{32}");
    assertThat(json(lines.get(0)).get("api_path").textValue()).isEqualTo("/**");
  }

  @Test
  void another_run_gives_other_hashes_and_the_pool_is_nobody() {
    UserHash hash = new UserHash();
    assertThat(hash.of("a", "ann")).isNotEqualTo(new UserHash().of("a", "ann"));
    assertThat(hash.of("a", "anonymous")).isEqualTo("anonymous");
    assertThat(hash.of("a", "%61nonymous")).startsWith("hash:");
    assertThat(hash.of("a", "sid:0123456789abcdef")).matches("sid:[0-9a-f]{32}");
    assertThat(hash.of("a", "ip%3A192.0.2.7")).startsWith("hash:");
  }

  @Test
  void a_second_answer_writes_no_second_line() {
    use(0, LogSettings.Users.NAMED);
    limiter(callers(Quota.of(Allowance.BLOCKED))).decide(Request.of("a", "", "GET", "/"), decision);
    LogLine line = log.lineOf(decision, new LogLine.Seen("GET /", "r", MICROS));
    line.answered(429);
    line.answered(502);
    assertThat(lines()).hasSize(1);
  }

  @Test
  void a_file_that_is_moved_away_is_followed_by_a_new_one() throws IOException {
    use(0, LogSettings.Users.NAMED);
    Limiter limiter = limiter(callers(Quota.of(Allowance.BLOCKED)));
    Request request = Request.of("a", "u", "GET", "/");
    decide(limiter, request, "GET /", 429);
    eventually(() -> log.written() == 1);
    Files.move(file(), folder.resolve("rotated"));
    log.reopen();
    eventually(() -> Files.exists(file()));
    decide(limiter, request, "GET /", 429);
    assertThat(lines()).hasSize(1);
    assertThat(lines(folder.resolve("rotated"))).hasSize(1);
  }

  @Test
  void a_file_that_is_moved_away_is_noticed_without_being_told() throws IOException {
    use(0, LogSettings.Users.NAMED);
    Limiter limiter = limiter(callers(Quota.of(Allowance.BLOCKED)));
    decide(limiter, Request.of("a", "u", "GET", "/"), "GET /", 429);
    eventually(() -> log.written() == 1);
    Files.move(file(), folder.resolve("rotated"), StandardCopyOption.ATOMIC_MOVE);
    eventually(() -> Files.exists(file()));
    decide(limiter, Request.of("a", "u", "GET", "/"), "GET /", 429);
    assertThat(lines()).hasSize(1);
  }

  @Test
  void a_file_that_cannot_be_opened_leaves_what_was_in_force() throws IOException {
    use(0, LogSettings.Users.NAMED);
    Path nowhere = folder.resolve("no/such/folder/decisions.jsonl");
    assertThatThrownBy(
            () ->
                log.use(
                    Optional.of(new LogSettings(Optional.of(nowhere), 0, LogSettings.Users.NAMED))))
        .isInstanceOf(IOException.class);
    decide(
        limiter(callers(Quota.of(Allowance.BLOCKED))), Request.of("a", "", "GET", "/"), "/", 429);
    assertThat(lines()).hasSize(1);
  }

  @Test
  void another_file_is_written_from_then_on_and_none_where_there_is_no_log() throws IOException {
    use(0, LogSettings.Users.NAMED);
    Limiter limiter = limiter(callers(Quota.of(Allowance.BLOCKED)));
    decide(limiter, Request.of("a", "", "GET", "/"), "/", 429);
    eventually(() -> log.written() == 1);
    Path other = folder.resolve("other.jsonl");
    log.use(Optional.of(new LogSettings(Optional.of(other), 0, LogSettings.Users.NAMED)));
    decide(limiter, Request.of("a", "", "GET", "/"), "/", 429);
    eventually(() -> log.written() == 2);
    log.use(Optional.empty());
    decide(limiter, Request.of("a", "", "GET", "/"), "/", 429);
    assertThat(lines()).hasSize(1);
    assertThat(lines(other)).hasSize(1);
  }

  @Test
  void what_comes_faster_than_it_is_written_is_counted_and_no_line_is_half() {
    use(0, LogSettings.Users.NAMED);
    Limiter limiter = limiter(callers(Quota.of(Allowance.BLOCKED)));
    int many = 100_000;
    for (int i = 0; i < many; i++) {
      decide(limiter, Request.of("a", "u" + i, "GET", "/"), "GET /", 429);
    }
    List<String> lines = lines();
    assertThat(lines.size() + log.dropped()).isEqualTo(many);
    assertThat((long) lines.size()).isEqualTo(log.written());
    Set<String> users = new HashSet<>();
    lines.forEach(line -> users.add(json(line).get("user_id").textValue()));
    assertThat(users).hasSize(lines.size());
  }

  @Test
  void after_its_end_lines_are_dropped_and_counted() {
    use(0, LogSettings.Users.NAMED);
    log.close();
    decide(
        limiter(callers(Quota.of(Allowance.BLOCKED))), Request.of("a", "", "GET", "/"), "/", 429);
    assertThat(log.dropped()).isEqualTo(1);
  }

  @Test
  void what_is_not_written_down_allocates_nothing() {
    use(1, LogSettings.Users.NAMED);
    Limiter limiter = limiter(callers(aMinute(1_000_000_000)));
    limiter.decide(Request.of("a", "u", "GET", "/"), decision);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    List<Long> runs = new ArrayList<>();
    int written = 0;
    for (int run = 0; run < 5; run++) {
      long before = threads.getThreadAllocatedBytes(self);
      for (int i = 0; i < 50_000; i++) {
        written += log.wants(decision) ? 1 : 0;
      }
      runs.add(threads.getThreadAllocatedBytes(self) - before);
    }
    assertThat(written).as("of 250,000, one of a million").isLessThan(20);
    // Far under a byte a decision, lines of chance included: one has some 500.
    assertThat(runs.get(4)).isLessThan(20_000);
  }
}
