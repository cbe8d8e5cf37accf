package io.quotatree.core.engine;

import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.limit.Wait;
import java.util.List;
import java.util.Optional;

/** stub: reusable; filled by Limiter.decide; not safe for several threads at once. */
public final class Decision {
  public Decision() {}

  public Outcome outcome() {
    return io.quotatree.core.limit.Stub.stub();
  }

  public boolean allowed() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** Whether the request was allowed and a shadow limit would have refused it. */
  public boolean wouldRefuse() {
    return io.quotatree.core.limit.Stub.stub();
  }

  public Certainty certainty() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** The layer that refused; empty when allowed. */
  public Optional<Layer> layer() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** The limit told: when refused, that of semantics.md rule 3; when allowed that of rule 10, if any. */
  public Optional<LimitState> told() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** When allowed, rule 10's among the caller's own limits (caller, user, per_*, its apis, its unmatched paths). */
  public Optional<LimitState> toldOwn() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** Every enforced limit that would refuse the request now, in order; empty when allowed. */
  public List<LimitState> refusing() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** The longest wait of all limits that would refuse the request now; zero when allowed; may be never. */
  public Wait retryAfter() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** The permits that the request cost. */
  public long costPermits() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** The api: the name as its line writes it, or the route's match where no line fits. */
  public String api() {
    return io.quotatree.core.limit.Stub.stub();
  }

  /** Whether it holds permits in flight, to be given back by Limiter.release. */
  public boolean holding() {
    return io.quotatree.core.limit.Stub.stub();
  }
}
