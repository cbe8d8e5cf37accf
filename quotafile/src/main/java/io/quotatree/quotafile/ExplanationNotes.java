package io.quotatree.quotafile;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.core.policy.ApiRule.Placement;
import io.quotatree.core.policy.ApiRule.Rank;
import io.quotatree.core.policy.PlannedQuota;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.SubjectText;
import io.quotatree.core.policy.UserLines.Anonymous;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a reader of an explanation might not expect, in sentences. */
final class ExplanationNotes {

  private final Policy policy;
  private final QuotaTree tree;
  private final Request request;
  private final String path;
  private final List<PlannedQuota> planned;
  private final List<String> notes = new ArrayList<>();

  ExplanationNotes(Policy policy, Request request, String path, List<PlannedQuota> planned) {
    this.policy = policy;
    this.tree = policy.tree();
    this.request = request;
    this.path = path;
    this.planned = planned;
  }

  /** All notes on a request that a route takes. */
  List<String> all() {
    tellPath();
    tellApi();
    tellCaller();
    tellUser();
    tellPlan();
    tellCost();
    tellBlocked();
    if (planned.stream().allMatch(one -> isOpen(one.quota()))) {
      notes.add("Nothing limits this request.");
    }
    return notes;
  }

  private static boolean isOpen(Quota quota) {
    return quota.concurrency().isEmpty() && quota.allowance() instanceof Allowance.Unlimited;
  }

  private void tellPath() {
    if (!request.path().equals(path)) {
      notes.add(
          "The path was sent as `"
              + request.path()
              + "`; every spelling of it has the same quotas.");
    }
    if (request.method().equals("HEAD")) {
      notes.add("HEAD counts as GET.");
    }
  }

  private void tellApi() {
    Optional<ApiRule> named = named();
    if (named.isEmpty()) {
      notes.add(
          "No line of `api` names this path: all such paths of this route are one api for each caller.");
    }
    ApiRule rule = named.orElse(tree.api().unmatched());
    if (rule.rank() == Rank.PRIORITY) {
      notes.add("The api has `priority`: its layer is asked before the user layer.");
    }
    PerUser perUser = rule.perUser();
    if (perUser != null && perUser.placement() == Placement.INSTEAD) {
      notes.add("The api's `per_user` stands in place of the user layer's quota.");
    }
  }

  private Optional<ApiRule> named() {
    String api = policy.api(request);
    return tree.api().lines().stream()
        .filter(line -> line.name().equals(api))
        .map(line -> line.rule())
        .findFirst();
  }

  private void tellCaller() {
    if (request.caller().isEmpty()) {
      notes.add("The request has no caller: it counts as the caller `anonymous`.");
    }
  }

  private void tellUser() {
    Anonymous anonymous = tree.user().anonymous();
    boolean unproven = request.proof() == Request.Proof.UNPROVEN;
    if (isNobody(anonymous)) {
      String who =
          request.user().isEmpty()
              ? "The request has no user: "
              : "The user id `" + request.user() + "` counts as none (`user.anonymous.ids`): ";
      notes.add(
          who
              + (anonymous.quota() == null
                  ? "without a quota `user.anonymous`, each address counts as a user."
                  : "it has the quota `user.anonymous`."));
    } else if (unproven) {
      notes.add(
          "The client makes up this user id: "
              + (anonymous.quota() == null
                  ? "without a quota `user.anonymous` nothing bounds such ids together."
                  : "besides its own quota it meets the pool of all such ids of the caller."));
    }
  }

  private boolean isNobody(Anonymous anonymous) {
    if (request.user().isEmpty()) {
      return true;
    }
    String own = "/" + SubjectText.escaped(request.user());
    return anonymous.ids().contains(request.user())
        && planned.stream()
            .noneMatch(one -> one.layer() == Layer.USER && one.subject().endsWith(own));
  }

  private void tellPlan() {
    String plan = request.plan();
    boolean named =
        tree.user().plans().containsKey(plan)
            || tree.caller().overrides().stream().anyMatch(line -> line.plans().containsKey(plan))
            || tree.api().lines().stream().anyMatch(line -> names(line.rule(), plan))
            || names(tree.api().unmatched(), plan);
    if (!plan.isEmpty() && !named) {
      notes.add("No line names the plan `" + plan + "`: it counts as none.");
    }
  }

  private static boolean names(ApiRule rule, String plan) {
    PerUser perUser = rule.perUser();
    return perUser != null && perUser.plans().containsKey(plan);
  }

  private void tellCost() {
    long cost = policy.costPermits(request);
    if (cost == 0) {
      notes.add("A cost of 0 is decided as a cost of 1 would be, and charges nothing.");
      return;
    }
    for (PlannedQuota one : planned) {
      if (one.quota().enforcement() == Enforcement.ENFORCED
          && one.quota().allowance() instanceof Allowance.Limited limited) {
        limited.limits().stream()
            .filter(
                limit ->
                    limit.algorithm() != AlgorithmName.LEAKY_BUCKET
                        && limit.capacityPermits() < cost)
            .findFirst()
            .ifPresent(limit -> notes.add(neverGranted(cost, limit, one)));
      }
    }
  }

  private static String neverGranted(long cost, RateLimit limit, PlannedQuota one) {
    return "Always refused: it costs "
        + cost
        + ", and `"
        + limit.rate().text()
        + "` of `"
        + one.quota().origin().place()
        + "` never grants more than "
        + limit.capacityPermits()
        + " at once.";
  }

  private void tellBlocked() {
    planned.stream()
        .map(PlannedQuota::quota)
        .filter(quota -> quota.allowance() instanceof Allowance.Blocked)
        .filter(quota -> quota.enforcement() == Enforcement.ENFORCED)
        .findFirst()
        .ifPresent(
            quota ->
                notes.add(
                    "Always refused: `"
                        + quota.origin().place()
                        + "` is blocked, which is told before any limit is asked, and nothing is charged."));
  }
}
