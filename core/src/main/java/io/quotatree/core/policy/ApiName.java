package io.quotatree.core.policy;

import org.jspecify.annotations.Nullable;

/** stub */
public final class ApiName {
  private ApiName() {}

  /**
   * Reads {@code METHOD /path} or {@code /path}.
   *
   * @throws IllegalArgumentException with what is wrong and what to write instead
   */
  public static ApiName parse(String text) {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** The name as written. */
  public String text() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** Its method; null for every method. HEAD is GET. */
  public @Nullable String method() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** Whether a request of this method and canonical path fits. */
  public boolean fits(String method, String canonicalPath) {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** Whether every request that fits the other name fits this one. */
  public boolean covers(ApiName other) {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** Whether some request fits both. */
  public boolean meets(ApiName other) {
    return io.quotatree.core.limit.Stub.stub();
  }
}
