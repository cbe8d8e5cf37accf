package io.quotatree.core.policy;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * A tree of quotas as its author declared it, with all inheritance worked out: each line carries
 * the whole quota that is in force where the line applies.
 *
 * @param order the four layers in the order they are asked in
 * @param node the quotas of all gateways together and of each alone
 * @param caller the quotas of callers
 * @param user the quotas of users
 * @param api the quotas of apis
 * @param routes the paths that the gateway serves, as {@code /path/**} or {@code METHOD /path}, the
 *     first that fits winning; empty for one route that takes every path
 * @param maxSubjects how many counters may be live at once
 * @param replies what answers tell of quotas
 */
public record QuotaTree(
    List<Layer> order,
    NodeLines node,
    CallerLines caller,
    UserLines user,
    ApiLines api,
    List<String> routes,
    long maxSubjects,
    ReplyStyle replies) {

  /** node, caller, user, api. */
  public static final List<Layer> USUAL_ORDER = List.of(Layer.values());

  /** Live counters of a tree that does not say. */
  public static final long DEFAULT_MAX_SUBJECTS = 10_000_000;

  /** The route of a tree without routes. */
  public static final String ANY_PATH = "/**";

  /** Copies the lists; refuses an order that is not of all four layers. */
  public QuotaTree {
    order = List.copyOf(order);
    routes = List.copyOf(routes);
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(caller, "caller");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(api, "api");
    Objects.requireNonNull(replies, "replies");
    if (order.size() != Layer.values().length
        || !EnumSet.allOf(Layer.class).equals(EnumSet.copyOf(order))) {
      throw new IllegalArgumentException("order " + order + "; name each of the four layers once");
    }
    if (maxSubjects < 1) {
      throw new IllegalArgumentException("max_subjects " + maxSubjects + "; write 1 or more");
    }
  }

  /** A tree without any quota, to put some into. */
  public static QuotaTree empty() {
    return new QuotaTree(
        USUAL_ORDER,
        NodeLines.NONE,
        CallerLines.NONE,
        UserLines.NONE,
        ApiLines.NONE,
        List.of(),
        DEFAULT_MAX_SUBJECTS,
        ReplyStyle.DEFAULT);
  }

  /** This tree with other node quotas. */
  public QuotaTree withNode(NodeLines changed) {
    return new QuotaTree(order, changed, caller, user, api, routes, maxSubjects, replies);
  }

  /** This tree with other caller quotas. */
  public QuotaTree withCaller(CallerLines changed) {
    return new QuotaTree(order, node, changed, user, api, routes, maxSubjects, replies);
  }

  /** This tree with other user quotas. */
  public QuotaTree withUser(UserLines changed) {
    return new QuotaTree(order, node, caller, changed, api, routes, maxSubjects, replies);
  }

  /** This tree with other api quotas. */
  public QuotaTree withApi(ApiLines changed) {
    return new QuotaTree(order, node, caller, user, changed, routes, maxSubjects, replies);
  }

  /** This tree asked in another order. */
  public QuotaTree withOrder(List<Layer> changed) {
    return new QuotaTree(changed, node, caller, user, api, routes, maxSubjects, replies);
  }

  /** This tree for a gateway with the given routes. */
  public QuotaTree withRoutes(List<String> changed) {
    return new QuotaTree(order, node, caller, user, api, changed, maxSubjects, replies);
  }

  /** This tree with another bound on live counters. */
  public QuotaTree withMaxSubjects(long changed) {
    return new QuotaTree(order, node, caller, user, api, routes, changed, replies);
  }

  /** This tree with another style of answers. */
  public QuotaTree withReplies(ReplyStyle changed) {
    return new QuotaTree(order, node, caller, user, api, routes, maxSubjects, changed);
  }

  /**
   * This tree with each of its quotas changed where it stands; those that are not there stay so.
   */
  public QuotaTree withEach(UnaryOperator<Quota> change) {
    return EachQuota.of(this, change);
  }
}
