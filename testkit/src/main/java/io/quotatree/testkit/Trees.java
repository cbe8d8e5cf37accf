package io.quotatree.testkit;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.policy.UserLines.Anonymous;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Trees in few words, for tests: {@code tree(caller(tokenBucket("10/s")), api("/pay", …))}. */
public final class Trees {

  private Trees() {}

  /** A tree of the given parts and nothing else. */
  @SafeVarargs
  public static QuotaTree tree(UnaryOperator<QuotaTree>... parts) {
    QuotaTree tree = QuotaTree.empty();
    for (UnaryOperator<QuotaTree> part : parts) {
      tree = part.apply(tree);
    }
    return tree;
  }

  /** What all gateways may take together. */
  public static UnaryOperator<QuotaTree> node(Quota quota) {
    return tree -> tree.withNode(new NodeLines(quota, null, List.of()));
  }

  /** What all gateways may take together. */
  public static UnaryOperator<QuotaTree> node(RateLimit... limits) {
    return node(Quota.of(limits));
  }

  /** What each caller may take. */
  public static UnaryOperator<QuotaTree> caller(Quota quota) {
    return tree -> tree.withCaller(new CallerLines(quota, tree.caller().overrides()));
  }

  /** What each caller may take. */
  public static UnaryOperator<QuotaTree> caller(RateLimit... limits) {
    return caller(Quota.of(limits));
  }

  /** What one caller, or those of a pattern, may take. */
  public static UnaryOperator<QuotaTree> callerLine(String pattern, Quota quota) {
    return tree -> {
      List<CallerOverride> overrides = new ArrayList<>(tree.caller().overrides());
      overrides.add(CallerOverride.of(pattern, quota));
      return tree.withCaller(new CallerLines(tree.caller().byDefault(), overrides));
    };
  }

  /** What each user may take. */
  public static UnaryOperator<QuotaTree> user(Quota quota) {
    return tree -> tree.withUser(new UserLines(quota, null, Map.of(), Anonymous.NONE));
  }

  /** What each user may take. */
  public static UnaryOperator<QuotaTree> user(RateLimit... limits) {
    return user(Quota.of(limits));
  }

  /** What one api may take. */
  public static UnaryOperator<QuotaTree> api(String name, Quota quota) {
    return apiRule(name, ApiRule.of(quota));
  }

  /** What one api may take. */
  public static UnaryOperator<QuotaTree> api(String name, RateLimit... limits) {
    return api(name, Quota.of(limits));
  }

  /** What holds for one api. */
  public static UnaryOperator<QuotaTree> apiRule(String name, ApiRule rule) {
    return tree -> {
      List<ApiLine> lines = new ArrayList<>(tree.api().lines());
      lines.add(new ApiLine(name, rule));
      return tree.withApi(new ApiLines(tree.api().unmatched(), lines, tree.api().groups()));
    };
  }
}
