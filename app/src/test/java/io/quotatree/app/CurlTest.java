package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.testkit.tls.TestCertificate;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as curl sees it, in each version of HTTP that curl speaks. */
final class CurlTest {

  private static final int HOUR_SECONDS = 3600;
  private static final Pattern WAIT = Pattern.compile("\"caller\";r=0;t=(\\d+)");

  @TempDir private Path folder;

  private final DemoUpstream upstream = new DemoUpstream();

  @AfterEach
  void stop() {
    upstream.close();
  }

  private Served serve(String tls) {
    return Served.in(
        folder,
        """
        server: { listen: "127.0.0.1:0", admin: "127.0.0.1:0"%s }
        identity: { caller: ["header:X-App-Id"], trusted_proxies: [127.0.0.0/8] }
        routes: [{ match: "/**", upstream: service }]
        upstreams: { service: { targets: ["%s"] } }
        quotas: { defaults: { spread: false }, caller: { default: 1/h } }
        """
            .formatted(tls, upstream.uri()));
  }

  @Test
  void a_refusal_in_the_clear_reads_the_same_in_each_version() {
    try (Served served = serve("")) {
      assertRefusalsAlike(
          served,
          Map.of(
              List.of("--http1.0"), "1",
              List.of("--http1.1"), "1.1",
              List.of("--http2"), "1.1",
              List.of("--http2-prior-knowledge"), "2"));
    }
  }

  @Test
  void a_refusal_over_tls_reads_the_same_in_each_version() throws IOException {
    TestCertificate certificate = TestCertificate.of(folder, "gateway", "EC");
    Path cert = Files.writeString(folder.resolve("server.crt"), certificate.certPem());
    Files.writeString(folder.resolve("server.key"), certificate.keyPem());
    try (Served served = serve(", tls: { cert: server.crt, key: server.key }")) {
      assertRefusalsAlike(
          served,
          Map.of(
              List.of("--cacert", cert.toString(), "--http1.1"), "1.1",
              List.of("--cacert", cert.toString(), "--http2"), "2"));
    }
  }

  private void assertRefusalsAlike(Served served, Map<List<String>, String> versions) {
    Curl curl = new Curl(folder);
    List<String> resets = new ArrayList<>();
    boolean[] spent = {false};
    versions.forEach(
        (how, version) -> {
          List<String> words = new ArrayList<>(how);
          words.addAll(List.of("--header", "X-App-Id: shop", served.at("/order/7?a=b")));
          String[] arguments = words.toArray(String[]::new);
          if (!spent[0]) {
            Curl.Answer allowed = curl.ask(arguments);
            assertThat(allowed.status()).isEqualTo(200);
            assertThat(new JsonObject(allowed.text()).getString("uri")).isEqualTo("/order/7?a=b");
            spent[0] = true;
          }
          Curl.Answer refused = curl.ask(arguments);
          assertThat(refused.version()).as("%s", how).isEqualTo(version);
          assertRefusal(refused);
          resets.add(refused.field("x-ratelimit-reset"));
        });
    assertThat(resets)
        .as("a refusal charges nothing")
        .hasSize(versions.size())
        .containsOnly(resets.get(0));
  }

  private static void assertRefusal(Curl.Answer refused) {
    assertThat(refused.status()).isEqualTo(429);
    Matcher wait = WAIT.matcher(refused.field("ratelimit"));
    assertThat(wait.matches()).as(refused.field("ratelimit")).isTrue();
    int seconds = Integer.parseInt(wait.group(1));
    assertThat(seconds).isBetween(1, HOUR_SECONDS);
    Map<String, String> told = new TreeMap<>(refused.fields());
    told.keySet().removeIf(name -> !name.matches("(x-)?ratelimit.*|retry-after|content-.*"));
    told.remove("x-ratelimit-reset");
    assertThat(told)
        .isEqualTo(
            Map.of(
                "retry-after", Integer.toString(seconds),
                "ratelimit-policy", "\"caller\";q=1;w=3600",
                "ratelimit", "\"caller\";r=0;t=" + seconds,
                "x-ratelimit-limit", "1",
                "x-ratelimit-remaining", "0",
                "x-ratelimit-scope", "caller",
                "x-ratelimit-key", "caller:shop",
                "content-type", "application/problem+json",
                "content-length", Integer.toString(refused.body().length)));
    JsonObject problem = new JsonObject(refused.text());
    assertThat(problem.getInteger("retry_after")).isEqualTo(seconds);
    assertThat(problem.getString("layer")).isEqualTo("caller");
  }
}
