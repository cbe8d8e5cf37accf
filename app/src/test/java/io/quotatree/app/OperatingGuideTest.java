package io.quotatree.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide for operators has its readers type, typed, with curl; and what it says comes. */
final class OperatingGuideTest {

  private static final Path GUIDE = Path.of("..", "docs", "guide", "operating.md");
  private static final String ANYTHING = "…";
  private static final int LOOKS = 100;

  private static final Pattern FILE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final Pattern EXAMPLE =
      Pattern.compile("```sh\n(.*?)```\n\n```(json|text)\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void every_command_answers_what_the_guide_says() throws Exception {
    String guide = Files.readString(GUIDE);
    try (DemoUpstream upstream = new DemoUpstream();
        Program program = serve(guide, upstream.uri())) {
      String gateway = URI.create(program.says("gateway +(\\S+)").group(1)).getAuthority();
      String admin =
          URI.create(program.says("admin +(http://[^/]+)/healthz").group(1)).getAuthority();
      List<MatchResult> examples = EXAMPLE.matcher(guide).results().toList();
      assertThat(examples).hasSizeGreaterThan(9);
      for (MatchResult example : examples) {
        String command =
            example.group(1).replace("127.0.0.1:8080", gateway).replace("127.0.0.1:9090", admin);
        assertAnswers(command, example.group(3).strip());
      }
    }
  }

  private Program serve(String guide, URI upstream) throws IOException {
    String file = FILE.matcher(guide).results().findFirst().orElseThrow().group(1);
    Files.writeString(
        folder.resolve("quotatree.yaml"),
        file.replace("127.0.0.1:8080", "127.0.0.1:0")
            .replace("127.0.0.1:9090", "127.0.0.1:0")
            .replace("allowed: 1%", "allowed: 0%")
            .replace("http://127.0.0.1:9001", upstream.toString()));
    return Program.startIn(folder, "serve", "quotatree.yaml");
  }

  private void assertAnswers(String command, String expected) throws Exception {
    String answer = run(command);
    // The log is written a moment after its request was answered.
    for (int i = 0; command.startsWith("tail") && answer.isEmpty() && i < LOOKS; i++) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      answer = run(command);
    }
    if (!expected.startsWith("{")) {
      assertThat(answer).as(command).isEqualTo(expected);
    } else if (!fits(new JsonObject(expected), new JsonObject(answer))) {
      assertThat(answer).as(command).isEqualTo(expected);
    }
  }

  private String run(String command) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.strip();
  }

  /** Whether an answer is what was expected, where … stands for anything. */
  private static boolean fits(Object expected, Object answer) {
    if (ANYTHING.equals(expected)) {
      return true;
    }
    if (expected instanceof JsonObject wanted && answer instanceof JsonObject given) {
      return wanted.fieldNames().equals(given.fieldNames())
          && wanted.fieldNames().stream()
              .allMatch(name -> fits(wanted.getValue(name), given.getValue(name)));
    }
    if (expected instanceof JsonArray wanted && answer instanceof JsonArray given) {
      boolean fit = wanted.size() == given.size();
      for (int i = 0; fit && i < wanted.size(); i++) {
        fit = fits(wanted.getValue(i), given.getValue(i));
      }
      return fit;
    }
    return Json.encode(expected).equals(Json.encode(answer));
  }
}
