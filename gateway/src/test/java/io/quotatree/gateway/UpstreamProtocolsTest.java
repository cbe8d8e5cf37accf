package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.proxy.Idle;
import io.quotatree.gateway.proxy.Target;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the gateway speaks to targets, and what of an answer passes: trailers, events, TLS. */
final class UpstreamProtocolsTest {

  private static final String TRUSTED = "javax.net.ssl.trustStore";

  @TempDir private static Path folder;
  private static TestCertificate certificate;

  private final Vertx vertx = Vertx.vertx();
  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeAll
  static void trust() throws IOException, GeneralSecurityException {
    certificate = TestCertificate.of(folder, "upstream", "EC");
    KeyStore store = KeyStore.getInstance("JKS");
    store.load(null, null);
    store.setCertificateEntry("upstream", certificate.certificate());
    Path file = folder.resolve("trusted.jks");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, "changeit".toCharArray());
    }
    System.setProperty(TRUSTED, file.toString());
  }

  @AfterAll
  static void distrust() {
    System.clearProperty(TRUSTED);
    LeakRecorder.assertNoLeak();
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private <T extends AutoCloseable> T closing(T closeable) {
    open.add(closeable);
    return closeable;
  }

  /** A target that is spoken to in a given way, and tells how it was. */
  private Target target(Target.Transport transport, String host) {
    boolean tls = transport == Target.Transport.TLS || transport == Target.Transport.H2_TLS;
    boolean http2 = transport == Target.Transport.H2_CLEAR || transport == Target.Transport.H2_TLS;
    HttpServerOptions options = new HttpServerOptions().setHost("127.0.0.1").setPort(0);
    if (tls) {
      options
          .setSsl(true)
          .setUseAlpn(http2)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .addCertValue(Buffer.buffer(certificate.certPem()))
                  .addKeyValue(Buffer.buffer(certificate.keyPem())));
    }
    int port =
        vertx
            .createHttpServer(options)
            .requestHandler(UpstreamProtocolsTest::tell)
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .join()
            .actualPort();
    return new Target(transport, host, port);
  }

  private static void tell(HttpServerRequest request) {
    request
        .body()
        .onSuccess(
            body -> {
              request
                  .response()
                  .setChunked(true)
                  .putHeader("X-Version", request.version().toString())
                  .putHeader("X-Host", request.authority().toString())
                  .putHeader("X-Te", String.valueOf(request.getHeader("TE")))
                  .putHeader("X-Cookie", String.valueOf(request.getHeader("Cookie")))
                  .putHeader("X-Trace", String.valueOf(request.getHeader("traceparent")))
                  .putHeader("X-Proto", String.valueOf(request.getHeader("X-Forwarded-Proto")))
                  .write("got ");
              request
                  .response()
                  .putTrailer("X-Sum", Integer.toString(body.length()))
                  .putTrailer("X-RateLimit-Limit", "the upstream's own")
                  .end(body);
            });
  }

  private RunningGateway gateway(Target target) {
    return closing(RunningGateway.of(QuotaTree.empty()).to(target).start());
  }

  @ParameterizedTest
  @EnumSource(Target.Transport.class)
  void requests_reach_targets_of_every_kind(Target.Transport transport) {
    Target target = target(transport, "127.0.0.1");
    RawHttp client = closing(gateway(target).connect());
    for (int i = 0; i < 3; i++) {
      client
          .sendHead(
              "POST",
              "/a?b=c",
              "Content-Length: 4",
              "TE: gzip, Trailers",
              "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
          .send("body");
      RawHttp.Reply reply = client.reply();
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("got body");
      boolean http2 = transport.name().startsWith("H2");
      assertThat(reply.field("x-version"))
          .isEqualTo((http2 ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1).toString());
      assertThat(reply.field("x-host")).isEqualTo("127.0.0.1:" + target.port());
      assertThat(reply.field("x-te")).isEqualTo(http2 ? "trailers" : "null");
      assertThat(reply.field("x-trace"))
          .isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }
  }

  @Test
  void a_certificate_of_somebody_else_is_a_502() {
    RawHttp client = closing(gateway(target(Target.Transport.TLS, "localhost")).connect());
    RawHttp.Reply reply = client.ask("GET", "/");
    assertThat(reply.status()).isEqualTo(502);
    assertThat(reply.body()).doesNotContain("localhost");
  }

  @ParameterizedTest
  @EnumSource(
      value = Target.Transport.class,
      names = {"CLEAR", "H2_CLEAR"})
  void trailers_of_an_answer_pass_but_none_that_would_pose_as_ours(Target.Transport transport)
      throws IOException {
    RawHttp client = closing(gateway(target(transport, "127.0.0.1")).connect());
    client.sendHead("GET", "/");
    assertThat(client.head().field("transfer-encoding")).isEqualTo("chunked");
    String rest = "4\r\ngot \r\n0\r\nx-sum: 0\r\n\r\n";
    assertThat(new String(client.exactly(rest.length()), java.nio.charset.StandardCharsets.UTF_8))
        .isEqualToIgnoringCase(rest);
    assertThat(client.ask("GET", "/").status()).as("and nothing after them").isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource(
      value = Target.Transport.class,
      names = {"CLEAR", "H2_CLEAR"})
  void requests_over_http_2_pass_with_and_without_bodies(Target.Transport transport) {
    RunningGateway gateway = gateway(target(transport, "127.0.0.1"));
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    for (int size : List.of(0, 4, 300_000, 4)) {
      for (boolean told : List.of(true, false)) {
        HttpClientRequest request = http2(client, gateway.port(), size);
        if (told) {
          request.putHeader("Content-Length", Integer.toString(size));
        } else {
          request.setChunked(true);
        }
        int[] read = {0};
        HttpClientResponse reply =
            await(
                (size == 0 ? request.send() : request.send(body(size)))
                    .compose(
                        answer ->
                            answer
                                .body()
                                .map(
                                    whole -> {
                                      read[0] = whole.length();
                                      return answer;
                                    })));
        assertThat(read[0]).isEqualTo(size + 4);
        assertThat(reply.trailers().get("x-sum")).isEqualTo(Integer.toString(size));
        assertThat(reply.trailers().contains("x-ratelimit-limit")).isFalse();
        assertThat(reply.getHeader("x-cookie")).isEqualTo("a=1; b=2");
        assertThat(reply.getHeader("x-proto")).isEqualTo("http");
      }
    }
    gateway.awaitQuiet();
  }

  private static HttpClientRequest http2(HttpClient client, int port, int size) {
    HttpMethod method = size == 0 ? HttpMethod.GET : HttpMethod.POST;
    HttpClientRequest request = await(client.request(method, port, "127.0.0.1", "/a"));
    request.headers().add("Cookie", "a=1").add("Cookie", "b=2");
    return request;
  }

  private static Buffer body(int size) {
    return Buffer.buffer(new byte[size]);
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void events_may_be_silent_for_longer_than_a_body() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    open.add(done::countDown);
    RawUpstream upstream =
        closing(
            new RawUpstream(
                connection -> {
                  connection.readHead();
                  connection.write(
                      """
                      HTTP/1.1 200 OK\r
                      Content-Type: text/event-stream; charset=utf-8\r
                      Transfer-Encoding: chunked\r
                      \r
                      9\r
                      data: 1

                      \r
                      """);
                  done.await();
                }));
    Idle idle = new Idle(Duration.ofMillis(20), Duration.ofMillis(600));
    RunningGateway gateway =
        closing(RunningGateway.of(QuotaTree.empty()).to(upstream.port()).idle(idle).start());
    RawHttp client = closing(gateway.connect());
    long startNanos = System.nanoTime();
    client.sendHead("GET", "/events");
    assertThat(client.head().status()).isEqualTo(200);
    client.exactly("9\r\ndata: 1\n\n\r\n".length());
    assertThat(client.ended()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isGreaterThan(idle.stream());
  }
}
