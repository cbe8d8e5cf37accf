package io.quotatree.gateway.proxy;

import io.quotatree.core.policy.Policy;
import io.quotatree.http.IdentityReader;
import io.quotatree.http.QuotaReplies;
import java.util.List;
import java.util.Objects;

/**
 * What a gateway serves by: replaced whole by a reload, and read once for each request.
 *
 * @param policy the quotas in force; a request's route is found in it
 * @param routes where each of the policy's routes leads, in their order
 * @param identity how a request's identity is read
 * @param replies what clients are told
 */
public record Serving(
    Policy policy, List<Route> routes, IdentityReader identity, QuotaReplies replies) {

  /** Refuses routes that lead nowhere. */
  public Serving {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(identity, "identity");
    Objects.requireNonNull(replies, "replies");
    routes = List.copyOf(routes);
    int matches = policy.tree().routes().size();
    if (routes.size() != matches) {
      throw new IllegalArgumentException(
          matches + " routes, and " + routes.size() + " places they lead to: give each its own");
    }
  }

  /** Serves a policy, telling clients what its tree says. */
  public static Serving of(Policy policy, List<Route> routes, IdentityReader identity) {
    return new Serving(policy, routes, identity, new QuotaReplies(policy.tree().replies()));
  }

  /** The same, by other quotas of the same routes. */
  public Serving with(Policy changed) {
    return of(changed, routes, identity);
  }
}
