package io.quotatree.quotafile;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.CanonicalPath;
import io.quotatree.core.policy.PlannedQuota;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.quotafile.Explanation.Asked;
import io.quotatree.quotafile.Explanation.Counted;
import io.quotatree.quotafile.Explanation.Taken;
import io.quotatree.quotafile.QuotaFile.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Works an explanation out. */
final class Explainer {

  private final QuotaFile file;
  private final Policy policy;
  private final Request request;
  private final String path;

  Explainer(QuotaFile file, Policy policy, Request request) {
    this.file = file;
    this.policy = policy;
    this.request = request;
    this.path = CanonicalPath.of(request.path());
  }

  Explanation explain() {
    OptionalInt index = policy.route(request.method(), path);
    List<PlannedQuota> planned = index.isEmpty() ? List.of() : policy.explain(request);
    Taken route = null;
    if (index.isPresent() && index.getAsInt() < file.routes().size()) {
      Route taken = file.routes().get(index.getAsInt());
      route = new Taken(taken.match(), taken.upstream(), taken.line());
    }
    return new Explanation(
        file.name(),
        request.method(),
        path,
        request.caller().isEmpty() ? "anonymous" : request.caller(),
        request.user(),
        request.plan(),
        route,
        policy.api(request),
        policy.costPermits(request),
        asked(planned),
        notes(index.isPresent(), planned));
  }

  private List<String> notes(boolean taken, List<PlannedQuota> planned) {
    return taken
        ? new ExplanationNotes(policy, request, path, planned).all()
        : List.of("No route takes this path: it is a 404, and nothing is charged.");
  }

  private static List<Asked> asked(List<PlannedQuota> planned) {
    List<Asked> asked = new ArrayList<>();
    for (PlannedQuota one : planned) {
      asked.add(asked(asked.size() + 1, one.layer(), one.subject(), one.quota()));
    }
    return asked;
  }

  private static Asked asked(int turn, Layer layer, String subject, Quota quota) {
    return new Asked(
        turn,
        layer.word(),
        subject,
        allowance(quota),
        counted(quota),
        quota.accounting().word(),
        quota.enforcement() == Enforcement.SHADOW ? "shadow" : "enforced",
        quota.origin().place(),
        quota.origin().line(),
        quota.origin().column(),
        quota.origin().until());
  }

  static String allowance(Quota quota) {
    if (quota.allowance() instanceof Allowance.Limited) {
      return "limited";
    }
    return quota.allowance() instanceof Allowance.Blocked ? "blocked" : "unlimited";
  }

  static List<Counted> counted(Quota quota) {
    List<Counted> counted = new ArrayList<>();
    if (quota.allowance() instanceof Allowance.Limited limited) {
      for (RateLimit limit : limited.limits()) {
        counted.add(
            new Counted(
                limit.rate().text(),
                limit.algorithm().word(),
                QuotaWords.details(limit),
                limit.rate().permits(),
                limit.capacityPermits()));
      }
    }
    quota
        .concurrency()
        .ifPresent(n -> counted.add(new Counted(n + " in flight", "concurrency", "", n, n)));
    return counted;
  }
}
