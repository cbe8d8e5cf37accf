package io.quotatree.bench.contender;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.EntryType;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.context.ContextUtil;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.param.ParamFlowRuleManager;
import io.quotatree.bench.load.Load;
import io.quotatree.bench.load.Names;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sentinel, tuned: the caller is an origin at a gate of its own (with an origin on every resource
 * it keeps statistics of each caller at each api), users are hot parameters.
 *
 * <p>Flow rules are per second. Hot parameters are the last 200,000 values, so a user in debt who
 * was pushed out passes again. A later refusal leaves earlier entries counted.
 */
final class SentinelTuned implements Flat {

  private static final String CALLER_GATE = "caller";
  private static final String NODE = "node";
  private static final String USER = "user";
  private static final String USER_IN_DEBT = "user-in-debt";
  private static final String REST = "rest";
  private static final int DAY_SECONDS = 86_400;

  /** Users are told the most frequent first; more would push those out again. */
  private static final int MOST_USERS = 200_000;

  private int met;
  private int inDebt;

  SentinelTuned() {
    List<FlowRule> rules = new ArrayList<>();
    rules.add(rule(NODE, RuleConstant.LIMIT_APP_DEFAULT));
    rules.add(rule(CALLER_GATE, RuleConstant.LIMIT_APP_OTHER));
    for (int i = 0; i < Load.APIS; i++) {
      rules.add(rule(Names.path(i), RuleConstant.LIMIT_APP_DEFAULT));
    }
    FlowRuleManager.loadRules(rules);
    ParamFlowRuleManager.loadRules(
        List.of(eachValue(USER, (double) Quotas.USER_BURST), eachValue(USER_IN_DEBT, 1)));
  }

  private static FlowRule rule(String resource, String limitApp) {
    FlowRule rule = new FlowRule(resource);
    rule.setGrade(RuleConstant.FLOW_GRADE_QPS);
    rule.setCount((double) Quotas.WIDE);
    rule.setLimitApp(limitApp);
    return rule;
  }

  private static ParamFlowRule eachValue(String resource, double count) {
    return new ParamFlowRule(resource).setParamIdx(0).setDurationInSec(DAY_SECONDS).setCount(count);
  }

  @Override
  public boolean decide(FlatKeys keys, Object scratch) {
    return passesGate(keys) && passesRest(keys);
  }

  private static boolean passesGate(FlatKeys keys) {
    ContextUtil.enter(CALLER_GATE, keys.caller());
    try {
      SphU.entry(CALLER_GATE, EntryType.IN).exit();
      return true;
    } catch (BlockException e) {
      return false;
    } finally {
      ContextUtil.exit();
    }
  }

  private static boolean passesRest(FlatKeys keys) {
    ContextUtil.enter(REST);
    Entry node = null;
    Entry user = null;
    try {
      node = SphU.entry(NODE, EntryType.IN);
      user = SphU.entry(keys.inDebt() ? USER_IN_DEBT : USER, EntryType.IN, 1, keys.user());
      SphU.entry(keys.api(), EntryType.IN).exit();
      return true;
    } catch (BlockException e) {
      return false;
    } finally {
      exit(user, keys.user());
      exit(node);
      ContextUtil.exit();
    }
  }

  private static void exit(@Nullable Entry entry, Object... arguments) {
    if (entry != null) {
      entry.exit(1, arguments);
    }
  }

  /** The one permit of a day. */
  @Override
  public void putInDebt(FlatKeys keys) {
    if (inDebt++ < MOST_USERS) {
      decide(keys, this);
    }
  }

  @Override
  public void meet(FlatKeys keys, Object scratch) {
    if (!keys.inDebt() && met++ < MOST_USERS) {
      decide(keys, scratch);
    }
  }
}
