package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.gateway.server.ListenException;
import io.quotatree.gateway.server.Settings;
import io.quotatree.gateway.server.TlsException;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import io.quotatree.testkit.store.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Gateways whose overrides are set over HTTP. */
abstract class OverridesOverHttp {

  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
  static final String QUOTAS =
      "{ caller: { default: { limit: 3/365day, algorithm: fixed_window } }, api: { names: [GET /a] } }";

  @TempDir Path folder;

  final HttpClient client = HttpClient.newHttpClient();
  final DemoUpstream upstream = new DemoUpstream();
  final List<FileGateway> gateways = new ArrayList<>();
  final List<RedisServer> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    gateways.forEach(FileGateway::close);
    servers.forEach(
        redis -> {
          assertThat(redis.keysWithoutEnd()).isEmpty();
          redis.close();
        });
    upstream.close();
  }

  RedisServer redis() {
    RedisServer redis = RedisServer.start();
    servers.add(redis);
    return redis;
  }

  FileGateway start(String nodeId, String store) throws ListenException, TlsException {
    QuotaFile file = file(store, QUOTAS);
    Settings settings = Wiring.settings(file).onFreePorts().withEventLoops(2);
    FileGateway gateway = new FileGateway(file, settings, nodeId);
    gateways.add(gateway);
    return gateway;
  }

  FileGateway alone() throws ListenException, TlsException {
    return start("one", "");
  }

  static String shared(RedisServer redis) {
    return "store: { redis: \"" + redis.uri() + "\", timeout: 10s }";
  }

  QuotaFile file(String store, String quotas) {
    String text =
        """
        server: { data: "%s" }
        identity: { caller: ["header:X-App-Id"], trusted_proxies: [127.0.0.0/8] }
        routes: [{ match: "/**", upstream: service }]
        upstreams: { service: { targets: ["%s"] } }
        %s
        quotas: %s
        """
            .formatted(folder.resolve("data"), upstream.uri(), store, quotas);
    Reading reading = QuotaFiles.read("test.yaml", text.getBytes(StandardCharsets.UTF_8));
    assertThat(reading).isInstanceOf(Reading.Sound.class);
    return ((Reading.Sound) reading).file();
  }

  void end(FileGateway gateway) {
    gateway.close();
    gateways.remove(gateway);
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  int ask(FileGateway gateway, String caller) {
    URI uri = URI.create("http://127.0.0.1:" + gateway.listen().port() + "/a");
    return send(HttpRequest.newBuilder(uri).header("X-App-Id", caller)).statusCode();
  }

  List<Integer> ask(FileGateway gateway, String caller, int times) {
    return IntStream.range(0, times).mapToObj(i -> ask(gateway, caller)).toList();
  }

  static HttpRequest.Builder admin(FileGateway gateway, String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:" + gateway.admin().port() + "/admin/v1/" + path));
  }

  static HttpRequest.Builder putting(FileGateway gateway, String json) {
    return admin(gateway, "overrides")
        .header("Content-Type", "application/json")
        .PUT(BodyPublishers.ofString(json));
  }

  HttpResponse<String> put(FileGateway gateway, String json) {
    return send(putting(gateway, json));
  }

  static String caller(String name, String quota, String lasting) {
    return new JsonObject()
        .put("layer", "caller")
        .put("subject", name)
        .put("quota", quota)
        .put("for", lasting)
        .put("reason", "a sale")
        .encode();
  }

  JsonObject shown(FileGateway gateway, String path) {
    HttpResponse<String> answer = send(admin(gateway, path));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new JsonObject(answer.body());
  }

  String limit(FileGateway gateway) {
    JsonArray limits = shown(gateway, "usage?layer=caller&subject=app-a").getJsonArray("limits");
    return limits.getJsonObject(0).getString("limit");
  }

  List<String> subjects(FileGateway gateway) {
    JsonArray all = shown(gateway, "overrides").getJsonArray("overrides");
    return all.stream().map(one -> ((JsonObject) one).getString("subject")).toList();
  }

  static void eventually(String what, BooleanSupplier condition) {
    long startNanos = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNanos > PATIENCE_NANOS) {
        throw new AssertionError("never came true: " + what);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
