package io.quotatree.core.policy;

import java.util.List;
import java.util.OptionalInt;

/** stub: the compiled tree; immutable, safe for several threads. */
public final class Policy {
  private Policy() {}

  /**
   * Compiles a tree for one gateway.
   *
   * @param nodeId the gateway's name, by which `instances` are found
   * @throws IllegalArgumentException for a bad api name
   */
  public static Policy compile(QuotaTree tree, String nodeId) {
    return io.quotatree.core.limit.Stub.stub();
  }

  public QuotaTree tree() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** Which of the tree's routes takes a request: the index of the first that fits; empty for none. */
  public OptionalInt route(String method, String canonicalPath) {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** The quotas that apply to a request, in the order in which they are asked (unlimited ones included). */
  public List<PlannedLimit> explain(Request request) {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** The api that a request belongs to: the name as its line writes it, or MATCH of its route where no line fits (`/**`). */
  public String api(Request request) {
    return io.quotatree.core.limit.Stub.stub();
  }
}
