package io.quotatree.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide's lines do what it says when they are typed, one after the other. */
class DecisionGuideTest {

  private static final Path GUIDE = Path.of("..", "docs", "guide", "the-decision-api.md");
  private static final Pattern BLOCK =
      Pattern.compile("```(yaml|sh|json)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern ID = Pattern.compile("\"[0-9a-f]{32}\"");

  @Test
  void every_line_of_the_guide_is_answered_as_it_says() throws IOException, InterruptedException {
    List<MatchResult> blocks = BLOCK.matcher(Files.readString(GUIDE)).results().toList();
    List<String> expected = new ArrayList<>();
    List<String> came = new ArrayList<>();
    try (RunningGateway gateway = started(blocks.get(0).group(2))) {
      String id = "";
      for (int i = 1; i + 1 < blocks.size(); i++) {
        if (blocks.get(i).group(1).equals("sh") && blocks.get(i + 1).group(1).equals("json")) {
          String answer = typed(blocks.get(i).group(2), gateway.adminPort(), id);
          MatchResult first = ID.matcher(answer).results().findFirst().orElse(null);
          id = id.isEmpty() && first != null ? first.group() : id;
          expected.add(anyIds(blocks.get(i + 1).group(2)));
          came.add(anyIds(answer));
        }
      }
    }
    assertThat(came).hasSizeGreaterThan(5).containsExactlyElementsOf(expected);
  }

  private static RunningGateway started(String quotas) {
    byte[] text = quotas.getBytes(StandardCharsets.UTF_8);
    Reading.Sound read = (Reading.Sound) QuotaFiles.read("quotatree.yaml", text);
    return RunningGateway.of(read.file().quotas()).deciding(100).start();
  }

  private static String typed(String line, int port, String id)
      throws IOException, InterruptedException {
    String here = line.replace("localhost:9090", "127.0.0.1:" + port);
    String command = id.isEmpty() ? here : ID.matcher(here).replaceAll(id);
    Process shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
    String out = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(out).isZero();
    return out.strip();
  }

  private static String anyIds(String json) {
    return ID.matcher(json.replaceAll("\n *", "").strip()).replaceAll("\"ID\"");
  }
}
