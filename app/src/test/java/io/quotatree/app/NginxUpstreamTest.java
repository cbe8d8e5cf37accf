package io.quotatree.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.testkit.programs.DebianProgram;
import io.quotatree.testkit.programs.Nginx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** With nginx behind the gateway, curl gets through it what it gets from nginx itself. */
final class NginxUpstreamTest {

  private static final int BODY_BYTES = 1 << 20;
  private static final byte[] BODY = new byte[BODY_BYTES];

  static {
    new Random(7).nextBytes(BODY);
  }

  @TempDir private static Path nginxFolder;
  @TempDir private static Path folder;

  private static Path body;
  private static Nginx nginx;
  private static Served served;
  private static Curl curl;

  @BeforeAll
  static void start() throws IOException {
    Path files = Files.createDirectory(nginxFolder.resolve("files"));
    Files.writeString(files.resolve("lines.txt"), "one line as good as another\n".repeat(40_000));
    nginx =
        Nginx.start(
            nginxFolder,
            """
            client_max_body_size 8m;
            server {
              listen 127.0.0.1:${port};
              location /files/ { root .; dav_methods PUT; }
              location /packed/ { alias files/; gzip on; gzip_types text/plain; }
              location = /moved { return 301 /files/lines.txt; }
              location /connection { return 200 "$connection $connection_requests,"; }
            }
            """);
    served =
        Served.in(
            folder,
            """
            server: { listen: "127.0.0.1:0", admin: "127.0.0.1:0" }
            identity: { caller: ["header:X-App-Id"], trusted_proxies: [127.0.0.0/8] }
            routes: [{ match: "/**", upstream: service }]
            upstreams: { service: { targets: ["http://127.0.0.1:%d"] } }
            quotas: { caller: { default: 100000/h, overrides: { spent: blocked } } }
            """
                .formatted(nginx.port()));
    body = Files.write(folder.resolve("body"), BODY);
    curl = new Curl(folder);
  }

  @AfterAll
  static void stop() {
    served.close();
    nginx.close();
  }

  static Stream<Arguments> uploads() {
    return Stream.of(
        Arguments.of("length", List.of("--http1.1")),
        Arguments.of("chunked", List.of("--http1.1", "--header", "Transfer-Encoding: chunked")),
        Arguments.of("h2", List.of("--http2-prior-knowledge")));
  }

  @ParameterizedTest
  @MethodSource("uploads")
  void a_mebibyte_arrives_whole_both_ways(String name, List<String> how) throws IOException {
    String address = served.at("/files/" + name);
    Curl.Answer stored = ask(how, "--upload-file", body.toString(), address);
    assertThat(stored.status()).isEqualTo(201);
    assertThat(Files.readAllBytes(nginxFolder.resolve("files").resolve(name))).isEqualTo(BODY);
    Curl.Answer fetched = ask(how, address);
    assertThat(fetched.status()).isEqualTo(200);
    assertThat(fetched.body()).isEqualTo(BODY);
  }

  private static Curl.Answer ask(List<String> how, String... arguments) {
    return curl.ask(Stream.concat(how.stream(), Stream.of(arguments)).toArray(String[]::new));
  }

  /** What is asked of nginx, and the status that it must have, lest both answer nonsense alike. */
  static Stream<Arguments> questions() {
    return Stream.of(
        Arguments.of(200, "/files/lines.txt", List.of()),
        Arguments.of(200, "/files/lines.txt", List.of("--head")),
        Arguments.of(206, "/files/lines.txt", List.of("--range", "1000-1999")),
        Arguments.of(206, "/files/lines.txt", List.of("--range", "0-9,-5")),
        Arguments.of(416, "/files/lines.txt", List.of("--range", "9000000-")),
        Arguments.of(304, "/files/lines.txt", List.of("--header", "If-None-Match: ETAG")),
        Arguments.of(200, "/files/lines.txt", List.of("--header", "If-None-Match: \"other\"")),
        Arguments.of(412, "/files/lines.txt", List.of("--header", "If-Match: \"other\"")),
        Arguments.of(200, "/packed/lines.txt", List.of("--header", "Accept-Encoding: gzip")),
        Arguments.of(200, "/packed/lines.txt", List.of()),
        Arguments.of(404, "/files/none", List.of()),
        Arguments.of(405, "/files/lines.txt", List.of("--data", "a=b")),
        Arguments.of(301, "/moved", List.of()));
  }

  @ParameterizedTest
  @MethodSource("questions")
  void an_answer_passes_as_nginx_gave_it(int status, String path, List<String> how) {
    String direct = "http://127.0.0.1:" + nginx.port();
    String etag = curl.ask("--head", direct + "/files/lines.txt").field("etag");
    List<String> words = how.stream().map(word -> word.replace("ETAG", etag)).toList();
    Curl.Answer own = ask(words, direct + path);
    assertThat(own.status()).isEqualTo(status);
    for (String version : List.of("--http1.1", "--http2-prior-knowledge")) {
      Curl.Answer passed = ask(words, version, served.at(path));
      assertThat(passed.status()).as(version).isEqualTo(status);
      assertThat(ofTheAnswer(passed)).as(version).isEqualTo(ofTheAnswer(own));
      assertThat(withoutBoundary(passed)).as(version).isEqualTo(withoutBoundary(own));
    }
  }

  /** The fields that tell of the answer, and not of the connection, the moment or a quota. */
  private static Map<String, String> ofTheAnswer(Curl.Answer answer) {
    Map<String, String> fields = new TreeMap<>(answer.fields());
    fields
        .keySet()
        .removeIf(
            name -> name.matches("date|connection|keep-alive|transfer-encoding|(x-)?ratelimit.*"));
    fields.replaceAll((name, value) -> value.replaceAll("boundary=\\d+", "boundary="));
    return fields;
  }

  /** The body; nginx makes up a line between parts each time. */
  private static String withoutBoundary(Curl.Answer answer) {
    return new String(answer.body(), ISO_8859_1).replaceAll("\r\n--\\d{10,}", "\r\n--");
  }

  @Test
  void what_nginx_packs_stays_packed() {
    Curl.Answer packed =
        curl.ask("--header", "Accept-Encoding: gzip", served.at("/packed/lines.txt"));
    assertThat(packed.field("content-encoding")).isEqualTo("gzip");
    assertThat(packed.field("transfer-encoding")).isEqualTo("chunked");
    assertThat(packed.field("etag")).startsWith("W/");
    assertThat(packed.body()).hasSizeBetween(100, 100_000).startsWith(0x1f, 0x8b);
  }

  @Test
  void connections_to_nginx_are_kept() {
    String said = DebianProgram.CURL.run("--silent", served.at("/connection?[1-20]"));
    List<String[]> answers = Stream.of(said.split(",")).map(each -> each.split(" ")).toList();
    assertThat(answers).hasSize(20).allMatch(each -> each[0].equals(answers.get(0)[0]));
    int first = Integer.parseInt(answers.get(0)[1]);
    assertThat(answers.stream().map(each -> Integer.parseInt(each[1])))
        .isEqualTo(IntStream.range(first, first + 20).boxed().toList());
  }

  @Test
  void curl_is_told_to_go_on_before_it_sends_a_body() {
    Curl.Answer stored = upload("shop");
    assertThat(stored.heads()).containsExactly("HTTP/1.1 100 Continue", "HTTP/1.1 201 Created");
    assertThat(stored.uploadedBytes()).isEqualTo(BODY_BYTES);
  }

  @Test
  void curl_never_sends_the_body_of_a_request_that_is_refused() {
    Curl.Answer refused = upload("spent");
    assertThat(refused.heads()).containsExactly("HTTP/1.1 429 Too Many Requests");
    assertThat(refused.uploadedBytes()).isZero();
    assertThat(nginxFolder.resolve("files/by-spent")).doesNotExist();
  }

  private static Curl.Answer upload(String caller) {
    return curl.ask(
        "--http1.1",
        "--header",
        "Expect: 100-continue",
        "--expect100-timeout",
        "50",
        "--header",
        "X-App-Id: " + caller,
        "--upload-file",
        body.toString(),
        served.at("/files/by-" + caller));
  }
}
