package io.quotatree.testkit.trace;

import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Origin;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Random quotas. */
final class QuotaMaker {

  private static final List<Integer> SLICES = List.of(1, 2, 3, 7, 60, 60, 1_000);

  private final Dice dice;
  private final Scale scale;
  private final int loosePercent;
  private final int shadowPercent;

  QuotaMaker(Dice dice, Scale scale) {
    this.dice = dice;
    this.scale = scale;
    this.loosePercent = dice.pick(List.of(0, 20, 60));
    this.shadowPercent = dice.pick(List.of(0, 0, 10, 40));
  }

  /** A quota of at most about so many permits of the scale. */
  Quota quota(String place, int most) {
    OptionalInt concurrency =
        dice.chance(7) ? OptionalInt.of(dice.between(1, 4)) : OptionalInt.empty();
    return new Quota(
        allowance(most),
        concurrency,
        dice.chance(loosePercent) ? Accounting.LOOSE : Accounting.STRICT,
        dice.chance(shadowPercent) ? Enforcement.SHADOW : Enforcement.ENFORCED,
        Origin.code(place),
        Optional.empty());
  }

  /** The quota with other figures, as an operator who raises and lowers limits would write it. */
  Quota tweaked(Quota quota) {
    if (!dice.chance(60) || !(quota.allowance() instanceof Allowance.Limited limited)) {
      return quota;
    }
    Allowance allowance =
        new Allowance.Limited(apart(limited.limits().stream().map(this::tweaked).toList()));
    OptionalInt concurrency =
        quota.concurrency().isPresent() && dice.chance(50)
            ? OptionalInt.of(dice.between(1, 4))
            : quota.concurrency();
    return new Quota(
        allowance,
        concurrency,
        quota.accounting(),
        quota.enforcement(),
        quota.origin(),
        quota.onFailure());
  }

  private Allowance allowance(int most) {
    int kind = dice.between(1, 200);
    if (kind <= 16) {
      return kind == 1 ? Allowance.BLOCKED : Allowance.UNLIMITED;
    }
    int wanted = dice.pick(List.of(1, 1, 1, 1, 2, 3));
    return new Allowance.Limited(
        apart(IntStream.range(0, wanted).mapToObj(i -> limit(most)).toList()));
  }

  /** Without limits that an earlier one shares a counter with: no file may say that. */
  private static List<RateLimit> apart(List<RateLimit> limits) {
    List<RateLimit> apart = new ArrayList<>();
    for (RateLimit limit : limits) {
      if (apart.stream().noneMatch(other -> sameCounter(other, limit))) {
        apart.add(limit);
      }
    }
    return apart;
  }

  private static boolean sameCounter(RateLimit a, RateLimit b) {
    return a.algorithm() == b.algorithm() && a.rate().periodMicros() == b.rate().periodMicros();
  }

  private RateLimit limit(int most) {
    AlgorithmName algorithm = dice.pick(List.of(AlgorithmName.values()));
    Rate rate = scale.rate(dice, most);
    if (algorithm == AlgorithmName.SLIDING_LOG && rate.permits() > RateLimit.MAX_LOG_PERMITS) {
      algorithm = AlgorithmName.SLIDING_WINDOW;
    }
    int slices = algorithm == AlgorithmName.SLIDING_WINDOW ? dice.pick(SLICES) : 1;
    boolean staggered = algorithm == AlgorithmName.FIXED_WINDOW && dice.chance(50);
    return new RateLimit(
        algorithm,
        rate,
        burst(algorithm, rate),
        slices,
        staggered ? Stagger.STAGGERED : Stagger.ALIGNED);
  }

  private RateLimit tweaked(RateLimit limit) {
    Rate rate = limit.rate();
    Rate changed = dice.chance(80) ? scale.rate(dice, 8) : rate;
    if (dice.chance(90)) {
      Rate samePeriod = Rate.of(changed.permits(), rate.periodMicros());
      changed = Scale.exact(samePeriod) ? samePeriod : rate;
    }
    if (limit.algorithm() == AlgorithmName.SLIDING_LOG
        && changed.permits() > RateLimit.MAX_LOG_PERMITS) {
      changed = rate;
    }
    return new RateLimit(
        limit.algorithm(),
        changed,
        burst(limit.algorithm(), changed),
        limit.slices(),
        limit.stagger());
  }

  private long burst(AlgorithmName algorithm, Rate rate) {
    if (!algorithm.isBucket()) {
      return rate.permits();
    }
    boolean leaky = algorithm == AlgorithmName.LEAKY_BUCKET;
    long burst =
        dice.chance(leaky ? 20 : 50)
            ? RateLimit.defaultBurst(algorithm, rate)
            : scale.count(dice, 8);
    return RateLimit.fillTooLong(rate, burst) ? 1 : burst;
  }
}
