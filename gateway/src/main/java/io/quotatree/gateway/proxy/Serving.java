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
 * @param upstreams where each of the policy's routes leads, in the order of its routes
 * @param identity how a request's identity is read
 * @param replies what clients are told
 */
public record Serving(
    Policy policy, List<Upstream> upstreams, IdentityReader identity, QuotaReplies replies) {

  /** Refuses routes that lead nowhere. */
  public Serving {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(identity, "identity");
    Objects.requireNonNull(replies, "replies");
    upstreams = List.copyOf(upstreams);
    int routes = policy.tree().routes().size();
    if (upstreams.size() != routes) {
      throw new IllegalArgumentException(
          routes + " routes and " + upstreams.size() + " upstreams: give each route its upstream");
    }
  }

  /** Serves a policy, telling clients what its tree says. */
  public static Serving of(Policy policy, List<Upstream> upstreams, IdentityReader identity) {
    return new Serving(policy, upstreams, identity, new QuotaReplies(policy.tree().replies()));
  }
}
