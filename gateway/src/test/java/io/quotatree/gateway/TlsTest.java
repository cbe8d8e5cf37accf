package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.server.Tls;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The gateway over TLS. */
final class TlsTest {

  @TempDir private Path folder;

  private final TestUpstream upstream = TestUpstream.echo();
  private TestCertificate first;
  private Path cert;
  private Path key;

  @BeforeEach
  void certificate() throws IOException {
    first = TestCertificate.of(folder, "first", "EC");
    cert = folder.resolve("server.crt");
    key = folder.resolve("server.key");
    put(first);
  }

  @AfterEach
  void stop() {
    upstream.close();
  }

  private void put(TestCertificate certificate) throws IOException {
    replace(cert, certificate.certPem());
    replace(key, certificate.keyPem());
  }

  private static void replace(Path file, String text) throws IOException {
    Path fresh = Files.writeString(file.resolveSibling("fresh"), text);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private RunningGateway gateway(Optional<Path> clientCa) {
    return RunningGateway.of(QuotaTree.empty())
        .to(upstream.port())
        .tls(new Tls(cert, key, clientCa))
        .start();
  }

  private static HttpResponse<String> ask(
      RunningGateway gateway, SSLContext context, HttpClient.Version version)
      throws IOException, InterruptedException {
    HttpClient client = HttpClient.newBuilder().sslContext(context).version(version).build();
    URI uri = URI.create("https://127.0.0.1:" + gateway.port() + "/a?b=c");
    return client.send(
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString("hello")).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private static Certificate shown(RunningGateway gateway, SSLContext context) throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), gateway.port())) {
      socket.startHandshake();
      return socket.getSession().getPeerCertificates()[0];
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void a_client_chooses_between_http_1_and_2(HttpClient.Version version) throws Exception {
    try (RunningGateway gateway = gateway(Optional.empty())) {
      HttpResponse<String> answer = ask(gateway, TestCertificate.trusting(first), version);
      assertThat(answer.version()).isEqualTo(version);
      assertThat(answer.statusCode()).isEqualTo(200);
      JsonObject seen = new JsonObject(answer.body());
      assertThat(seen.getString("method")).isEqualTo("POST");
      assertThat(seen.getString("uri")).isEqualTo("/a?b=c");
      assertThat(seen.getString("body")).isEqualTo("hello");
      assertThat(seen.getJsonObject("headers").getJsonArray("x-forwarded-proto").getString(0))
          .isEqualTo("https");
    }
  }

  @Test
  void an_rsa_key_does_too() throws Exception {
    TestCertificate rsa = TestCertificate.of(folder, "rsa", "RSA");
    put(rsa);
    try (RunningGateway gateway = gateway(Optional.empty())) {
      assertThat(shown(gateway, TestCertificate.trusting(rsa))).isEqualTo(rsa.certificate());
    }
  }

  @Test
  void old_protocols_and_ciphers_without_forward_secrecy_are_not_spoken() throws Exception {
    try (RunningGateway gateway = gateway(Optional.empty());
        SSLSocket socket =
            (SSLSocket)
                TestCertificate.trusting(first)
                    .getSocketFactory()
                    .createSocket(InetAddress.getLoopbackAddress(), gateway.port())) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.setEnabledCipherSuites(
          new String[] {
            "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256"
          });
      assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void what_is_smuggled_over_tls_is_refused_as_well() throws Exception {
    try (RunningGateway gateway = gateway(Optional.empty());
        SSLSocket socket =
            (SSLSocket)
                TestCertificate.trusting(first)
                    .getSocketFactory()
                    .createSocket(InetAddress.getLoopbackAddress(), gateway.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n"
                      + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nX")
                  .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      assertThat(
              new String(
                  socket.getInputStream().readAllBytes(),
                  java.nio.charset.StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 400 ");
      assertThat(upstream.requests).hasValue(0);
    }
  }

  @Test
  void a_new_certificate_is_shown_to_new_connections_and_old_ones_go_on() throws Exception {
    try (RunningGateway gateway = gateway(Optional.empty())) {
      TestCertificate second = TestCertificate.of(folder, "second", "RSA");
      SSLContext both = TestCertificate.trusting(first, second);
      HttpClient open = HttpClient.newBuilder().sslContext(both).build();
      URI uri = URI.create("https://127.0.0.1:" + gateway.port());
      HttpRequest request = HttpRequest.newBuilder(uri).build();
      assertThat(open.send(request, HttpResponse.BodyHandlers.discarding()).statusCode())
          .isEqualTo(200);
      put(second);
      Eventually.holds(
          "the second is shown", () -> isShown(gateway, TestCertificate.trusting(second)));
      HttpResponse<Void> answer = open.send(request, HttpResponse.BodyHandlers.discarding());
      assertThat(answer.sslSession().orElseThrow().getPeerCertificates()[0])
          .isEqualTo(first.certificate());
    }
  }

  @Test
  void a_link_that_moves_is_followed() throws Exception {
    TestCertificate second = TestCertificate.of(folder, "second", "EC");
    Path v1 = Files.createDirectory(folder.resolve("v1"));
    Path v2 = Files.createDirectory(folder.resolve("v2"));
    Files.writeString(v1.resolve("tls.crt"), first.certPem());
    Files.writeString(v1.resolve("tls.key"), first.keyPem());
    Files.writeString(v2.resolve("tls.crt"), second.certPem());
    Files.writeString(v2.resolve("tls.key"), second.keyPem());
    Path current = Files.createSymbolicLink(folder.resolve("current"), v1);
    cert = current.resolve("tls.crt");
    key = current.resolve("tls.key");
    try (RunningGateway gateway = gateway(Optional.empty())) {
      Files.move(
          Files.createSymbolicLink(folder.resolve("next"), v2),
          current,
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      Eventually.holds(
          "the second is shown", () -> isShown(gateway, TestCertificate.trusting(second)));
    }
  }

  @Test
  void a_certificate_without_its_key_changes_nothing_until_the_key_is_there() throws Exception {
    try (RunningGateway gateway = gateway(Optional.empty())) {
      TestCertificate second = TestCertificate.of(folder, "second", "EC");
      TestCertificate third = TestCertificate.of(folder, "third", "EC");
      replace(cert, "-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----\n");
      replace(key, second.keyPem());
      replace(cert, third.certPem());
      assertThat(isShown(gateway, TestCertificate.trusting(first))).isTrue();
      replace(key, third.keyPem());
      Eventually.holds(
          "the third is shown",
          () -> {
            assertThat(isShown(gateway, TestCertificate.trusting(second))).isFalse();
            return isShown(gateway, TestCertificate.trusting(third));
          });
    }
  }

  private static boolean isShown(RunningGateway gateway, SSLContext only) {
    try {
      shown(gateway, only);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void with_client_authorities_a_client_needs_a_certificate_of_theirs() throws Exception {
    TestCertificate known = TestCertificate.of(folder, "known", "EC");
    TestCertificate stranger = TestCertificate.of(folder, "stranger", "EC");
    Path clients = Files.writeString(folder.resolve("clients.crt"), known.certPem());
    try (RunningGateway gateway = gateway(Optional.of(clients))) {
      assertThat(ask(gateway, known.contextTrusting(first), HttpClient.Version.HTTP_2).statusCode())
          .isEqualTo(200);
      SSLContext none = TestCertificate.trusting(first);
      assertThatThrownBy(() -> ask(gateway, none, HttpClient.Version.HTTP_1_1))
          .isInstanceOf(IOException.class);
      SSLContext unknown = stranger.contextTrusting(first);
      assertThatThrownBy(() -> ask(gateway, unknown, HttpClient.Version.HTTP_1_1))
          .isInstanceOf(IOException.class);
      assertThat(upstream.requests).hasValue(1);
    }
  }

  @Test
  void files_that_cannot_be_used_are_told_with_their_names() throws IOException {
    replace(key, TestCertificate.of(folder, "second", "EC").keyPem());
    assertThatThrownBy(() -> gateway(Optional.empty()))
        .rootCause()
        .hasMessage("server.tls: " + key + " is not the key of the certificate in " + cert);
    replace(key, "no key at all");
    assertThatThrownBy(() -> gateway(Optional.empty()))
        .hasStackTraceContaining("are no certificate and key in PEM");
    Files.delete(key);
    assertThatThrownBy(() -> gateway(Optional.empty()))
        .hasStackTraceContaining("server.tls: " + key + " cannot be read");
  }
}
