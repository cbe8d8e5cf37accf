package io.quotatree.core.limit;

/** Temporary: marks what is not written yet. */
public final class Stub {
  private Stub() {}

  /** The exception to throw. */
  @SuppressWarnings({"DoNotCallSuggester", "TypeParameterUnusedInFormals"})
  public static <T> T stub() {
    throw new UnsupportedOperationException();
  }
}
