package io.quotatree.quotafile;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Stagger;
import io.quotatree.quotafile.WrittenLimit.Item;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes limits of written ones: each with its algorithm and what that algorithm uses. */
final class LimitBuilder {

  private static final Duration LONG_FOR_A_BUCKET = Duration.ofHours(1);

  private static final List<Key<?>> COUNTING =
      List.of(Format.ALGORITHM, Format.BURST, Format.SLICES, Format.STAGGER);

  private final Problems problems;
  private final @Nullable AlgorithmName defaultAlgorithm;
  private final @Nullable Duration barePeriod;

  /** Whether that was told to be wrong, so that bare numbers need not be. */
  private final boolean periodBroken;

  LimitBuilder(Problems problems, Fields defaults) {
    this.problems = problems;
    this.defaultAlgorithm = defaults.value(Format.ALGORITHM);
    this.barePeriod = defaults.value(Format.PERIOD);
    this.periodBroken = barePeriod == null && defaults.wrote(Format.PERIOD);
  }

  LimitBuilder(Problems problems, QuotaFile.Defaults defaults) {
    this.problems = problems;
    this.defaultAlgorithm = defaults.algorithm().orElse(null);
    this.barePeriod = defaults.period().orElse(null);
    this.periodBroken = false;
  }

  /** What a line allows; null where it is wrong, which is told. */
  @Nullable Allowance allowance(WrittenQuota written, WrittenLimit limit) {
    if (limit instanceof WrittenLimit.Word word) {
      tellUnused(written.own(), Set.of(), "`" + word + "` counts nothing");
      return word == WrittenLimit.Word.BLOCKED ? Allowance.BLOCKED : Allowance.UNLIMITED;
    }
    List<Item> items = ((WrittenLimit.Items) limit).items();
    if (!standsBeside(written, items)) {
      return null;
    }
    Set<Key<?>> used = new HashSet<>();
    List<RateLimit> limits = new ArrayList<>();
    List<Yaml> places = new ArrayList<>();
    for (Item item : items) {
      RateLimit made = limit(written, item, used);
      if (made != null && !isDouble(made, item, limits, places)) {
        limits.add(made);
        places.add(item.at());
      }
    }
    if (limits.isEmpty() || limits.size() < items.size()) {
      return null;
    }
    tellUnused(written.own(), used, used(limits) + " does not use it");
    return new Allowance.Limited(limits);
  }

  private static String used(List<RateLimit> limits) {
    return String.join(
        " and ", limits.stream().map(limit -> limit.algorithm().word()).distinct().toList());
  }

  /** Items that say themselves how they are counted leave nothing for the keys beside the list. */
  private boolean standsBeside(WrittenQuota written, List<Item> items) {
    boolean fine = true;
    if (items.stream().anyMatch(Item::isMapping)) {
      for (Key<?> key : COUNTING) {
        Located<?> beside = written.own().find(key);
        if (beside != null) {
          problems.error(
              beside.key(),
              "`"
                  + key.name()
                  + "` beside a list whose items are mappings; write it inside the items it is for");
          fine = false;
        }
      }
    }
    return fine;
  }

  private @Nullable RateLimit limit(WrittenQuota written, Item item, Set<Key<?>> used) {
    if (item.rate().period() == null && barePeriod == null && periodBroken) {
      return null;
    }
    Rate rate;
    try {
      rate = item.rate().with(barePeriod);
    } catch (IllegalArgumentException e) {
      problems.error(item.at(), String.valueOf(e.getMessage()));
      return null;
    }
    AlgorithmName algorithm = algorithm(written, item, used);
    Set<Key<?>> usedOfItem = new HashSet<>(Set.of(Format.ALGORITHM));
    long burst = RateLimit.defaultBurst(algorithm, rate);
    int slices = 1;
    Stagger stagger = Stagger.ALIGNED;
    if (algorithm.isBucket()) {
      burst = said(Format.BURST, written, item, burst);
      usedOfItem.add(Format.BURST);
    } else if (algorithm == AlgorithmName.SLIDING_WINDOW) {
      slices = Math.toIntExact(said(Format.SLICES, written, item, (long) RateLimit.DEFAULT_SLICES));
      usedOfItem.add(Format.SLICES);
    } else if (algorithm == AlgorithmName.FIXED_WINDOW) {
      stagger = said(Format.STAGGER, written, item, true) ? Stagger.STAGGERED : Stagger.ALIGNED;
      usedOfItem.add(Format.STAGGER);
    }
    used.addAll(usedOfItem);
    tellUnused(item.own(), usedOfItem, algorithm.word() + " does not use it");
    Yaml blamed = blamed(written, item);
    if (!possible(blamed, algorithm, rate, burst)) {
      return null;
    }
    tellLongBucket(blamed, algorithm, rate, burst);
    return new RateLimit(algorithm, rate, burst, slices, stagger);
  }

  private AlgorithmName algorithm(WrittenQuota written, Item item, Set<Key<?>> used) {
    used.add(Format.ALGORITHM);
    return said(
        Format.ALGORITHM,
        written,
        item,
        defaultAlgorithm == null ? written.usual() : defaultAlgorithm);
  }

  private static <T> T said(Key<T> key, WrittenQuota written, Item item, T otherwise) {
    T own = item.own().value(key);
    return own == null ? written.value(key, otherwise) : own;
  }

  /**
   * What this line says itself, so that a limit that it takes over is not blamed for the algorithm
   * that it writes.
   */
  private static Yaml blamed(WrittenQuota written, Item item) {
    Located<AlgorithmName> algorithm = written.own().find(Format.ALGORITHM);
    return algorithm == null || written.givesLimit() ? item.at() : algorithm.at();
  }

  private boolean possible(Yaml at, AlgorithmName algorithm, Rate rate, long burst) {
    if (algorithm == AlgorithmName.SLIDING_LOG && rate.permits() > RateLimit.MAX_LOG_PERMITS) {
      problems.error(
          at,
          "`"
              + rate.text()
              + "` in a sliding_log, which remembers each of its permits, 100,000 at most; write `algorithm: sliding_window`");
      return false;
    }
    if (algorithm.isBucket() && RateLimit.fillTooLong(rate, burst)) {
      problems.error(
          at,
          "a burst of "
              + burst
              + " at `"
              + rate.text()
              + "` takes over 100 years to fill; write a smaller `burst`");
      return false;
    }
    return true;
  }

  private void tellLongBucket(Yaml at, AlgorithmName algorithm, Rate rate, long burst) {
    // A burst of under a tenth adds little; its author has thought of it.
    if (algorithm.isBucket()
        && rate.periodMicros() >= LONG_FOR_A_BUCKET.toMillis() * 1_000
        && burst > rate.permits() / 10) {
      problems.warning(
          at,
          "`"
              + rate.text()
              + "` in a "
              + algorithm.word()
              + " of burst "
              + burst
              + " lets "
              + (rate.permits() + burst)
              + " pass within one period; write `algorithm: sliding_window`, or a small `burst`");
    }
  }

  private boolean isDouble(RateLimit made, Item item, List<RateLimit> limits, List<Yaml> places) {
    for (int i = 0; i < limits.size(); i++) {
      RateLimit other = limits.get(i);
      if (other.algorithm() == made.algorithm()
          && other.rate().periodMicros() == made.rate().periodMicros()) {
        problems.error(
            item.at(),
            "`"
                + made.rate().text()
                + "` has algorithm and period of `"
                + other.rate().text()
                + "` at "
                + places.get(i).line()
                + ":"
                + places.get(i).column()
                + "; keep one of them");
        return true;
      }
    }
    return false;
  }

  private void tellUnused(Fields own, Set<Key<?>> used, String why) {
    for (Key<?> key : COUNTING) {
      Located<?> said = own.find(key);
      if (said != null && !used.contains(key)) {
        problems.warning(
            said.key(), "`" + key.name() + "` means nothing here: " + why + "; leave it out");
      }
    }
  }
}
