package io.quotatree.bench.gateway;

import io.quotatree.testkit.programs.DebianProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests that wrk sends: all alike, each as soon as its connection's last answer is whole.
 *
 * @param fields header fields of each request, {@code NAME: VALUE}
 * @param script a Lua script that says more of them; empty for none
 */
record Load(List<String> fields, String script) {

  private static final String CONNECTIONS = "-c64";
  private static final Pattern ANSWERED =
      Pattern.compile("(\\d+) requests in .*?Requests/sec: +([0-9.]+)", Pattern.DOTALL);
  private static final Pattern WRONG = Pattern.compile("Non-2xx.*|Socket errors.*");

  /** A call that meets four layers. */
  static final Load CALL = new Load(List.of("X-App-Id: shop", "X-User-Id: ann"), "");

  /** An OPTIONS that counts like any method; it differs from {@link #FREE} in one name alone. */
  static final Load COUNTED = options("Access-Control-Request-Counted: GET");

  /** A browser's question, about which nothing is decided. */
  static final Load FREE = options("Access-Control-Request-Method: GET");

  /**
   * What was answered.
   *
   * @param requests how many
   * @param perSecond by the wall
   */
  record Answered(long requests, double perSecond) {}

  private static Load options(String field) {
    List<String> fields = new ArrayList<>(CALL.fields());
    fields.add("Origin: https://shop.example");
    fields.add(field);
    return new Load(fields, "wrk.method = \"OPTIONS\"\n");
  }

  /**
   * Sends requests for so long.
   *
   * @throws IllegalStateException if one of them was not answered well: what is measured then is
   *     something else
   */
  Answered send(int port, int seconds, Path folder) {
    List<String> words = new ArrayList<>(List.of("-t1", CONNECTIONS, "-d" + seconds + "s"));
    words.addAll(List.of("--timeout", "30s"));
    for (String field : fields) {
      words.addAll(List.of("-H", field));
    }
    if (!script.isEmpty()) {
      words.addAll(List.of("-s", file(folder).toString()));
    }
    words.add("http://127.0.0.1:" + port + "/user/7");
    String said = DebianProgram.WRK.run(words.toArray(String[]::new));
    Matcher wrong = WRONG.matcher(said);
    if (wrong.find()) {
      throw new IllegalStateException("port " + port + ": " + wrong.group());
    }
    return read(said);
  }

  private Path file(Path folder) {
    try {
      return Files.writeString(folder.resolve("load.lua"), script);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Answered read(String said) {
    Matcher answered = ANSWERED.matcher(said);
    if (!answered.find()) {
      throw new IllegalStateException("wrk says nothing of requests: " + said);
    }
    return new Answered(Long.parseLong(answered.group(1)), Double.parseDouble(answered.group(2)));
  }
}
