package io.quotatree.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.scenario.ScenarioReader;
import io.quotatree.scenario.ScenarioReading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CheckCommandTest {

  private static final Path ACCEPTED = Path.of("src/test/resources/accept");

  @TempDir private Path folder;

  private static final Path EXAMPLES = Path.of("../examples");
  private static final Path FIXTURES = Path.of("../quotafile/src/test/resources");

  static List<Path> quotasOfFieldReports() throws IOException {
    return files(ACCEPTED, ".quotas.yaml");
  }

  static List<Path> mistakes() throws IOException {
    return files(FIXTURES.resolve("errors"), ".yaml");
  }

  static List<Path> oddities() throws IOException {
    return files(FIXTURES.resolve("warnings"), ".yaml");
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void every_known_mistake_is_exit_1_and_each_line_tells_its_place(Path file) {
    Ran ran = Ran.quotatree("check", file.toString());
    assertThat(ran.code()).isEqualTo(1);
    List<String> lines = ran.out().lines().toList();
    assertThat(lines).last().asString().matches(Pattern.quote(file + ": ") + "[0-9]+ errors?");
    assertThat(lines.subList(0, lines.size() - 1))
        .allMatch(line -> line.matches(Pattern.quote(file + ":") + "[0-9]+:[0-9]+: .*"));
  }

  @ParameterizedTest
  @MethodSource("oddities")
  void every_known_oddity_is_a_warning_and_exit_0(Path file) {
    Ran ran = Ran.quotatree("check", file.toString());
    assertThat(ran.code()).as(ran.out()).isZero();
    assertThat(ran.out()).contains(": warning: ").contains(file + ": ok, ");
  }

  @Test
  void every_quota_file_among_the_examples_is_fine() throws IOException {
    for (Path file : files(EXAMPLES, ".yaml")) {
      if (ScenarioReader.read(file) instanceof ScenarioReading.Other) {
        Ran ran = Ran.quotatree("check", file.toString());
        assertThat(ran.code()).as(ran.out()).isZero();
      }
    }
  }

  private static List<Path> files(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("quotasOfFieldReports")
  void the_quotas_of_field_reports_are_fine(Path file) {
    Ran ran = Ran.quotatree("check", file.toString());
    assertThat(ran.code()).as(ran.out()).isZero();
    assertThat(ran.out()).contains(file + ": ok");
  }

  @Test
  void a_file_that_is_fine_is_a_line_and_exit_0() throws IOException {
    Path file = write("q.yaml", "quotas: { caller: { default: 10/min } }\n");
    assertThat(Ran.quotatree("check", file.toString())).isEqualTo(new Ran(0, file + ": ok\n", ""));
  }

  @Test
  void warnings_are_printed_and_counted_and_still_exit_0() throws IOException {
    Path file = write("q.yaml", "quotas: { caller: { default: 10/h } }\n");
    Ran ran = Ran.quotatree("check", file.toString());
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .startsWith(file + ":1:30: warning: ")
        .endsWith("\n" + file + ": ok, 1 warning\n");
  }

  @Test
  void errors_are_printed_all_at_once_and_counted_with_exit_1() throws IOException {
    Path file =
        write("q.yaml", "quotas:\n  caller: { defalt: 10/min }\n  user: { default: ten }\n");
    Ran ran = Ran.quotatree("check", file.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .startsWith(file + ":2:13: unknown key `defalt`; write `default`\n" + file + ":3:20: `ten`")
        .endsWith("\n" + file + ": 2 errors\n");
  }

  @Test
  void several_files_are_checked_and_one_that_is_missing_is_exit_2() throws IOException {
    Path fine = write("q.yaml", "quotas: { caller: { default: 10/min } }\n");
    Path missing = folder.resolve("missing.yaml");
    assertThat(Ran.quotatree("check", missing.toString(), fine.toString()))
        .isEqualTo(new Ran(2, fine + ": ok\n", "quotatree check: " + missing + ": no such file\n"));
  }

  @Test
  void a_folder_is_exit_2() {
    assertThat(Ran.quotatree("check", folder.toString()))
        .isEqualTo(
            new Ran(2, "", "quotatree check: " + folder + ": a folder; name a file in it\n"));
  }

  @Test
  void an_empty_file_is_exit_1() throws IOException {
    Path file = write("q.yaml", "");
    Ran ran = Ran.quotatree("check", file.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).startsWith(file + ":1:1: ").endsWith(file + ": 1 error\n");
  }

  @Test
  void json_tells_each_problem_with_its_place() throws IOException {
    Path file = write("q.yaml", "quotas: { caller: { defalt: 10/min } }\n");
    Ran ran = Ran.quotatree("check", "--json", file.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out().replaceAll("\\s", ""))
        .isEqualTo(
            "{\"ok\":false,\"files\":[{\"file\":\""
                + file
                + "\",\"ok\":false,\"problems\":[{\"severity\":\"error\",\"file\":\""
                + file
                + "\",\"line\":1,\"column\":21,"
                + "\"message\":\"unknownkey`defalt`;write`default`\"}]}]}");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
