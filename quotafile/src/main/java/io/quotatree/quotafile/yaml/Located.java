package io.quotatree.quotafile.yaml;

/**
 * A value that was read, and where it stands.
 *
 * @param key its key; of an item of a list, or of a value that stands for a mapping with that one
 *     key, a made-up key at the value's own place
 * @param at the YAML that it was read from
 * @param value what was read
 */
public record Located<T>(Yaml.Scalar key, Yaml at, T value) {

  /** A value without a key in the file. */
  static <T> Located<T> keyless(String name, Yaml at, T value) {
    return new Located<>(
        new Yaml.Scalar(name, Yaml.Quoting.PLAIN, at.line(), at.column()), at, value);
  }

  /** Its key's text. */
  public String name() {
    return key.text();
  }
}
