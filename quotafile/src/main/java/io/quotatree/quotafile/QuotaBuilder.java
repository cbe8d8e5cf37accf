package io.quotatree.quotafile;

import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Quota;
import io.quotatree.quotafile.WrittenLimit.Word;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problems;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes whole quotas of written ones, and tells what cannot be or means nothing. */
final class QuotaBuilder {

  private static final List<Key<?>> ABOUT_A_LIMIT =
      List.of(
          Format.ALGORITHM,
          Format.BURST,
          Format.SLICES,
          Format.STAGGER,
          Format.ACCOUNTING,
          Format.ON_FAILURE,
          Format.SHADOW);

  private final Problems problems;
  private final QuotaFile.Defaults defaults;
  private final Levels levels;
  private final LimitBuilder limits;

  /**
   * A builder for one tree.
   *
   * @param defaults what holds where a quota does not say
   * @param levels limits by the name of their level
   */
  QuotaBuilder(Problems problems, Fields defaults, Levels levels) {
    this(problems, defaults(defaults), levels, new LimitBuilder(problems, defaults));
  }

  private QuotaBuilder(
      Problems problems, QuotaFile.Defaults defaults, Levels levels, LimitBuilder limits) {
    this.problems = problems;
    this.defaults = defaults;
    this.levels = levels;
    this.limits = limits;
  }

  /** A builder for a quota beside the file, which has no levels. */
  static QuotaBuilder beside(Problems problems, QuotaFile.Defaults defaults, Levels none) {
    return new QuotaBuilder(problems, defaults, none, new LimitBuilder(problems, defaults));
  }

  /** What a section of defaults says of quotas. */
  static QuotaFile.Defaults defaults(Fields said) {
    return new QuotaFile.Defaults(
        Optional.ofNullable(said.value(Format.PERIOD)),
        Optional.ofNullable(said.value(Format.ALGORITHM)),
        said.value(Format.ACCOUNTING, Accounting.STRICT),
        said.value(Format.SHADOW, false) ? Enforcement.SHADOW : Enforcement.ENFORCED);
  }

  /** To be called when all lines were built: tells what is wrong in what none of them used. */
  void checkUnused() {
    levels.checkUnused(limits);
  }

  /** The quota of a line that must give one; null where it does not, which is told. */
  @Nullable Quota required(WrittenQuota written) {
    boolean says =
        Stream.of(Format.LIMIT, Format.LEVEL, Format.CONCURRENCY)
            .anyMatch(key -> written.giver(key) != null);
    if (!says && written.sound() && !saysVainly(written)) {
      problems.error(
          written.key(),
          "`"
              + written.place()
              + "` says no limit; write `limit: 100/min`, `unlimited` or `blocked`");
    }
    return optional(written);
  }

  /** The quota of a line; null where it gives none. */
  @Nullable Quota optional(WrittenQuota written) {
    if (!written.sound()) {
      return null;
    }
    WrittenLimit limit = limit(written);
    Located<Long> inFlight = written.find(Format.CONCURRENCY);
    if (limit == null && inFlight == null) {
      tellVain(written);
      return null;
    }
    Allowance allowance = limit == null ? Allowance.UNLIMITED : limits.allowance(written, limit);
    if (allowance == null) {
      return null;
    }
    return new Quota(
        allowance,
        concurrency(written, limit, inFlight),
        written.value(Format.ACCOUNTING, defaults.accounting()),
        written.value(Format.SHADOW, defaults.enforcement() == Enforcement.SHADOW)
            ? Enforcement.SHADOW
            : Enforcement.ENFORCED,
        written.origin(),
        Optional.ofNullable(written.find(Format.ON_FAILURE)).map(Located::value));
  }

  private @Nullable WrittenLimit limit(WrittenQuota written) {
    Located<String> level = written.find(Format.LEVEL);
    WrittenLimit ofLevel = level == null ? null : levels.limit(level);
    // A line's own level gives a limit before one that would be taken over.
    boolean own = written.own().wrote(Format.LEVEL) && !written.own().wrote(Format.LIMIT);
    Located<WrittenLimit> limit = own ? null : written.find(Format.LIMIT);
    return limit == null ? ofLevel : limit.value();
  }

  private OptionalInt concurrency(
      WrittenQuota written, @Nullable WrittenLimit limit, @Nullable Located<Long> inFlight) {
    if (inFlight == null) {
      return OptionalInt.empty();
    }
    if (limit == Word.BLOCKED) {
      if (written.own().wrote(Format.CONCURRENCY)) {
        problems.warning(
            inFlight.key(),
            "`concurrency` beside `blocked`, which lets nothing in; leave one of them out");
      }
      return OptionalInt.empty();
    }
    return OptionalInt.of(Math.toIntExact(inFlight.value()));
  }

  private static boolean saysVainly(WrittenQuota written) {
    return ABOUT_A_LIMIT.stream().anyMatch(written.own()::wrote);
  }

  /**
   * Without a limit nothing is limited, so a line that only says how is a mistake and must not pass
   * in silence.
   */
  private void tellVain(WrittenQuota written) {
    for (Key<?> key : ABOUT_A_LIMIT) {
      Located<?> said = written.own().find(key);
      if (said != null) {
        problems.error(
            said.key(), "`" + key.name() + "` without a `limit`; write `limit: 100/min` beside it");
      }
    }
  }
}
