package io.quotatree.core.policy;

/** stub */
public final class CanonicalPath {
  private CanonicalPath() {}

  /**
   * The one spelling of a path that quotas are matched by. Idempotent.
   *
   * @throws BadPathException for %2F, %5C, %00, a backslash, a bad escape, a dot segment that appears only
   *     after decoding, or a path that does not begin with a slash
   */
  public static String of(String path) {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** The path to forward: dot segments and doubled slashes resolved, all else (parameters, trailing slash, encoding) as sent. */
  public static String forwarded(String path) {
    return io.quotatree.core.limit.Stub.stub();
  }
}
