package io.quotatree.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

class TestCommandTest {

  private static final String PASSES =
      """
      name: two a minute
      quotas: { caller: { default: 2/min } }
      steps:
        - send: { caller: a, api: GET /x, times: 3 }
          expect: { allowed: 2, refused: 1 }
      """;

  private static final String FAILS =
      """
      name: wrong figures
      quotas: { caller: { default: 2/min } }
      steps:
        - send: { caller: a, api: GET /x }
        - at: 30s
          send: { caller: a, user: u1, api: GET /x, times: 3 }
          expect: { allowed: 3, layer: user, retry_after: 30s }
      """;

  private static final String FAULTY =
      """
      quotas: { caller: { defalt: 2/min } }
      steps:
        - sent: { caller: a, api: GET /x }
      """;

  @TempDir private Path folder;

  @Test
  void a_scenario_that_passes_is_a_line_and_exit_0() throws IOException {
    Path file = write("s.yaml", PASSES);
    assertThat(Ran.quotatree("test", file.toString()))
        .isEqualTo(new Ran(0, "ok    " + file + ": two a minute\n1 passed, 0 failed\n", ""));
  }

  @Test
  void a_scenario_that_fails_tells_its_step_and_what_came_with_exit_1() throws IOException {
    Path file = write("s.yaml", FAILS);
    assertThat(Ran.quotatree("test", file.toString()))
        .isEqualTo(
            new Ran(
                1,
                """
                FAIL  FILE: wrong figures
                      FILE:5: step 2 at 30s (send GET /x of a/u1, 3 times)
                        allowed: expected 3, came 2
                        layer: expected user, came caller
                0 passed, 1 failed
                """
                    .replace("FILE", file.toString()),
                ""));
  }

  @Test
  void a_scenario_with_errors_tells_them_all_with_exit_1() throws IOException {
    Path file = write("s.yaml", FAULTY);
    assertThat(Ran.quotatree("test", file.toString()))
        .isEqualTo(
            new Ran(
                1,
                """
                FAIL  FILE
                      FILE:1:21: unknown key `defalt`; write `default`
                      FILE:3:5: unknown key `sent`; write `send`
                0 passed, 1 failed
                """
                    .replace("FILE", file.toString()),
                ""));
  }

  @Test
  void in_a_folder_every_scenario_at_any_depth_is_run_and_others_are_skipped() throws IOException {
    Files.createDirectories(folder.resolve("a/b"));
    Path deep = write("a/b/deep.yml", PASSES);
    Path failing = write("fails.yaml", FAILS);
    write("quotas.yaml", "quotas: { caller: { default: 2/min } }");
    write("broken.yaml", "a: {");
    write("scenario.txt", PASSES);
    Ran ran = Ran.quotatree("test", folder.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out())
        .startsWith("ok    " + deep + ": two a minute\nFAIL  " + failing)
        .endsWith("1 passed, 1 failed\n");
  }

  @Test
  void a_broken_scenario_in_a_folder_is_not_skipped() throws IOException {
    write("s.yaml", "steps:\n  - send: { api: GET /x\n");
    Ran ran = Ran.quotatree("test", folder.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).endsWith("0 passed, 1 failed\n");
  }

  @Test
  void a_scenario_that_is_named_twice_is_run_once() throws IOException {
    Path file = write("s.yaml", PASSES);
    assertThat(Ran.quotatree("test", file.toString(), folder.toString()).out())
        .endsWith("1 passed, 0 failed\n");
  }

  @Test
  void no_scenario_is_exit_2() throws IOException {
    Path file = write("q.yaml", "quotas: {}");
    assertThat(Ran.quotatree("test", folder.toString()))
        .isEqualTo(
            new Ran(
                2,
                "",
                "quotatree test: no scenario found in "
                    + folder
                    + "; a scenario is a *.yaml or *.yml file with `steps` at its top level\n"));
    assertThat(Ran.quotatree("test", file.toString()))
        .isEqualTo(
            new Ran(
                2,
                "",
                "quotatree test: "
                    + file
                    + ": no scenario; a scenario is a YAML file with `steps` at its top level\n"));
  }

  @Test
  void a_file_that_is_not_there_is_exit_2() {
    Path file = folder.resolve("missing.yaml");
    assertThat(Ran.quotatree("test", file.toString()))
        .isEqualTo(new Ran(2, "", "quotatree test: " + file + ": no such file\n"));
  }

  @Test
  void json_is_one_object_with_every_scenario() throws IOException {
    write("fails.yaml", FAILS);
    write("passes.yaml", PASSES);
    Ran ran = Ran.quotatree("test", "--json", folder.toString());
    assertThat(ran.code()).isEqualTo(1);
    try (JsonParser parser = new JsonFactory().createParser(ran.out())) {
      while (parser.nextToken() != null) {
        // reading to the end proves that it is JSON
      }
    }
    assertThat(ran.out().replaceAll("\\s+", ""))
        .startsWith("{\"passed\":1,\"failed\":1,\"scenarios\":[{")
        .contains("\"failed_steps\":[{\"step\":2,\"line\":5,\"at_ms\":30000,")
        .contains("{\"key\":\"allowed\",\"expected\":\"3\",\"came\":\"2\"}");
  }

  @Test
  void the_junit_report_has_a_testcase_for_every_scenario() throws Exception {
    write("fails.yaml", FAILS.replace("wrong figures", "\"wrong <figures> \\e\""));
    write("faulty.yaml", FAULTY);
    write("passes.yaml", PASSES);
    Path report = folder.resolve("reports/quotas.xml");
    Ran ran = Ran.quotatree("test", folder.toString(), "--junit", report.toString());
    assertThat(ran.out()).endsWith("1 passed, 2 failed\n");

    Element root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getDocumentElement();
    Element suite = (Element) root.getElementsByTagName("testsuite").item(0);
    assertThat(Stream.of("tests", "failures", "errors", "skipped").map(suite::getAttribute))
        .containsExactly("3", "1", "1", "0");
    Element failing = (Element) suite.getElementsByTagName("testcase").item(0);
    assertThat(failing.getAttribute("name")).isEqualTo("wrong <figures> \uFFFD");
    assertThat(failing.getAttribute("classname"))
        .isEqualTo(folder.resolve("fails.yaml").toString());
    Element failure = (Element) failing.getElementsByTagName("failure").item(0);
    assertThat(failure.getAttribute("message"))
        .isEqualTo("step 2 at 30s (send GET /x of a/u1, 3 times): allowed: expected 3, came 2");
    assertThat(suite.getElementsByTagName("error").item(0).getTextContent())
        .contains("faulty.yaml:1:21: unknown key `defalt`; write `default`");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
