package io.quotatree.core.policy;

/**
 * A path that could be read in two ways, so that nobody can say which quota it belongs to: a 400.
 */
public final class BadPathException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  BadPathException(String reason) {
    super(reason);
  }
}
