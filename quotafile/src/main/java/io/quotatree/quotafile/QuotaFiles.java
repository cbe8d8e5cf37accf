package io.quotatree.quotafile;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.JsonSchema;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import io.quotatree.quotafile.yaml.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads quota files, and quotas sections of other files. */
public final class QuotaFiles {

  private QuotaFiles() {}

  /**
   * Reads a file. Problems name it as the path is written.
   *
   * @throws IOException if it cannot be opened or read
   */
  public static Reading read(Path path) throws IOException {
    return read(path.toString(), bytes(path));
  }

  /**
   * The bytes of a file, up to one more than can be a quota file.
   *
   * @throws IOException if it cannot be opened or read
   */
  static byte[] bytes(Path path) throws IOException {
    return Watch.bytes(path, YamlText.MAX_BYTES);
  }

  /**
   * Reads the bytes of a file.
   *
   * @param name the file's name, as problems are to name it
   * @param bytes its text in UTF-8
   */
  public static Reading read(String name, byte[] bytes) {
    Problems problems = new Problems(name);
    Optional<Yaml> yaml = YamlText.read(bytes, problems);
    Optional<QuotaFile> file = yaml.map(root -> FileReader.read(name, root, problems));
    return file.isPresent() && problems.sound()
        ? new Reading.Sound(file.get(), problems.warnings())
        : new Reading.Faulty(problems.errors());
  }

  /**
   * Reads a quotas section that stands in another file, such as a scenario. There are no routes in
   * it.
   *
   * @param section the section's value
   * @param problems is told all that is wrong or odd
   * @return the tree; empty where the section has errors
   */
  public static Optional<QuotaTree> quotas(Yaml section, Problems problems) {
    Problems own = problems.fresh();
    Fields fields = Format.QUOTAS.read(section, own);
    QuotaTree tree = TreeReader.read(fields, List.of(), own).tree();
    problems.addAll(own);
    return own.sound() ? Optional.of(tree) : Optional.empty();
  }

  /**
   * The JSON Schema, draft 2020-12, of quota files: maps, lists and values, ready for any JSON
   * writer.
   */
  public static Map<String, Object> schema() {
    return JsonSchema.of(FileFormat.FILE, "Quotatree quota file");
  }
}
