package io.quotatree.scenario;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problem;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import io.quotatree.quotafile.yaml.YamlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads scenario files: gives the scenario, or all that is wrong with it, each with its place. */
public final class ScenarioReader {

  /** What tells a scenario that is not YAML from a file that was never one. */
  private static final Pattern LOOKS_LIKE_ONE = Pattern.compile("(?m)^[\"']?steps[\"']?\\s*:");

  private final Problems problems;
  private final Path path;
  private final List<Problem> elsewhere = new ArrayList<>();

  private ScenarioReader(Path path) {
    this.problems = new Problems(path.toString());
    this.path = path;
  }

  /**
   * Reads a file.
   *
   * @throws IOException if the file cannot be read
   */
  public static ScenarioReading read(Path path) throws IOException {
    byte[] bytes = Files.readAllBytes(path);
    return new ScenarioReader(path).read(bytes);
  }

  private ScenarioReading read(byte[] bytes) {
    Optional<Yaml> yaml = YamlText.read(bytes, problems);
    boolean scenario =
        yaml.map(ScenarioReader::hasSteps)
            .orElseGet(() -> LOOKS_LIKE_ONE.matcher(text(bytes)).find());
    if (!scenario) {
      return new ScenarioReading.Other(path.toString());
    }
    Optional<Scenario> read = yaml.flatMap(this::scenario);
    if (read.isPresent() && problems.sound() && elsewhere.isEmpty()) {
      return new ScenarioReading.Sound(read.get());
    }
    List<Problem> errors = new ArrayList<>(problems.errors());
    errors.addAll(elsewhere);
    return new ScenarioReading.Faulty(path.toString(), errors);
  }

  private static boolean hasSteps(Yaml yaml) {
    return yaml instanceof Yaml.Mapping mapping && mapping.entry(ScenarioKeys.STEPS.name()) != null;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private Optional<Scenario> scenario(Yaml yaml) {
    Fields fields = ScenarioKeys.SCENARIO.read(yaml, problems);
    Optional<QuotaTree> quotas = quotas(fields);
    List<Step> steps = new StepReader(problems).read(fields.value(ScenarioKeys.STEPS, List.of()));
    return quotas.map(
        tree ->
            new Scenario(
                path.toString(),
                fields.value(ScenarioKeys.TITLE, path.getFileName().toString()),
                tree,
                fields.value(ScenarioKeys.START, Scenario.DEFAULT_START),
                steps));
  }

  private Optional<QuotaTree> quotas(Fields fields) {
    Located<Yaml> own = fields.find(ScenarioKeys.QUOTAS);
    Located<String> file = fields.find(ScenarioKeys.FILE);
    if (fields.wrote(ScenarioKeys.QUOTAS) && file != null) {
      problems.error(file.key(), "`file` beside `quotas`; write one of them");
      return Optional.empty();
    }
    if (own != null) {
      return QuotaFiles.quotas(own.value(), problems);
    }
    if (file != null) {
      return ofFile(file);
    }
    if (!fields.wrote(ScenarioKeys.QUOTAS) && !fields.wrote(ScenarioKeys.FILE)) {
      problems.error(
          fields.at(), "no quotas to try; write `quotas: …`, or `file: …` with a quota file");
    }
    return Optional.empty();
  }

  private Optional<QuotaTree> ofFile(Located<String> file) {
    Path quotaFile = path.resolveSibling(file.value());
    try {
      Reading reading = QuotaFiles.read(quotaFile);
      if (reading instanceof Reading.Sound sound) {
        // A scenario has no gateway, and so no routes.
        return Optional.of(sound.file().quotas().withRoutes(List.of()));
      }
      elsewhere.addAll(((Reading.Faulty) reading).errors());
      return Optional.empty();
    } catch (IOException e) {
      problems.error(
          file.at(),
          "cannot read `" + quotaFile + "`; write a quota file's path as seen from this scenario");
      return Optional.empty();
    }
  }
}
