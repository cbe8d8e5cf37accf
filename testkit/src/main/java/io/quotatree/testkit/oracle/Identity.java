package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.Line;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines.Anonymous;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whom a request counts for, and by which lines.
 *
 * @param caller the caller as subjects write it
 * @param override the caller's line
 * @param user the user as subjects write it, without its caller
 * @param madeUp whether the client made the user up, so that its counters are no named user's
 * @param plan the plan that counts; empty for none
 * @param userQuota the quota of the user layer
 * @param pool the quota that it shares, besides, with all whom nobody vouches for
 */
record Identity(
    String caller,
    Optional<CallerOverride> override,
    String user,
    boolean madeUp,
    String plan,
    @Nullable Quota userQuota,
    @Nullable Quota pool) {

  static Identity of(QuotaTree tree, Request request) {
    String caller = request.caller().isEmpty() ? "anonymous" : request.caller();
    Optional<CallerOverride> override =
        Patterns.best(tree.caller().overrides(), CallerOverride::pattern, caller);
    return new Reading(tree, request, Names.escaped(caller), override).identity();
  }

  private record Reading(
      QuotaTree tree, Request request, String caller, Optional<CallerOverride> override) {

    Identity identity() {
      Anonymous anonymous = tree.user().anonymous();
      boolean nameless = request.user().isEmpty() || anonymous.ids().contains(request.user());
      boolean unproven = request.proof() == Request.Proof.UNPROVEN;
      Optional<Quota> line = unproven ? Optional.empty() : usersLine();
      if (line.isPresent()) {
        return reading(Names.user(request.user()), request.plan(), line.get());
      }
      if (nameless) {
        boolean own = anonymous.quota() != null;
        return reading(nobody(anonymous, own), "", own ? anonymous.quota() : usual());
      }
      String name = Names.user(request.user());
      return unproven
          ? new Identity(caller, override, name, true, "", usual(), anonymous.quota())
          : reading(name, request.plan(), byPlan());
    }

    private Identity reading(String user, String plan, @Nullable Quota quota) {
      return new Identity(caller, override, user, false, plan, quota, null);
    }

    private Optional<Quota> usersLine() {
      if (override.isEmpty() || request.user().isEmpty()) {
        return Optional.empty();
      }
      return Patterns.best(override.get().users(), Line::pattern, request.user()).map(Line::quota);
    }

    /** The caller's word for its users, else the default. */
    private @Nullable Quota usual() {
      Optional<Quota> callers = override.map(CallerOverride::user);
      return callers.orElse(tree.user().byDefault());
    }

    private @Nullable Quota byPlan() {
      String plan = request.plan();
      if (override.isPresent() && override.get().plans().containsKey(plan)) {
        return override.get().plans().get(plan);
      }
      if (override.isPresent() && override.get().user() != null) {
        return override.get().user();
      }
      Quota ofPlan = tree.user().plans().get(plan);
      return ofPlan == null ? tree.user().byDefault() : ofPlan;
    }

    private String nobody(Anonymous anonymous, boolean own) {
      String byAddress = "ip:" + Addresses.one(request.address());
      if (!own) {
        return byAddress;
      }
      return switch (anonymous.by()) {
        case POOL -> "anonymous";
        case IP -> byAddress;
        case NETWORK -> "net:" + Addresses.network(request.address());
        case SESSION ->
            request.session().isEmpty() ? byAddress : "sid:" + Names.session(request.session());
      };
    }
  }
}
