package io.quotatree.gateway;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.UserLines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Quota trees in few words, as the tests need them. */
final class Trees {

  static final Duration SECOND = Duration.ofSeconds(1);
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration HOUR = Duration.ofHours(1);

  private Trees() {}

  static Rate rate(long permits, Duration period) {
    return Rate.of(permits, period.toNanos() / 1000);
  }

  static Quota bucket(long permits, Duration period) {
    return Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, rate(permits, period)));
  }

  static Quota sliding(long permits, Duration period) {
    return Quota.of(RateLimit.of(AlgorithmName.SLIDING_WINDOW, rate(permits, period)));
  }

  /** A fixed window whose edges are those of the clock. */
  static Quota window(long permits, Duration period) {
    return Quota.of(alignedWindow(permits, period));
  }

  static RateLimit alignedWindow(long permits, Duration period) {
    return new RateLimit(
        AlgorithmName.FIXED_WINDOW, rate(permits, period), permits, 1, Stagger.ALIGNED);
  }

  static QuotaTree node(Quota quota) {
    return QuotaTree.empty().withNode(new NodeLines(quota, null, List.of()));
  }

  static CallerLines callers(Quota each) {
    return new CallerLines(each, List.of());
  }

  static CallerLines callers(Quota each, CallerOverride... overrides) {
    return new CallerLines(each, List.of(overrides));
  }

  static UserLines users(Quota each) {
    return new UserLines(each, null, Map.of(), UserLines.Anonymous.NONE);
  }

  static UserLines usersWithPool(Quota each, Quota pool) {
    return new UserLines(
        each, null, Map.of(), new UserLines.Anonymous(Set.of("", "0"), pool, UserLines.By.POOL));
  }

  /** Named apis, with a quota each, in pairs. */
  static ApiLines apis(Quota unmatched, Map<String, Quota> named) {
    return new ApiLines(
        ApiRule.of(unmatched),
        named.entrySet().stream()
            .map(e -> new ApiLines.ApiLine(e.getKey(), ApiRule.of(e.getValue())))
            .toList(),
        List.of());
  }

  static ApiLines apis(Map<String, Quota> named) {
    return new ApiLines(
        ApiRule.NONE,
        named.entrySet().stream()
            .map(e -> new ApiLines.ApiLine(e.getKey(), ApiRule.of(e.getValue())))
            .toList(),
        List.of());
  }

  /** The tree with exact waits: no spread. */
  static QuotaTree exact(QuotaTree tree) {
    ReplyStyle style = tree.replies();
    return tree.withReplies(
        new ReplyStyle(
            style.message(),
            style.fields(),
            style.keys(),
            style.disclosure(),
            ReplyStyle.Spread.EXACT));
  }

  /** Header lines of a caller's user. */
  static String[] as(String caller, String user) {
    return Stream.of("X-App-Id: " + caller, "X-User-Id: " + user).toArray(String[]::new);
  }
}
