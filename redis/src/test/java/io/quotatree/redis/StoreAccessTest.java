package io.quotatree.redis;

import static io.quotatree.testkit.Limits.fixedWindow;
import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.slidingLog;
import static io.quotatree.testkit.Limits.slidingWindow;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.api;
import static io.quotatree.testkit.Trees.caller;
import static io.quotatree.testkit.Trees.node;
import static io.quotatree.testkit.Trees.tree;
import static io.quotatree.testkit.Trees.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.testkit.store.RedisCluster;
import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisSentinel;
import io.quotatree.testkit.store.RedisServer;
import io.quotatree.testkit.tls.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Who may use a store, and by which way. */
class StoreAccessTest {

  /** As the guide has it: least rights of a gateway. */
  private static final List<String> RIGHTS =
      List.of(
          "~qt:*",
          "resetchannels",
          "&qt:*",
          "+@read",
          "+@write",
          "+@scripting",
          "+@connection",
          "-@dangerous",
          "+time",
          "+publish",
          "+subscribe");

  /** What a gateway needs besides to find its way in a cluster. */
  private static final List<String> RIGHTS_IN_CLUSTER =
      List.of("+cluster|nodes", "+cluster|myid", "+info", "+asking");

  /** What a gateway needs at Sentinels that ask who it is. */
  private static final List<String> RIGHTS_AT_SENTINELS =
      List.of("-@all", "+hello", "+ping", "+sentinel|get-master-addr-by-name");

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Request REQUEST = Request.of("app", "u1", "GET", "/x");
  private static final String PASSWORD = "sesame:open";

  /** Every algorithm, so that every command of the scripts is used. */
  private static final QuotaTree EVERY_ALGORITHM =
      tree(
          node(Quota.of(slidingWindow("900/min")).withConcurrency(90)),
          caller(Quota.of(tokenBucket("3/h"), slidingLog("900/h"))),
          user(leakyBucket("1000000/s")),
          api("GET /x", fixedWindow("900/year")));

  @TempDir private static Path folder;

  private static TestCertificate ofServer;
  private static TestCertificate another;

  @BeforeAll
  static void makeCertificates() {
    ofServer = TestCertificate.of(folder, "redis", "EC");
    another = TestCertificate.of(folder, "another", "EC");
  }

  private static RedisLedgerBuilder patient() {
    return RedisLedger.builder().callTimeout(PATIENCE).connectTimeout(PATIENCE);
  }

  private static Limiter gateway(RedisLedger ledger) {
    return new Limiter(Policy.compile(EVERY_ALGORITHM, "gw"), ledger, Ticker.system());
  }

  private static Outcome send(Limiter limiter) {
    Decision decision = new Decision();
    limiter.decide(REQUEST, decision);
    limiter.release(decision);
    return decision.outcome();
  }

  /** Decides, looks, empties and renews. */
  private static void useAll(RedisLedger ledger) {
    ledger.whenChanged(() -> {});
    Limiter limiter = gateway(ledger);
    Decision held = new Decision();
    limiter.decide(REQUEST, held);
    assertThat(held.allowed()).isTrue();
    ledger.renew(Times.STORES_OWN);
    limiter.release(held);
    limiter.refund(held);
    assertThat(limiter.peek(Layer.CALLER, "app")).isNotEmpty();
    assertThat(send(limiter)).isEqualTo(Outcome.ALLOWED);
    assertThat(limiter.reset(Layer.CALLER, "app")).isPositive();
    assertThat(Stream.generate(() -> send(limiter)).limit(4))
        .containsExactly(Outcome.ALLOWED, Outcome.ALLOWED, Outcome.ALLOWED, Outcome.REFUSED);
  }

  private static void addUser(RedisServer server, List<String> rights) {
    try (RedisConnection operator = server.connection()) {
      operator.ask(
          Stream.concat(Stream.of("ACL", "SETUSER", "gate", "on", ">" + PASSWORD), rights.stream())
              .toArray(String[]::new));
    }
  }

  /** But for what is no harm: to tell the library's name, and to look at how memory is used. */
  private static List<?> refusals(RedisServer server) {
    try (RedisConnection operator = server.connection()) {
      return operator.list("ACL", "LOG").stream()
          .filter(entry -> !((List<?>) entry).contains("client"))
          .filter(entry -> !((List<?>) entry).contains("config"))
          .toList();
    }
  }

  @Test
  void a_user_with_the_rights_that_the_guide_names_is_refused_nothing() {
    try (RedisServer server = RedisServer.start()) {
      addUser(server, RIGHTS);
      try (RedisLedger ledger =
          patient().uri(server.uri()).user("gate", PASSWORD.toCharArray()).open()) {
        useAll(ledger);
        assertThat(refusals(server)).isEmpty();
        try (RedisConnection operator = server.connection()) {
          assertThat(String.valueOf(operator.ask("CLIENT", "LIST"))).contains("user=gate");
        }
      }
      assertThat(server.keysWithoutEnd()).isEmpty();
    }
  }

  @Test
  void a_user_of_a_cluster_needs_some_rights_more() {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      List<String> rights = Stream.concat(RIGHTS.stream(), RIGHTS_IN_CLUSTER.stream()).toList();
      cluster.masters().forEach(master -> addUser(master, rights));
      try (RedisLedger ledger =
          patient().cluster(cluster.uris()).user("gate", PASSWORD.toCharArray()).open()) {
        useAll(ledger);
        cluster.masters().forEach(master -> assertThat(refusals(master)).isEmpty());
      }
      assertThat(cluster.keysWithoutEnd()).isEmpty();
    }
  }

  @Test
  void a_password_stands_in_no_log_and_in_no_message() {
    Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    ListAppender<ILoggingEvent> all = new ListAppender<>();
    all.start();
    Level before = root.getLevel();
    root.addAppender(all);
    root.setLevel(Level.DEBUG);
    try (RedisServer server = RedisServer.start("--requirepass", "another")) {
      String withPassword = "redis://gate:sesame@127.0.0.1:" + server.port();
      Duration soon = Duration.ofMillis(500);
      try (RedisLedger ledger = patient().uri(withPassword).connectTimeout(soon).open();
          RedisLedger other =
              patient()
                  .uri(server.uri())
                  .user("gate", PASSWORD.toCharArray())
                  .connectTimeout(soon)
                  .open()) {
        assertThat(ledger.state()).isEqualTo(StoreState.UNREACHABLE);
        assertThat(other.state()).isEqualTo(StoreState.UNREACHABLE);
        assertThat(send(gateway(ledger))).isEqualTo(Outcome.UNAVAILABLE);
      }
    } finally {
      root.setLevel(before);
      root.detachAppender(all);
    }
    List<String> said =
        List.copyOf(all.list).stream()
            .map(
                event ->
                    event.getFormattedMessage()
                        + (event.getThrowableProxy() == null
                            ? ""
                            : ThrowableProxyUtil.asString(event.getThrowableProxy())))
            .toList();
    assertThat(said).anyMatch(line -> line.contains("WRONGPASS"));
    assertThat(said).noneMatch(line -> line.contains("sesame"));
  }

  @Test
  void an_address_that_is_wrong_is_told_without_what_stands_in_it() {
    for (String wrong :
        List.of(
            "redis://:sesame@",
            "redis://:sesame@a:x",
            "redis-sentinel://:sesame@a:26379/0",
            "redis://:sesame@a:6379,",
            "redis://:sesame@a:6379/3,redis://b:6379",
            "redis://:sesame@a:6379,rediss://b:6379")) {
      assertThatThrownBy(() -> RedisLedger.builder().uri(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("write")
          .hasMessageNotContaining("sesame")
          .hasNoCause();
    }
  }

  private static Path pem(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void by_tls_the_servers_certificate_has_to_be_of_an_authority_that_is_trusted()
      throws IOException {
    Path cert = pem("cert.pem", ofServer.certPem());
    Path key = pem("key.pem", ofServer.keyPem());
    try (RedisServer server =
        RedisServer.startByTls(
            cert, key, "--tls-ca-cert-file", "" + cert, "--tls-auth-clients", "no")) {
      String here = "rediss://127.0.0.1:" + server.tlsPort();
      try (RedisLedger ledger = patient().uri(here).trusting(cert).open()) {
        assertThat(send(gateway(ledger))).isEqualTo(Outcome.ALLOWED);
      }
      Path anothers = pem("another.pem", another.certPem());
      assertThat(stateAt(patient().uri(here).trusting(anothers))).isEqualTo(StoreState.UNREACHABLE);
      assertThat(stateAt(patient().uri(here))).isEqualTo(StoreState.UNREACHABLE);
      // It names 127.0.0.1 alone.
      String elsewhere = "rediss://localhost:" + server.tlsPort();
      assertThat(stateAt(patient().uri(elsewhere).trusting(cert)))
          .isEqualTo(StoreState.UNREACHABLE);
    }
  }

  private static StoreState stateAt(RedisLedgerBuilder builder) {
    try (RedisLedger ledger = builder.connectTimeout(Duration.ofSeconds(1)).open()) {
      return ledger.state();
    }
  }

  @Test
  void by_tls_a_gateway_shows_its_own_certificate_where_it_is_asked_to() throws IOException {
    Path cert = pem("cert.pem", ofServer.certPem());
    Path key = pem("key.pem", ofServer.keyPem());
    Path gateCert = pem("gate.pem", another.certPem());
    Path gateKey = pem("gate-key.pem", another.keyPem());
    try (RedisServer server =
        RedisServer.startByTls(
            cert, key, "--tls-ca-cert-file", "" + gateCert, "--tls-auth-clients", "yes")) {
      String here = "rediss://127.0.0.1:" + server.tlsPort();
      try (RedisLedger ledger =
          patient().uri(here).trusting(cert).showing(gateCert, gateKey).open()) {
        assertThat(send(gateway(ledger))).isEqualTo(Outcome.ALLOWED);
      }
      assertThat(stateAt(patient().uri(here).trusting(cert))).isEqualTo(StoreState.UNREACHABLE);
    }
  }

  @Test
  void by_tls_a_cluster_is_found_through_one_node_and_used_whole() throws IOException {
    Path cert = pem("cert.pem", ofServer.certPem());
    Path key = pem("key.pem", ofServer.keyPem());
    try (RedisCluster cluster = RedisCluster.startByTls(3, cert, key)) {
      List<String> one = cluster.uris().subList(0, 1);
      try (RedisLedger ledger = patient().cluster(one).trusting(cert).open()) {
        useAll(ledger);
      }
      cluster.masters().forEach(StoreAccessTest::assertCalled);
      Path anothers = pem("another.pem", another.certPem());
      assertThat(stateAt(patient().cluster(one).trusting(anothers)))
          .isEqualTo(StoreState.UNREACHABLE);
      assertThat(stateAt(patient().cluster(one))).isEqualTo(StoreState.UNREACHABLE);
      assertThat(cluster.keysWithoutEnd()).isEmpty();
    }
  }

  private static void assertCalled(RedisServer server) {
    try (RedisConnection operator = server.connection()) {
      assertThat(String.valueOf(operator.ask("INFO", "commandstats"))).contains("cmdstat_evalsha:");
    }
  }

  @Test
  void by_tls_sentinels_are_asked_and_the_master_they_name_is_used() throws IOException {
    Path cert = pem("cert.pem", ofServer.certPem());
    Path key = pem("key.pem", ofServer.keyPem());
    String[] tls = {
      "--tls-ca-cert-file", "" + cert, "--tls-auth-clients", "no", "--tls-replication", "yes"
    };
    try (RedisServer master = RedisServer.startByTls(cert, key, tls);
        RedisServer replica =
            RedisServer.startByTls(
                cert,
                key,
                Stream.concat(
                        Stream.of(tls),
                        Stream.of("--replicaof", "127.0.0.1", "" + master.tlsPort()))
                    .toArray(String[]::new));
        RedisSentinel sentinel = RedisSentinel.watchingByTls(master, 1, cert, key)) {
      try (RedisLedger ledger = patient().uri(sentinel.uri()).trusting(cert).open()) {
        useAll(ledger);
        Limiter limiter = gateway(ledger);
        master.kill();
        Eventually.eventually("another is named", () -> sentinel.masterPort() == replica.tlsPort());
        Eventually.eventually("it is used", () -> send(limiter) != Outcome.UNAVAILABLE);
      }
      assertCalled(replica);
      Path anothers = pem("another.pem", another.certPem());
      assertThat(stateAt(patient().uri(sentinel.uri()).trusting(anothers)))
          .isEqualTo(StoreState.UNREACHABLE);
    }
  }

  @Test
  void sentinels_are_asked_by_a_login_of_their_own() {
    try (RedisServer master = RedisServer.start("--requirepass", "another");
        RedisSentinel sentinel = RedisSentinel.watching(master, 0, "warden");
        RedisConnection operator = sentinel.connection()) {
      operator.ask("ACL", "SETUSER", "gate", "on", ">" + PASSWORD, "resetchannels");
      for (String right : RIGHTS_AT_SENTINELS) {
        operator.ask("ACL", "SETUSER", "gate", right);
      }
      char[] masters = "another".toCharArray();
      char[] sentinels = PASSWORD.toCharArray();
      try (RedisLedger ledger =
          patient().uri(sentinel.uri()).password(masters).sentinelUser("gate", sentinels).open()) {
        useAll(ledger);
      }
      try (RedisLedger ledger =
          patient()
              .uri(sentinel.uri())
              .password(masters)
              .sentinelPassword("warden".toCharArray())
              .open()) {
        assertThat(ledger.state()).isEqualTo(StoreState.UP);
      }
      assertThat(stateAt(patient().uri(sentinel.uri()).password(masters)))
          .as("the master's password is none of the Sentinels' business")
          .isEqualTo(StoreState.UNREACHABLE);
      assertThat(String.valueOf(operator.list("ACL", "LOG"))).doesNotContain("username, gate");
    }
  }
}
