package io.quotatree.quotafile;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.ArrayList;
import java.util.List;

/**
 * A quota in force, written out as a line of a file would say it, so that another one can take over
 * from it key by key.
 */
final class InForce {

  private final Yaml at;
  private final List<Yaml.Entry> entries = new ArrayList<>();

  private InForce(Yaml at) {
    this.at = at;
  }

  /**
   * The line of a quota.
   *
   * @param at where whatever is wrong with it is told
   */
  static Yaml of(Quota quota, Yaml at) {
    InForce line = new InForce(at);
    if (quota.allowance() instanceof Allowance.Limited limited) {
      line.limits(limited.limits());
    } else if (quota.allowance() instanceof Allowance.Blocked) {
      line.put("limit", line.text("blocked"));
    } else {
      line.put("limit", line.text("unlimited"));
    }
    quota
        .concurrency()
        .ifPresent(inFlight -> line.put("concurrency", line.text(String.valueOf(inFlight))));
    line.put("accounting", line.text(quota.accounting().word()));
    quota.onFailure().ifPresent(said -> line.put("on_failure", line.text(said.word())));
    return line.mapping(line.entries);
  }

  /** Limits that are counted alike say so once, beside them: that is what can be taken over. */
  private void limits(List<RateLimit> limits) {
    RateLimit first = limits.get(0);
    boolean alike =
        limits.size() == 1
            || limits.stream()
                .allMatch(
                    limit ->
                        limit.algorithm() == first.algorithm()
                            && limit.slices() == first.slices()
                            && limit.stagger() == first.stagger()
                            && limit.burstPermits()
                                == RateLimit.defaultBurst(limit.algorithm(), limit.rate()));
    List<Yaml> items = new ArrayList<>();
    for (RateLimit limit : limits) {
      List<Yaml.Entry> item = new ArrayList<>();
      item.add(entry("limit", text(limit.rate().text())));
      if (!alike) {
        item.addAll(counting(limit, true));
      }
      items.add(alike ? text(limit.rate().text()) : mapping(item));
    }
    put("limit", new Yaml.Sequence(items, at.line(), at.column()));
    if (alike) {
      entries.addAll(counting(first, limits.size() == 1));
    }
  }

  private List<Yaml.Entry> counting(RateLimit limit, boolean withBurst) {
    List<Yaml.Entry> counting = new ArrayList<>();
    counting.add(entry("algorithm", text(limit.algorithm().word())));
    switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> {
        if (withBurst) {
          counting.add(entry("burst", text(String.valueOf(limit.burstPermits()))));
        }
      }
      case SLIDING_WINDOW -> counting.add(entry("slices", text(String.valueOf(limit.slices()))));
      case FIXED_WINDOW ->
          counting.add(
              entry("stagger", text(String.valueOf(limit.stagger() == Stagger.STAGGERED))));
      default -> {}
    }
    return counting;
  }

  private void put(String key, Yaml value) {
    entries.add(entry(key, value));
  }

  private Yaml.Entry entry(String key, Yaml value) {
    return new Yaml.Entry(text(key), value);
  }

  private Yaml.Scalar text(String text) {
    return new Yaml.Scalar(text, Yaml.Quoting.PLAIN, at.line(), at.column());
  }

  private Yaml mapping(List<Yaml.Entry> of) {
    return new Yaml.Mapping(of, at.line(), at.column());
  }
}
