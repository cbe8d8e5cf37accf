package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Shape;

/** Where a secret is kept. The secret itself never stands in a quota file, nor is it read here. */
public sealed interface Secret {

  /** A secret by its place; what stands there instead is never repeated, for it may be one. */
  Shape<Secret> SHAPE =
      Shape.text(
          new Shape.Words("the place of a secret", "`env:NAME` or `file:PATH`"),
          "^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$",
          Secret::parse);

  /**
   * A variable of the environment.
   *
   * @param name its name
   */
  record Env(String name) implements Secret {
    @Override
    public String toString() {
      return "env:" + name;
    }
  }

  /**
   * A file that holds nothing else.
   *
   * @param path where it is; a relative one begins at the working directory
   */
  record InFile(String path) implements Secret {
    @Override
    public String toString() {
      return "file:" + path;
    }
  }

  private static Secret parse(String text) {
    if (text.matches("env:[A-Za-z_][A-Za-z0-9_]*")) {
      return new Env(text.substring("env:".length()));
    }
    if (text.startsWith("file:") && text.length() > "file:".length()) {
      return new InFile(text.substring("file:".length()));
    }
    throw new IllegalArgumentException(
        text.startsWith("env:") || text.startsWith("file:")
            ? "nothing that can be looked up follows; write `env:NAME` or `file:PATH`"
            : "a secret does not stand in this file; write where it is: `env:NAME` or `file:PATH`");
  }
}
