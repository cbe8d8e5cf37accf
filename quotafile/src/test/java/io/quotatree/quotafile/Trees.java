package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import io.quotatree.quotafile.yaml.YamlText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Trees and files of short texts, and quotas in short words. */
final class Trees {

  private Trees() {}

  /** The tree of a quotas section without errors. */
  static QuotaTree of(String section) {
    Problems problems = new Problems("test.yaml");
    Yaml yaml = YamlText.read(section, problems).orElseThrow();
    Optional<QuotaTree> tree = QuotaFiles.quotas(yaml, problems);
    assertThat(problems.errors()).isEmpty();
    return tree.orElseThrow();
  }

  /** What came of reading a file of this text. */
  static Reading read(String text) {
    return QuotaFiles.read("test.yaml", text.getBytes(StandardCharsets.UTF_8));
  }

  /** A file without errors. */
  static QuotaFile file(String text) {
    Reading reading = read(text);
    assertThat(reading).isInstanceOf(Reading.Sound.class);
    return ((Reading.Sound) reading).file();
  }

  /** The errors of a file, as they are printed. */
  static List<String> errors(String text) {
    Reading reading = read(text);
    assertThat(reading).isInstanceOf(Reading.Faulty.class);
    return ((Reading.Faulty) reading).errors().stream().map(Object::toString).toList();
  }

  static CallerOverride caller(QuotaTree tree, String pattern) {
    return tree.caller().overrides().stream()
        .filter(line -> line.pattern().equals(pattern))
        .findFirst()
        .orElseThrow();
  }

  static ApiRule api(QuotaTree tree, String name) {
    return tree.api().lines().stream()
        .filter(line -> line.name().equals(name))
        .findFirst()
        .orElseThrow()
        .rule();
  }

  /** A quota in words. */
  static String words(@Nullable Quota quota) {
    return QuotaWords.of(quota);
  }
}
