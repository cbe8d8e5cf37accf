package io.quotatree.quotafile.yaml;

import java.util.Objects;

/**
 * A key that may stand in a mapping. Two keys are the same only if they are one object, so each is
 * declared once.
 */
public final class Key<T> {

  private final String name;
  private final Shape<T> shape;
  private final String doc;
  private final boolean required;

  private Key(String name, Shape<T> shape, String doc, boolean required) {
    this.name = Objects.requireNonNull(name);
    this.shape = Objects.requireNonNull(shape);
    this.doc = Objects.requireNonNull(doc);
    this.required = required;
  }

  /** A key that may be left out. */
  public static <T> Key<T> optional(String name, Shape<T> shape, String doc) {
    return new Key<>(name, shape, doc, false);
  }

  /** A key that must be there. */
  public static <T> Key<T> required(String name, Shape<T> shape, String doc) {
    return new Key<>(name, shape, doc, true);
  }

  /** How it is written. */
  public String name() {
    return name;
  }

  /** What stands behind it. */
  public Shape<T> shape() {
    return shape;
  }

  /** What it means, in a sentence. */
  public String doc() {
    return doc;
  }

  /** Whether it must be there. */
  public boolean isRequired() {
    return required;
  }
}
