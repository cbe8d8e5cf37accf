package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program, started as users start it: it serves, reads its file again, and stops as told. */
final class ServeTest {

  @TempDir private Path folder;

  private final HttpClient client = HttpClient.newHttpClient();
  private final DemoUpstream upstream = new DemoUpstream();
  private final List<Program> programs = new ArrayList<>();

  @AfterEach
  void stop() {
    programs.forEach(Program::close);
    upstream.close();
  }

  private Program serve(Path... files) {
    List<String> arguments = new ArrayList<>(List.of("serve"));
    for (Path file : files) {
      arguments.add(file.toString());
    }
    Program program = Program.start(arguments.toArray(String[]::new));
    programs.add(program);
    return program;
  }

  private static String file(URI upstream, String listen, String callerQuota) {
    return """
        server: { listen: "%s", admin: "127.0.0.1:0", node_id: gateway-01 }
        identity: { caller: ["header:X-App-Id"], trusted_proxies: [127.0.0.0/8] }
        routes: [{ match: "/**", upstream: service }]
        upstreams: { service: { targets: ["%s"] } }
        quotas: { caller: { default: %s } }
        """
        .formatted(listen, upstream, callerQuota);
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("quotatree.yaml"), text);
  }

  /** As careful programs and Kubernetes do it: the new file takes the old one's place at once. */
  private void replace(String text) throws IOException {
    Path fresh = Files.writeString(folder.resolve("fresh.yaml"), text);
    Files.move(fresh, folder.resolve("quotatree.yaml"), StandardCopyOption.ATOMIC_MOVE);
  }

  private static URI gateway(Program program) {
    return URI.create(program.says("gateway +(http://\\S+)").group(1));
  }

  private static URI admin(Program program) {
    return URI.create(program.says("admin +(http://[^/]+)/healthz").group(1));
  }

  private HttpResponse<String> get(URI base, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void serves_a_file_and_stops_with_0_on_sigterm() throws IOException, InterruptedException {
    Program program = serve(write(file(upstream.uri(), "127.0.0.1:0", "2/h")));
    URI gateway = gateway(program);
    URI admin = admin(program);
    program.says("caller +2/h");
    HttpResponse<String> answer = get(gateway, "/a", "X-App-Id", "app-a");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(answer.body()).getString("uri")).isEqualTo("/a");
    assertThat(get(gateway, "/a", "X-App-Id", "app-a").statusCode()).isEqualTo(200);
    HttpResponse<String> refused = get(gateway, "/a", "X-App-Id", "app-a");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("X-RateLimit-Key")).contains("caller:app-a");
    assertThat(get(admin, "/readyz").statusCode()).isEqualTo(200);
    assertThat(get(admin, "/metrics").body())
        .contains("quotatree_refusals_total{layer=\"caller\",subject=\"other\"} 1.0");
    program.terminate();
    assertThat(program.exitCode()).isZero();
    assertThat(program.output()).endsWith("stopped");
  }

  @Test
  void reads_a_changed_file_and_keeps_what_was_used() throws IOException, InterruptedException {
    Program program = serve(write(file(upstream.uri(), "127.0.0.1:0", "2/h")));
    URI gateway = gateway(program);
    assertThat(get(gateway, "/", "X-App-Id", "a").statusCode()).isEqualTo(200);
    assertThat(get(gateway, "/", "X-App-Id", "a").statusCode()).isEqualTo(200);
    assertThat(get(gateway, "/", "X-App-Id", "a").statusCode()).isEqualTo(429);
    for (int more = 3; more <= 5; more++) {
      replace(file(upstream.uri(), "127.0.0.1:0", more + "/h"));
      program.says("revision " + (more - 1));
      program.says("caller.default: .*" + more + "/h");
      assertThat(get(gateway, "/", "X-App-Id", "a").statusCode()).isEqualTo(200);
      assertThat(get(gateway, "/", "X-App-Id", "a").statusCode()).isEqualTo(429);
    }
  }

  @Test
  void a_changed_file_with_errors_changes_nothing_and_all_are_told()
      throws IOException, InterruptedException {
    Program program = serve(write(file(upstream.uri(), "127.0.0.1:0", "1/h")));
    URI gateway = gateway(program);
    URI admin = admin(program);
    assertThat(get(gateway, "/", "X-App-Id", "a").statusCode()).isEqualTo(200);
    replace(file(upstream.uri(), "127.0.0.1:0", "0/h, defualt: 5"));
    program.says("as they were");
    program.says("quotatree.yaml:5:\\d+: ");
    program.says("quotatree.yaml:5:\\d+: ");
    assertThat(get(gateway, "/", "X-App-Id", "a").statusCode()).isEqualTo(429);
    assertThat(get(gateway, "/", "X-App-Id", "b").statusCode()).isEqualTo(200);
    assertThat(get(admin, "/metrics").body()).contains("quotatree_config_errors_total 1.0");
  }

  @Test
  void sighup_reads_the_file_at_once() throws IOException {
    Program program = serve(write(file(upstream.uri(), "127.0.0.1:0", "1/h")));
    gateway(program);
    program.says("api +");
    program.signal("HUP");
    program.says("revision 2");
  }

  @Test
  void what_only_a_restart_changes_is_said() throws IOException {
    Program program = serve(write(file(upstream.uri(), "127.0.0.1:0", "1/h")));
    gateway(program);
    replace(file(upstream.uri(), "127.0.0.1:1", "1/h"));
    program.says("next start.*server.listen");
  }

  @Test
  void requests_under_way_are_finished_before_it_stops() throws Exception {
    try (ServerSocket slow = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI uri = URI.create("http://127.0.0.1:" + slow.getLocalPort());
      Program program = serve(write(file(uri, "127.0.0.1:0", "100/h")));
      URI gateway = gateway(program);
      CompletableFuture<HttpResponse<String>> answer =
          client.sendAsync(
              HttpRequest.newBuilder(gateway).build(), HttpResponse.BodyHandlers.ofString());
      try (Socket connection = slow.accept()) {
        program.terminate();
        program.says("finishing what is under way");
        connection
            .getOutputStream()
            .write(
                "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nat last"
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(answer.get().body()).isEqualTo("at last");
      }
      assertThat(program.exitCode()).isZero();
      assertThat(program.output()).endsWith("stopped");
    }
  }

  @Test
  void a_file_with_errors_ends_with_1_and_all_of_them() throws IOException {
    Program program = serve(write("quotas: { caler: {}, user: { default: 0/s } }\n"));
    assertThat(program.exitCode()).isEqualTo(1);
    assertThat(program.output())
        .contains("quotatree.yaml:1:11: ")
        .contains("caler")
        .contains("quotatree.yaml:1:")
        .contains("blocked")
        .doesNotContain("\tat ");
  }

  @Test
  void a_file_that_is_not_there_ends_with_2() {
    Program program = serve(folder.resolve("none.yaml"));
    assertThat(program.exitCode()).isEqualTo(2);
    assertThat(program.output()).contains("none.yaml: no such file").doesNotContain("\tat ");
  }

  @Test
  void an_address_that_is_taken_ends_with_2_and_is_named() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      Program program = serve(write(file(upstream.uri(), address, "1/h")));
      assertThat(program.exitCode()).isEqualTo(2);
      assertThat(program.output())
          .contains("cannot listen on " + address)
          .contains("`server`")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void without_a_file_it_shows_what_it_does() throws IOException, InterruptedException {
    Program program = serve();
    URI gateway = gateway(program);
    program.says("curl -i .*" + gateway.getAuthority());
    HttpResponse<String> answer =
        get(gateway, "/user/info", "X-App-Id", "shop", "X-User-Id", "ann");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("X-RateLimit-Scope")).contains("user");
    for (int i = 0; i < 20; i++) {
      get(gateway, "/user/info", "X-App-Id", "scraping-bot");
    }
    assertThat(
            get(gateway, "/user/info", "X-App-Id", "scraping-bot")
                .headers()
                .firstValue("X-RateLimit-Scope"))
        .contains("caller");
    program.says("Ctrl-C");
    program.signal("INT");
    assertThat(program.exitCode()).isZero();
  }

  private HttpResponse<String> post(URI base, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void every_refusal_is_in_the_log_file_when_it_has_stopped()
      throws IOException, InterruptedException {
    Path log = folder.resolve("decisions.jsonl");
    Program program =
        serve(
            write(
                "log: { decisions: "
                    + log
                    + ", allowed: 0% }\n"
                    + file(upstream.uri(), "127.0.0.1:0", "2/h")));
    URI gateway = gateway(program);
    for (int i = 0; i < 7; i++) {
      get(gateway, "/a", "X-App-Id", "app-a");
    }
    program.terminate();
    assertThat(program.exitCode()).isZero();
    List<String> lines = Files.readAllLines(log);
    assertThat(lines).hasSize(5);
    JsonObject line = new JsonObject(lines.get(4));
    assertThat(line.getString("node_id")).isEqualTo("gateway-01");
    assertThat(line.getString("final_hit_layer")).isEqualTo("caller");
  }

  @Test
  void refusals_go_to_the_standard_output_where_the_file_says_so() throws Exception {
    Program program =
        serve(
            write("log: { decisions: stdout }\n" + file(upstream.uri(), "127.0.0.1:0", "blocked")));
    URI gateway = gateway(program);
    get(gateway, "/a", "X-App-Id", "app-a");
    program.says("^\\{\"ts\":.*\"outcome\":\"refused\"");
  }

  @Test
  void sighup_opens_the_log_file_anew_after_it_was_moved() throws Exception {
    Path log = folder.resolve("decisions.jsonl");
    Program program =
        serve(
            write(
                "log: { decisions: "
                    + log
                    + ", allowed: 0% }\n"
                    + file(upstream.uri(), "127.0.0.1:0", "blocked")));
    URI gateway = gateway(program);
    get(gateway, "/a", "X-App-Id", "app-a");
    Files.move(log, folder.resolve("decisions.jsonl.old"));
    program.signal("HUP");
    program.says("revision 2");
    get(gateway, "/b", "X-App-Id", "app-a");
    program.terminate();
    assertThat(program.exitCode()).isZero();
    long lines = Files.exists(log) ? Files.readAllLines(log).size() : 0;
    assertThat(lines + Files.readAllLines(folder.resolve("decisions.jsonl.old")).size())
        .isEqualTo(2);
  }

  @Test
  void a_log_that_cannot_be_opened_ends_with_2() throws IOException {
    Program program =
        serve(
            write(
                "log: { decisions: "
                    + folder.resolve("none/d.jsonl")
                    + " }\n"
                    + file(upstream.uri(), "127.0.0.1:0", "1/h")));
    assertThat(program.exitCode()).isEqualTo(2);
    assertThat(program.output()).contains("log.decisions").doesNotContain("\tat ");
  }

  @Test
  void off_the_loopback_operators_need_the_token_and_a_new_one_holds_after_sighup()
      throws IOException, InterruptedException {
    Path token = Files.writeString(folder.resolve("token"), "0123456789abcdef\n");
    Program program =
        serve(
            write(
                file(upstream.uri(), "127.0.0.1:0", "1/h")
                    .replace(
                        "admin: \"127.0.0.1:0\"",
                        "admin: \"0.0.0.0:0\", admin_token: \"file:" + token + "\"")));
    URI gateway = gateway(program);
    URI admin = admin(program);
    assertThat(get(admin, "/readyz").statusCode()).isEqualTo(200);
    assertThat(get(admin, "/metrics").statusCode()).isEqualTo(401);
    assertThat(get(admin, "/admin/v1/quotas").statusCode()).isEqualTo(401);
    String first = "Bearer 0123456789abcdef";
    assertThat(get(admin, "/metrics", "Authorization", first).statusCode()).isEqualTo(200);
    get(gateway, "/a", "X-App-Id", "app-a");
    assertThat(get(gateway, "/a", "X-App-Id", "app-a").statusCode()).isEqualTo(429);
    HttpResponse<String> reset =
        post(
            admin,
            "/admin/v1/reset",
            "{\"layer\":\"caller\",\"subject\":\"app-a\",\"reason\":\"a call\"}",
            "Authorization",
            first);
    assertThat(reset.statusCode()).isEqualTo(200);
    program.says("audit \\{.*\"who\":\"the admin token, from 127.0.0.1\".*\"why\":\"a call\"");
    assertThat(get(gateway, "/a", "X-App-Id", "app-a").statusCode()).isEqualTo(200);
    Files.writeString(token, "fedcba9876543210");
    program.signal("HUP");
    program.says("revision 2");
    assertThat(get(admin, "/metrics", "Authorization", first).statusCode()).isEqualTo(401);
    assertThat(get(admin, "/metrics", "Authorization", "Bearer fedcba9876543210").statusCode())
        .isEqualTo(200);
  }

  @Test
  void a_token_that_is_not_there_ends_with_2() throws IOException {
    Program program =
        serve(
            write(
                file(upstream.uri(), "127.0.0.1:0", "1/h")
                    .replace(
                        "admin: \"127.0.0.1:0\"",
                        "admin: \"0.0.0.0:0\", admin_token: env:QT_NO_SUCH_TOKEN")));
    assertThat(program.exitCode()).isEqualTo(2);
    assertThat(program.output())
        .contains("server.admin_token: the environment has no QT_NO_SUCH_TOKEN")
        .doesNotContain("\tat ");
  }

  @Test
  void a_reload_can_be_asked_for_by_the_admin_address() throws IOException, InterruptedException {
    Path path = write(file(upstream.uri(), "127.0.0.1:0", "1/h"));
    Program program = serve(path);
    gateway(program);
    URI admin = admin(program);
    HttpResponse<String> same = post(admin, "/admin/v1/reload", "{}");
    assertThat(same.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(same.body()).getLong("revision")).isEqualTo(2);
    program.says("audit \\{.*\"what\":\"reload\"");
    JsonObject quotas = new JsonObject(get(admin, "/admin/v1/quotas").body());
    assertThat(quotas.getLong("revision")).isEqualTo(2);
    assertThat(quotas.getString("file")).isEqualTo(path.toString());
  }

  @Test
  void the_demo_has_nothing_to_reload() throws IOException, InterruptedException {
    Program program = serve();
    gateway(program);
    assertThat(post(admin(program), "/admin/v1/reload", "{}").statusCode()).isEqualTo(409);
  }
}
