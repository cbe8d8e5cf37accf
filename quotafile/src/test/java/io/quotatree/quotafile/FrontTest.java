package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Rate;
import io.quotatree.quotafile.QuotaFile.Route;
import io.quotatree.quotafile.QuotaFile.Server;
import io.quotatree.quotafile.QuotaFile.Terms;
import io.quotatree.quotafile.QuotaFile.Upstream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server, identity, routes and upstreams of a file. */
class FrontTest {

  @Test
  void a_file_of_quotas_alone_has_the_usual_server_and_no_routes() {
    QuotaFile file = Trees.file("quotas: { node: 10/s }");
    assertThat(file.name()).isEqualTo("test.yaml");
    assertThat(file.server()).isEqualTo(Server.DEFAULT);
    assertThat(file.identity()).isEqualTo(Identity.NONE);
    assertThat(file.routes()).isEmpty();
    assertThat(file.upstreams()).isEmpty();
    assertThat(file.quotas().routes()).isEmpty();
  }

  @Test
  void all_parts_are_read() {
    QuotaFile file =
        Trees.file(
            """
            server: { listen: "[::]:80", admin: localhost:0, node_id: 7, data: /var/lib/quotatree, admin_token: file:/run/x,
              tls: { cert: a.crt, key: a.key, client_ca: ca.crt }, guard: { rate: 20k/s, in_flight: 2k }, decide: { listen: 127.0.0.1:8082, tokens: tokens.yaml } }
            identity:
              caller: ["header:X-App", "cookie:app"]
              user: ["header:X-User"]
              unproven: ["cookie:sid"]
              plan: ["header:X-Plan"]
              trusted_proxies: [10.0.0.0/8, 192.0.2.1]
            routes:
              - match: GET /a
                upstream: one
                require: { headers: [Content-Type, X-Trace], query: { type: [on, 7], a: [b] } }
                refund_on: [400, 422]
                cors: { origins: ["https://shop.example:8443", "*"] }
              - { match: "/**", upstream: two }
            upstreams:
              two: { targets: ["http://h:1", "https://h", "h2c://h:2", "h2://h"] }
              one: { targets: ["http://[::1]:9/"], timeout: 250ms }
            quotas: { node: 10/s }
            """);
    assertThat(file.server())
        .isEqualTo(
            new Server(
                new Address("::", 80),
                new Address("localhost", 0),
                Optional.of("7"),
                Optional.of(new Secret.InFile("/run/x")),
                Optional.of(new QuotaFile.Tls("a.crt", "a.key", Optional.of("ca.crt"))),
                new QuotaFile.Guard(
                    Optional.of(new Rate(20_000, 1_000_000, "20k/s")),
                    OptionalInt.of(2_000),
                    OptionalInt.empty()),
                Optional.of(
                    new QuotaFile.Decide(
                        new Address("127.0.0.1", 8082), Optional.of("tokens.yaml"))),
                "/var/lib/quotatree"));
    assertThat(file.identity().caller())
        .containsExactly(new Identity.Header("X-App"), new Identity.Cookie("app"));
    assertThat(file.identity().user()).containsExactly(new Identity.Header("X-User"));
    assertThat(file.identity().unproven()).containsExactly(new Identity.Cookie("sid"));
    assertThat(file.identity().plan()).containsExactly(new Identity.Header("X-Plan"));
    assertThat(file.identity().trustedProxies())
        .extracting(Network::toString)
        .containsExactly("10.0.0.0/8", "192.0.2.1/32");
    assertThat(file.routes())
        .containsExactly(
            new Route(
                "GET /a",
                "one",
                10,
                new Terms(
                    List.of("Content-Type", "X-Trace"),
                    Map.of("type", List.of("on", "7"), "a", List.of("b")),
                    Set.of(400, 422),
                    Set.of("https://shop.example:8443", "*"))),
            new Route("/**", "two", 15, Terms.NONE));
    assertThat(file.quotas().routes()).containsExactly("GET /a", "/**");
    assertThat(file.upstreams())
        .containsExactly(
            Map.entry(
                "two",
                new Upstream(
                    List.of(
                        URI.create("http://h:1"),
                        URI.create("https://h"),
                        URI.create("h2c://h:2"),
                        URI.create("h2://h")),
                    Upstream.DEFAULT_TIMEOUT)),
            Map.entry(
                "one",
                new Upstream(List.of(URI.create("http://[::1]:9/")), Duration.ofMillis(250))));
  }

  @Test
  void a_store_is_one_server_and_waited_for_five_milliseconds_unless_it_says_otherwise() {
    assertThat(Trees.file("quotas: { node: 10/s }").store()).isEmpty();
    assertThat(
            Trees.file("{ store: { redis: \"redis://r:6379\" }, quotas: { node: 10/s } }").store())
        .contains(
            new Store(
                StoreAddress.server("redis://r:6379"),
                Optional.empty(),
                Optional.empty(),
                Store.Tls.USUAL,
                "qt",
                Duration.ofMillis(5),
                OnFailure.LOCAL));
    assertThat(
            Trees.file(
                    "{ store: { redis: \"rediss://[::1]/3\", credentials: env:LOGIN, tls: { ca: ca.pem }, prefix: a, timeout: 1s, on_failure: open }, quotas: { node: 10/s } }")
                .store())
        .contains(
            new Store(
                StoreAddress.server("rediss://[::1]/3"),
                Optional.of(new Secret.Env("LOGIN")),
                Optional.empty(),
                new Store.Tls(Optional.of("ca.pem"), Optional.empty(), Optional.empty()),
                "a",
                Duration.ofSeconds(1),
                OnFailure.OPEN));
  }

  @Test
  void sentinels_may_have_a_login_of_their_own() {
    assertThat(
            Trees.file(
                    """
                    store:
                      redis: redis-sentinel://s:26379/0#main
                      credentials: env:LOGIN
                      sentinel_credentials: file:/run/secrets/sentinel
                    quotas: { node: 10/s }
                    """)
                .store()
                .orElseThrow()
                .sentinelCredentials())
        .contains(new Secret.InFile("/run/secrets/sentinel"));
  }

  private static StoreAddress storeAt(String address) {
    return Trees.file("{ store: { redis: " + address + " }, quotas: { node: 10/s } }")
        .store()
        .orElseThrow()
        .redis();
  }

  @Test
  void a_store_may_be_found_through_sentinels_or_be_a_cluster() {
    assertThat(storeAt("\"redis-sentinel://a:26379,b:26379/0#main\""))
        .isEqualTo(
            new StoreAddress(
                StoreAddress.Kind.SENTINEL, List.of("redis-sentinel://a:26379,b:26379/0#main")));
    assertThat(storeAt("[\"redis://a:6379\", \"redis://b:6379\"]"))
        .isEqualTo(
            new StoreAddress(
                StoreAddress.Kind.CLUSTER, List.of("redis://a:6379", "redis://b:6379")));
    assertThat(storeAt("[\"rediss://a\"]").kind()).isEqualTo(StoreAddress.Kind.CLUSTER);
  }

  @Test
  void a_log_writes_one_of_a_hundred_allowed_requests_and_names_users_unless_it_says_otherwise() {
    assertThat(Trees.file("quotas: { node: 10/s }").log()).isEmpty();
    assertThat(Trees.file("{ log: { decisions: a.jsonl }, quotas: { node: 10/s } }").log())
        .contains(new Log("a.jsonl", 10_000, Log.Users.NAMED));
    Log log =
        Trees.file(
                "{ log: { decisions: stdout, allowed: 0.05%, hash_users: true }, quotas: { node: 10/s } }")
            .log()
            .orElseThrow();
    assertThat(log).isEqualTo(new Log("stdout", 500, Log.Users.HASHED));
    assertThat(log.isToStandardOutput()).isTrue();
    assertThat(log.share()).isEqualTo("0.05%");
  }

  @ParameterizedTest
  @CsvSource({"0%, 0", "100%, 1000000", "0.0001%, 1", "12.5%, 125000"})
  void a_share_is_a_percentage(String written, int perMillion) {
    QuotaFile file =
        Trees.file("{ log: { decisions: a, allowed: " + written + " }, quotas: { node: 10/s } }");
    assertThat(file.log().orElseThrow().allowedPerMillion()).isEqualTo(perMillion);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/8, 10.255.1.2, true",
    "10.0.0.0/8, 11.0.0.0, false",
    "192.0.2.128/25, 192.0.2.127, false",
    "192.0.2.128/25, 192.0.2.129, true",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, ::1, false",
    "2001:db8::/33, 2001:db8:7fff::1, true",
    "2001:db8::/33, 2001:db8:8000::1, false",
    "::1, ::1, true"
  })
  void a_network_contains_the_addresses_that_share_its_prefix(
      String network, String address, boolean inside) throws UnknownHostException {
    assertThat(Network.parse(network).contains(InetAddress.getByName(address))).isEqualTo(inside);
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:1, true", "127.9.9.9:1, true", "localhost:1, true", "LOCALHOST:1, true",
        "[::1]:1, true",
    "0.0.0.0:1, false", "[::]:1, false", "10.0.0.1:1, false", "127.0.0.1.example:1, false",
        "gateway:1, false"
  })
  void the_loopback_is_known_without_asking_the_name_service(String address, boolean loopback) {
    assertThat(Address.parse(address).isLoopback()).isEqualTo(loopback);
    assertThat(Address.parse(address)).hasToString(address);
  }
}
