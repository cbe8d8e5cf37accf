package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.testkit.programs.Nginx;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** nginx in front of the gateway, by the configuration that its users write. */
@Timeout(120)
final class NginxFrontTest {

  private static final long PATIENCE_SECONDS = 60;

  @TempDir private static Path nginxFolder;
  @TempDir private static Path folder;

  private static final Vertx VERTX = Vertx.vertx();
  private static final BlockingQueue<HttpServerResponse> STREAMS = new LinkedBlockingQueue<>();

  private static Served served;
  private static Nginx nginx;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Curl curl = new Curl(folder);

  @BeforeAll
  static void start() {
    served =
        Served.in(
            folder,
            """
            server: { listen: "127.0.0.1:0", admin: "127.0.0.1:0" }
            identity:
              caller: ["header:X-App-Id"]
              user: ["header:X-User-Id"]
              trusted_proxies: [127.0.0.1/32]
            routes: [{ match: "/**", upstream: service }]
            upstreams: { service: { targets: ["http://127.0.0.1:%d"] } }
            quotas:
              caller: { default: 100000/h, overrides: { spent: blocked } }
              user: { default: 1000/h, anonymous: { limit: 2/h, by: ip } }
            """
                .formatted(service().actualPort()));
    nginx =
        Nginx.start(
            nginxFolder,
            """
            map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
            upstream quotatree { server 127.0.0.1:%d; keepalive 8; }
            server {
              listen 127.0.0.1:${port};
              location / {
                proxy_pass http://quotatree;
                proxy_http_version 1.1;
                proxy_buffering off;
                proxy_set_header Host $http_host;
                proxy_set_header Upgrade $http_upgrade;
                proxy_set_header Connection $connection_upgrade;
                proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                proxy_set_header X-Forwarded-Proto https;
                proxy_set_header X-Forwarded-Host $http_host;
              }
            }
            """
                .formatted(served.gateway().getPort()));
  }

  /** Tells what it was asked, sends events when the test says so, and echoes over WebSockets. */
  private static HttpServer service() {
    return VERTX
        .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
        .webSocketHandler(
            socket -> {
              socket.textMessageHandler(socket::writeTextMessage);
              socket.binaryMessageHandler(socket::writeBinaryMessage);
            })
        .requestHandler(NginxFrontTest::answer)
        .listen()
        .toCompletionStage()
        .toCompletableFuture()
        .join();
  }

  private static void answer(HttpServerRequest request) {
    if (request.path().equals("/events")) {
      request.response().setChunked(true).putHeader("Content-Type", "text/event-stream");
      STREAMS.add(request.response());
      return;
    }
    JsonObject fields = new JsonObject();
    for (Map.Entry<String, String> field : request.headers()) {
      fields.put(field.getKey().toLowerCase(Locale.ROOT), field.getValue());
    }
    request.response().end(fields.toBuffer());
  }

  @AfterAll
  static void stop() {
    nginx.close();
    served.close();
    VERTX.close().toCompletionStage().toCompletableFuture().join();
  }

  private static String front(String path) {
    return "http://127.0.0.1:" + nginx.port() + path;
  }

  @Test
  void who_asks_is_whom_nginx_saw_whatever_the_client_says_of_itself() {
    for (int i = 0; i < 2; i++) {
      assertThat(curl.ask("--interface", "127.0.0.2", front("/")).status()).isEqualTo(200);
    }
    for (String claim : List.of("", "203.0.113.7", "127.0.0.1", "203.0.113.7, 127.0.0.1")) {
      Curl.Answer refused =
          curl.ask("--interface", "127.0.0.2", "--header", "X-Forwarded-For: " + claim, front("/"));
      assertThat(refused.status()).as(claim).isEqualTo(429);
      assertThat(refused.field("x-ratelimit-key")).isEqualTo("user:anonymous/ip:127.0.0.2");
    }
    assertThat(curl.ask("--interface", "127.0.0.3", front("/")).status()).isEqualTo(200);
  }

  @Test
  void a_caller_is_believed_from_nginx_and_from_nobody_else() {
    String[] named = {"--header", "X-App-Id: spent", "--interface", "127.0.0.4"};
    Curl.Answer refused = curl.ask(with(named, front("/")));
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.field("x-ratelimit-key")).isEqualTo("caller:spent");
    Curl.Answer passed = curl.ask(with(named, served.at("/")));
    assertThat(passed.status()).isEqualTo(200);
    assertThat(new JsonObject(passed.text()).containsKey("x-app-id")).isFalse();
  }

  private static String[] with(String[] words, String last) {
    String[] all = Arrays.copyOf(words, words.length + 1);
    all[words.length] = last;
    return all;
  }

  @Test
  void what_nginx_forwards_is_prolonged_and_kept() {
    JsonObject seen =
        new JsonObject(
            curl.ask("--interface", "127.0.0.5", "--header", "X-App-Id: shop", front("/")).text());
    assertThat(seen.getString("x-forwarded-for")).isEqualTo("127.0.0.5, 127.0.0.1");
    assertThat(seen.getString("x-forwarded-proto")).isEqualTo("https");
    assertThat(seen.getString("x-forwarded-host")).isEqualTo("127.0.0.1:" + nginx.port());
    assertThat(seen.getString("x-app-id")).isEqualTo("shop");
  }

  /** Through nginx and the gateway, and through the gateway alone. */
  private static List<URI> ways(String path) {
    return List.of(URI.create(front(path)), URI.create(served.at(path)));
  }

  /** What a Java client of WebSockets heard. */
  private static final class Heard implements WebSocket.Listener {
    final BlockingQueue<Object> messages = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();
    private ByteBuffer bytes = ByteBuffer.allocate(1 << 20);

    Object next() throws InterruptedException {
      Object message = messages.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      return message == null ? "nothing" : message;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        messages.add(text.toString());
        text.setLength(0);
      }
      socket.request(1);
      return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
      bytes.put(part);
      if (last) {
        messages.add(bytes.flip());
        bytes = ByteBuffer.allocate(1 << 20);
      }
      socket.request(1);
      return CompletableFuture.completedStage(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      messages.add("closed " + code);
      return CompletableFuture.completedStage(null);
    }
  }

  private WebSocket open(URI address, String caller, Heard heard) throws Exception {
    return client
        .newWebSocketBuilder()
        .header("X-App-Id", caller)
        .header("X-User-Id", "ann")
        .buildAsync(URI.create("ws" + address.toString().substring("http".length())), heard)
        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void a_java_client_talks_over_a_websocket() throws Exception {
    for (URI way : ways("/chat?room=1")) {
      Heard heard = new Heard();
      WebSocket socket = open(way, "shop", heard);
      for (String said : List.of("hello", "ünïcödé", "x".repeat(30_000))) {
        socket.sendText(said, true).join();
        assertThat(heard.next()).isEqualTo(said);
      }
      ByteBuffer said = ByteBuffer.wrap(new byte[60_000]);
      socket.sendBinary(said.duplicate(), true).join();
      assertThat(heard.next()).isEqualTo(said);
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "done").join();
      assertThat(heard.next()).isEqualTo("closed 1000");
    }
    served.awaitQuiet();
  }

  @Test
  void a_java_client_is_told_that_its_websocket_is_refused() {
    for (URI way : ways("/chat")) {
      assertThatThrownBy(() -> open(way, "spent", new Heard()))
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isInstanceOfSatisfying(
              WebSocketHandshakeException.class,
              e -> assertThat(e.getResponse().statusCode()).isEqualTo(429));
    }
  }

  @Test
  void each_event_arrives_before_the_next_is_sent() throws Exception {
    for (URI way : ways("/events")) {
      HttpRequest request =
          HttpRequest.newBuilder(way).header("X-App-Id", "shop").header("X-User-Id", "u").build();
      var coming = client.sendAsync(request, HttpResponse.BodyHandlers.ofInputStream());
      HttpServerResponse stream = STREAMS.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(stream).isNotNull();
      stream.write("data: 0\n\n");
      HttpResponse<InputStream> answer = coming.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
      try (BufferedReader events =
          new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
        for (int i = 1; i < 5; i++) {
          assertThat(events.readLine()).isEqualTo("data: " + (i - 1));
          assertThat(events.readLine()).isEmpty();
          stream.write("data: " + i + "\n\n");
        }
        stream.end();
        assertThat(events.lines()).containsExactly("data: 4", "");
      }
    }
    served.awaitQuiet();
  }
}
