package io.quotatree.app;

import io.quotatree.testkit.programs.DebianProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Requests by the real curl. */
final class Curl {

  private static final String TOLD = "told: %{http_code} %{http_version} %{size_upload}";
  private static final Pattern HEADS = Pattern.compile("\r\n\r\n");

  private final Path folder;

  /**
   * @param folder where it keeps what it gets, until the next request
   */
  Curl(Path folder) {
    this.folder = folder;
  }

  /**
   * What curl got.
   *
   * @param heads the status lines in their order, those of 1xx too
   * @param fields those of the last head, by their names in lower case
   * @param uploadedBytes how much of a body it sent
   */
  record Answer(
      int status,
      String version,
      List<String> heads,
      Map<String, String> fields,
      byte[] body,
      long uploadedBytes) {

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    String field(String name) {
      return Objects.requireNonNull(fields.get(name), () -> "no field " + name + " in " + fields);
    }
  }

  /** Asks once; curl must hold the answer for whole. */
  Answer ask(String... arguments) {
    Path head = folder.resolve("curl.head");
    Path body = folder.resolve("curl.body");
    List<String> words = new ArrayList<>(List.of("--silent", "--show-error", "--max-time", "60"));
    words.addAll(List.of("--dump-header", head.toString(), "--output", body.toString()));
    words.addAll(List.of("--write-out", TOLD));
    Collections.addAll(words, arguments);
    try {
      Files.deleteIfExists(body);
      String said = DebianProgram.CURL.run(words.toArray(String[]::new));
      String[] told = said.substring(said.indexOf("told: ")).split(" ");
      // An answer without a body leaves no file; asked for a head alone, curl puts that there.
      boolean headAlone = words.contains("--head");
      byte[] got = headAlone || Files.notExists(body) ? new byte[0] : Files.readAllBytes(body);
      List<String> heads =
          List.of(HEADS.split(Files.readString(head, StandardCharsets.ISO_8859_1)));
      return new Answer(
          Integer.parseInt(told[1]),
          told[2],
          heads.stream().map(each -> each.lines().findFirst().orElse("").strip()).toList(),
          fields(heads.get(heads.size() - 1)),
          got,
          Long.parseLong(told[3]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> fields(String head) {
    Map<String, String> fields = new TreeMap<>();
    head.lines()
        .skip(1)
        .map(line -> line.split(":", 2))
        .forEach(
            pair ->
                fields.merge(
                    pair[0].toLowerCase(Locale.ROOT),
                    pair[1].strip(),
                    (first, second) -> first + ", " + second));
    return fields;
  }
}
