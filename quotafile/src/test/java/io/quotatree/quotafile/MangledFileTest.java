package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.Policy;
import io.quotatree.quotafile.yaml.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that hands or machines have mangled: read or refused with places, and never with an
 * exception.
 */
class MangledFileTest {

  private static final int FILES_PER_SEED = 1_500;

  private static final Pattern PARTS =
      Pattern.compile("\\s+|[\\[\\]{},:\"*&#]|[^\\s\\[\\]{},:\"*&#]+");

  private static final List<String> STRANGE =
      List.of(
          "",
          "0",
          "0/s",
          "-1",
          "1/s",
          "100/min",
          "1000M/366day",
          "unlimited",
          "blocked",
          "[]",
          "{}",
          "null",
          "~",
          "*",
          "&a ",
          "*a",
          "<<",
          "!!str ",
          "sliding_log",
          "leaky_bucket",
          "GET /a/**",
          "/{x}/{y}",
          "/**",
          "app-*",
          "true",
          ":",
          "- ",
          "\n",
          "\t",
          "\"",
          "'",
          "|",
          "999999999999",
          "S",
          "é",
          "\u0000");

  private static List<String> parts() throws IOException {
    String text = Files.readString(Path.of("src/test/resources/valid/everything.yaml"));
    List<String> parts = new ArrayList<>();
    Matcher matcher = PARTS.matcher(text);
    while (matcher.find()) {
      parts.add(matcher.group());
    }
    return parts;
  }

  private static String mangled(List<String> whole, Random random) {
    List<String> parts = new ArrayList<>(whole);
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      int at = random.nextInt(parts.size());
      switch (random.nextInt(5)) {
        case 0 -> parts.remove(at);
        case 1 -> parts.add(at, parts.get(random.nextInt(parts.size())));
        case 2 -> parts.set(at, parts.get(random.nextInt(parts.size())));
        case 3 -> parts.set(at, STRANGE.get(random.nextInt(STRANGE.size())));
        default -> parts.add(at, STRANGE.get(random.nextInt(STRANGE.size())));
      }
    }
    return String.join("", parts);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void no_file_is_read_with_an_exception_and_what_is_sound_compiles(long seed) throws IOException {
    List<String> whole = parts();
    Random random = new Random(seed);
    int sound = 0;
    for (int i = 0; i < FILES_PER_SEED; i++) {
      String text = mangled(whole, random);
      try {
        sound += read(text) ? 1 : 0;
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError("seed " + seed + ", file " + i + ":\n" + text, e);
      }
    }
    assertThat(sound).isBetween(FILES_PER_SEED / 50, FILES_PER_SEED / 2);
  }

  private static boolean read(String text) {
    Reading reading = QuotaFiles.read("mangled.yaml", text.getBytes(StandardCharsets.UTF_8));
    if (reading instanceof Reading.Sound good) {
      Policy.compile(good.file().quotas(), "gateway-01");
      return true;
    }
    long lines = text.lines().count() + 1;
    for (Problem error : ((Reading.Faulty) reading).errors()) {
      assertThat(error.line()).isBetween(1, (int) lines);
      assertThat(error.column()).isPositive();
      assertThat(error.text()).contains("; ");
    }
    return false;
  }
}
