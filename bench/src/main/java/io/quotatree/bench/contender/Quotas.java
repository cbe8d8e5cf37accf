package io.quotatree.bench.contender;

import io.quotatree.bench.load.Job;
import io.quotatree.bench.load.Load;
import io.quotatree.bench.load.Names;
import io.quotatree.bench.load.PlanLines;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.UserLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The quotas of each job, wide enough that only users in debt are refused.
 *
 * <p>Users and callers refill so slowly that who was met stays live; where subjects are to be
 * forgotten they refill fast.
 */
final class Quotas {

  static final long SECOND = 1_000_000;
  static final long WIDE = 1_000_000_000;
  static final long USER_BURST = 150_000_000;
  static final long USER_PERIOD_MICROS = 20 * SECOND;
  static final long CALLER_BURST = 200_000_000;
  static final long CALLER_RATE = 10;
  static final long SUBJECTS = 40_000_000;

  private Quotas() {}

  static QuotaTree tree(Job job) {
    return switch (job) {
      case NODE -> QuotaTree.empty().withNode(new NodeLines(node(), null, List.of()));
      case PLAN_SMALL -> lines(PlanLines.FEW, PlanLines.FEW);
      case PLAN_LARGE, PLAN_WIDE -> lines(PlanLines.APIS, PlanLines.CALLERS);
      default -> users(user(job)).withNode(new NodeLines(node(), null, List.of())).withApi(apis());
    };
  }

  /** The user layer alone. */
  static QuotaTree usersAlone(Job job) {
    return users(user(job)).withCaller(CallerLines.NONE);
  }

  private static QuotaTree users(Quota user) {
    return QuotaTree.empty()
        .withMaxSubjects(SUBJECTS)
        .withCaller(new CallerLines(caller(), List.of()))
        .withUser(new UserLines(user, null, Map.of(), UserLines.Anonymous.NONE));
  }

  private static Quota node() {
    return Quota.of(RateLimit.of(AlgorithmName.SLIDING_WINDOW, Rate.of(WIDE, 60 * SECOND)));
  }

  private static Quota caller() {
    return bucket(CALLER_RATE, SECOND, CALLER_BURST);
  }

  private static Quota user(Job job) {
    return switch (job) {
      // A tenth of a second, or five, and a user has all back.
      case CHURN -> bucket(10, SECOND, 10);
      case EXPIRE -> bucket(1, 5 * SECOND, 10);
      default -> bucket(1, USER_PERIOD_MICROS, USER_BURST);
    };
  }

  private static Quota bucket(long permits, long periodMicros, long burst) {
    return Quota.of(
        RateLimit.of(AlgorithmName.TOKEN_BUCKET, Rate.of(permits, periodMicros), burst));
  }

  private static Quota api() {
    return Quota.of(RateLimit.of(AlgorithmName.FIXED_WINDOW, Rate.of(WIDE, 3600 * SECOND)));
  }

  private static ApiLines apis() {
    List<ApiLines.ApiLine> lines = new ArrayList<>();
    for (int i = 0; i < Load.APIS; i++) {
      lines.add(new ApiLines.ApiLine("GET " + Names.path(i), ApiRule.of(api())));
    }
    return new ApiLines(ApiRule.NONE, lines, List.of());
  }

  private static QuotaTree lines(int apis, int callers) {
    List<ApiLines.ApiLine> apiLines = new ArrayList<>();
    for (int i = 0; i < apis; i++) {
      apiLines.add(new ApiLines.ApiLine(PlanLines.api(i), ApiRule.of(api())));
    }
    List<CallerOverride> callerLines = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      callerLines.add(CallerOverride.of(PlanLines.caller(i), caller()));
    }
    return users(user(Job.PASS))
        .withNode(new NodeLines(node(), null, List.of()))
        .withCaller(new CallerLines(caller(), callerLines))
        .withApi(new ApiLines(ApiRule.NONE, apiLines, List.of()));
  }
}
