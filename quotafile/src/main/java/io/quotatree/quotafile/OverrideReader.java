package io.quotatree.quotafile;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Origin;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.overlay.Overlay.Wanted;
import io.quotatree.core.policy.overlay.OverridePlace;
import io.quotatree.core.policy.overlay.Overrides;
import io.quotatree.core.policy.overlay.TimedOverride;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.FlowText;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problem;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes overrides of a YAML tree, and tells what is wrong or odd beside a file's quotas. */
final class OverrideReader {

  private final QuotaFile file;
  private final Problems problems;

  /** The file's quotas with all that was read so far. */
  private QuotaTree tree;

  /** Where the quotas of these overrides stand. */
  private final List<Yaml> quotas = new ArrayList<>();

  OverrideReader(QuotaFile file, Problems problems) {
    this.file = file;
    this.problems = problems;
    this.tree = file.quotas();
  }

  /** The overrides of a tree, which is one or a list; of use only where there are no errors. */
  List<Wanted> read(Yaml root) {
    List<Yaml> items = root instanceof Yaml.Sequence list ? list.items() : List.of(root);
    if (items.isEmpty() || items.size() > Overrides.MOST) {
      problems.error(
          root, items.size() + " overrides; write 1 to " + Overrides.MOST + " in one call");
      return List.of();
    }
    Map<String, Yaml> seen = new HashMap<>();
    List<Wanted> wanted = new ArrayList<>();
    for (Yaml item : items) {
      Wanted one = one(OverrideFormat.OVERRIDE.read(item, problems), seen);
      if (one != null) {
        wanted.add(one);
      }
    }
    if (problems.sound()) {
      tellOdd();
    }
    return wanted;
  }

  private @Nullable Wanted one(Fields fields, Map<String, Yaml> seen) {
    Located<String> subject = fields.find(OverrideFormat.SUBJECT);
    Located<Fields> quota = fields.find(OverrideFormat.QUOTA);
    Layer layer = fields.value(OverrideFormat.LAYER);
    if (subject == null || layer == null) {
      return null;
    }
    OverridePlace place = place(layer, subject);
    if (place == null || isSecond(place, subject.at(), seen) || quota == null) {
      return null;
    }
    String text = FlowText.of(quota.at());
    if (text.length() > TimedOverride.MOST_QUOTA_CHARS) {
      problems.error(
          quota.at(),
          "a quota of "
              + text.length()
              + " characters; write "
              + TimedOverride.MOST_QUOTA_CHARS
              + " at most");
      return null;
    }
    Quota made = made(place, quota.at(), quota.value());
    var lasting = fields.value(OverrideFormat.FOR);
    if (made == null || lasting == null) {
      return null;
    }
    Yaml at = quota.at();
    quotas.add(at);
    CostOddities.of(place, made, file.quotas()).ifPresent(odd -> problems.warning(at, odd));
    tree = place.with(tree, made.withOrigin(new Origin("the override", at.line(), at.column())));
    return new Wanted(place, text, lasting, fields.value(OverrideFormat.REASON, ""));
  }

  private @Nullable OverridePlace place(Layer layer, Located<String> subject) {
    try {
      OverridePlace place = OverridePlace.of(layer, subject.value());
      // Refuses a place that the file does not have.
      place.in(file.quotas());
      return place;
    } catch (IllegalArgumentException e) {
      problems.error(subject.at(), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private boolean isSecond(OverridePlace place, Yaml at, Map<String, Yaml> seen) {
    String alike = OverridePlace.spelledAlike(place.layer(), place.subject());
    Yaml first = seen.putIfAbsent(place.layer().word() + " " + alike, at);
    if (first != null) {
      problems.error(
          at,
          "`"
              + place.subject()
              + "` a second time, already at "
              + first.line()
              + ":"
              + first.column()
              + "; keep one of them");
    }
    return first != null;
  }

  /**
   * The quota that stands at a place of the file; null where it is none, which is told.
   *
   * @throws IllegalArgumentException if the file has no such place
   */
  @Nullable Quota quota(OverridePlace place, Yaml at) {
    Fields own = Format.A_QUOTA.read(at, problems);
    return own == null ? null : made(place, at, own);
  }

  private @Nullable Quota made(OverridePlace place, Yaml at, Fields own) {
    AlgorithmName usual = usual(place);
    Quota inForce = place.in(file.quotas());
    WrittenQuota base = null;
    if (inForce != null) {
      Fields said = Format.A_QUOTA.read(InForce.of(inForce, at), problems.fresh());
      base =
          said == null ? null : new WrittenQuota(inForce.origin().place(), at, said, null, usual);
    }
    String words = "override of " + place.layer().word() + " " + place.subject();
    Quota quota =
        QuotaBuilder.beside(problems, file.defaults(), new Levels(Fields.none(at), problems))
            .required(new WrittenQuota(words, at, own, base, usual));
    if (quota != null && place.layer() == Layer.API) {
      checkCosts(place.with(file.quotas(), quota), at, problems);
    }
    return quota;
  }

  private static AlgorithmName usual(OverridePlace place) {
    return switch (place.layer()) {
      case NODE ->
          place instanceof OverridePlace.Fleet
              ? AlgorithmName.SLIDING_WINDOW
              : AlgorithmName.TOKEN_BUCKET;
      case CALLER, USER -> AlgorithmName.TOKEN_BUCKET;
      case API -> AlgorithmName.FIXED_WINDOW;
    };
  }

  /** The file's own costs were checked with it: what is wrong now, the override brings. */
  private static List<CostCheck.Cost> checkCosts(QuotaTree with, Yaml at, Problems told) {
    CostCheck costs = new CostCheck(told);
    for (ApiLine line : with.api().lines()) {
      costs.check(
          new CostCheck.Cost(ApiName.parse(line.name()), at, line.rule()), with.api().groups());
    }
    return costs.costs();
  }

  /** Tells what is odd with these overrides and is not without them. */
  private void tellOdd() {
    Set<String> before = odd(file.quotas()).stream().map(Problem::text).collect(Collectors.toSet());
    for (Problem problem : odd(tree)) {
      if (!before.contains(problem.text())) {
        problems.warning(problem.line(), problem.column(), problem.text());
      }
    }
  }

  private List<Problem> odd(QuotaTree of) {
    Problems odd = problems.fresh();
    new StandingCheck(odd).check(of);
    // What the override does to lines of the file has no place in this text.
    return odd.warnings().stream()
        .filter(
            problem ->
                quotas.stream()
                    .anyMatch(at -> at.line() == problem.line() && at.column() == problem.column()))
        .toList();
  }
}
