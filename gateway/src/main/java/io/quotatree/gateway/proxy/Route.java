package io.quotatree.gateway.proxy;

import io.quotatree.http.Cors;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a route leads, and what it wants.
 *
 * @param upstream who answers
 * @param requirements what a request must bring
 * @param refundOn the upstream's statuses that give a request's permits back
 * @param cors which web pages may read its answers; null where that is the upstream's affair
 */
public record Route(
    Upstream upstream, Requirements requirements, Set<Integer> refundOn, @Nullable Cors cors) {

  /** Copies the set. */
  public Route {
    Objects.requireNonNull(upstream, "upstream");
    Objects.requireNonNull(requirements, "requirements");
    refundOn = Set.copyOf(refundOn);
  }

  /** A route that only leads to an upstream. */
  public static Route to(Upstream upstream) {
    return new Route(upstream, Requirements.NONE, Set.of(), null);
  }
}
