package io.quotatree.core.limit;

import java.util.Locale;

/** One level of the tree that every request is walked through, from the root to a leaf. */
public enum Layer {
  /** What the gateways may take together, and what each may take alone. */
  NODE,
  /** One calling application or tenant. */
  CALLER,
  /** One end user, device or session of a caller. */
  USER,
  /** One endpoint: a method and a path. */
  API;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** The layer as it is written in quota files, logs and headers: {@code node}, say. */
  public String word() {
    return word;
  }
}
