package io.quotatree.bench.redis;

import io.quotatree.bench.load.Load;
import io.quotatree.bench.load.Names;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.UserLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The quotas of the four layers, wide enough that nothing is refused, and one that is not. */
final class Quotas {

  /** What each limit grants in a minute or an hour. */
  static final long WIDE = 1_000_000_000;

  /** The path of the api that has a narrow limit. */
  static final String NARROW_PATH = "/v1/narrow";

  private static final long SECOND_MICROS = 1_000_000;
  private static final long YEAR_MICROS = 365 * 86_400 * SECOND_MICROS;

  private static final NodeLines NODE =
      new NodeLines(quota(AlgorithmName.SLIDING_WINDOW, WIDE, 60 * SECOND_MICROS), null, List.of());
  private static final CallerLines CALLER =
      new CallerLines(quota(AlgorithmName.TOKEN_BUCKET, WIDE, 60 * SECOND_MICROS), List.of());
  private static final UserLines USER =
      new UserLines(
          quota(AlgorithmName.TOKEN_BUCKET, WIDE, 60 * SECOND_MICROS),
          null,
          Map.of(),
          UserLines.Anonymous.NONE);

  private Quotas() {}

  private static Quota quota(AlgorithmName algorithm, long permits, long periodMicros) {
    return Quota.of(RateLimit.of(algorithm, Rate.of(permits, periodMicros)));
  }

  /** All four layers. */
  static QuotaTree all() {
    return all(apis());
  }

  private static QuotaTree all(List<ApiLines.ApiLine> apis) {
    return QuotaTree.empty()
        .withNode(NODE)
        .withCaller(CALLER)
        .withUser(USER)
        .withApi(new ApiLines(ApiRule.NONE, apis, List.of()));
  }

  /** All four layers, and an api that grants so many permits for longer than any run takes. */
  static QuotaTree withNarrow(long permits) {
    List<ApiLines.ApiLine> apis = new ArrayList<>(apis());
    Quota narrow = quota(AlgorithmName.FIXED_WINDOW, permits, YEAR_MICROS);
    apis.add(new ApiLines.ApiLine("GET " + NARROW_PATH, ApiRule.of(narrow)));
    return all(apis);
  }

  /** Each layer by itself, in the order in which they are asked. */
  static List<QuotaTree> each() {
    QuotaTree none = QuotaTree.empty();
    return List.of(
        none.withNode(NODE),
        none.withCaller(CALLER),
        none.withUser(USER),
        none.withApi(new ApiLines(ApiRule.NONE, apis(), List.of())));
  }

  private static List<ApiLines.ApiLine> apis() {
    Quota quota = quota(AlgorithmName.FIXED_WINDOW, WIDE, 3600 * SECOND_MICROS);
    List<ApiLines.ApiLine> lines = new ArrayList<>();
    for (int i = 0; i < Load.APIS; i++) {
      lines.add(new ApiLines.ApiLine("GET " + Names.path(i), ApiRule.of(quota)));
    }
    return lines;
  }
}
