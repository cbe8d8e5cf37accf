package io.quotatree.redis;

import io.quotatree.core.algorithm.FixedWindow;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Step;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A policy as the store sees it: its limits' records, and the keys of the counters that the file
 * itself names. Immutable.
 *
 * <p>A key is {@code PREFIX:1:{TAG}:LAYER:SUBJECT:ALGORITHM-UNIT-PERIODMS…}. Callers and users
 * stand in it with all foreign bytes written %XX, and so do `:`, `%` and braces of the file's own
 * names: no name can end its part, nor open a tag.
 */
final class KnownPolicy {

  private static final String UNIT = "requests";

  final Revision revision;
  private final String prefix;
  private final byte[][] records;
  private final byte[][] namedKeys;
  private final String[] middles;
  private final String[] ends;

  /** Replaced when the number of gateways changes; whoever finds another number makes it anew. */
  private volatile @Nullable Share share;

  private record Share(int gateways, Policy policy) {}

  KnownPolicy(Policy policy, Revision revision, String prefix) {
    this.revision = revision;
    this.prefix = prefix + ":1:{";
    int size = policy.steps().size();
    this.records = new byte[size][];
    this.namedKeys = new byte[size][];
    this.middles = new String[size];
    this.ends = new String[size];
    Plan nobody = new Plan();
    for (Step step : policy.steps()) {
      int at = step.ordinal();
      middles[at] = "}:" + step.layer().word() + ":";
      ends[at] = ":" + withUnit(step.algorithm().shape());
      records[at] = LimitRecord.of(step);
      if (!step.isUnbounded()) {
        namedKeys[at] = key(at, step.counterTag(nobody), step.counterSubject(nobody));
        records[at] = moved(step, nobody);
      }
    }
  }

  /** {@code fixed_window-60000} is {@code fixed_window-requests-60000}. */
  private static String withUnit(String shape) {
    int dash = shape.indexOf('-');
    return dash < 0
        ? shape + "-" + UNIT
        : shape.substring(0, dash + 1) + UNIT + shape.substring(dash);
  }

  byte[] key(Plan plan, int index) {
    int ordinal = plan.step(index).ordinal();
    byte[] named = namedKeys[ordinal];
    return named == null ? key(ordinal, plan.counterTag(index), plan.counterSubject(index)) : named;
  }

  private byte[] key(int ordinal, String tag, String subject) {
    String key = prefix + tag + middles[ordinal] + subject + ends[ordinal];
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** The policy as one of so many gateways enforces it by itself. */
  Policy share(Policy whole, int gateways, Fallback fallback) {
    Share made = share;
    if (made == null || made.gateways != gateways) {
      made = new Share(gateways, fallback.share(whole, gateways));
      share = made;
    }
    return made.policy;
  }

  byte[] record(Step step, Plan plan) {
    return step.isUnbounded() ? moved(step, plan) : records[step.ordinal()];
  }

  private byte[] moved(Step step, Plan plan) {
    byte[] record = records[step.ordinal()];
    return step.algorithm() instanceof FixedWindow window && window.isStaggered()
        ? LimitRecord.moved(record, step.offsetMillis(plan) * 1000L)
        : record;
  }
}
