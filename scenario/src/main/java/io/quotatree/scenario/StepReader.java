package io.quotatree.scenario;

import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.Request.Proof;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.yaml.Durations;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Nearest;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import io.quotatree.scenario.Step.Heading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes steps of what was read, one after the other, and tells those that cannot be taken. */
final class StepReader {

  private static final List<Key<?>> ACTIONS =
      List.of(
          ScenarioKeys.SEND_FIELDS, ScenarioKeys.RELEASE, ScenarioKeys.RELOAD, ScenarioKeys.CLOCK);

  private final Problems problems;
  private final Map<String, Integer> ids = new HashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private Duration ended = Duration.ZERO;
  private int number;

  StepReader(Problems problems) {
    this.problems = problems;
  }

  /** The steps of a list; fewer where some were told to be wrong. */
  List<Step> read(List<Located<Fields>> items) {
    for (Located<Fields> item : items) {
      number++;
      Fields fields = item.value();
      Heading heading = new Heading(number, fields.at().line(), begin(fields));
      Step step = step(fields, heading);
      if (step != null) {
        steps.add(step);
        ended = heading.at().plus(step.lasts());
        if (ended.compareTo(ScenarioKeys.LONGEST) > 0) {
          problems.error(
              fields.at(),
              "the step ends over %s after the start; write fewer `times` or a shorter `every`"
                  .formatted(Durations.words(ScenarioKeys.LONGEST)));
          ended = heading.at();
        }
      } else {
        ended = heading.at();
      }
    }
    return steps;
  }

  private Duration begin(Fields fields) {
    Located<Duration> at = fields.find(ScenarioKeys.AT);
    if (at == null) {
      return ended;
    }
    if (at.value().compareTo(ended) < 0) {
      problems.error(
          at.at(),
          "`at: "
              + Durations.words(at.value())
              + "` is before the step above ends; write "
              + Durations.words(ended)
              + " or later, or leave `at` out");
      return ended;
    }
    return at.value();
  }

  private @Nullable Step step(Fields fields, Heading heading) {
    if (!(fields.at() instanceof Yaml.Mapping)) {
      return null; // told already
    }
    List<Key<?>> written = ACTIONS.stream().filter(fields::wrote).toList();
    if (written.isEmpty() && hasUnknownKeys(fields)) {
      return null; // told already: what it does was written otherwise
    }
    if (written.size() != 1) {
      problems.error(
          fields.at(),
          written.isEmpty()
              ? "the step does nothing; write one of send, release, reload, clock"
              : "`%s` and `%s` in one step; make it two"
                  .formatted(written.get(0).name(), written.get(1).name()));
      return null;
    }
    Located<Fields> expect = fields.find(ScenarioKeys.EXPECT_FIELDS);
    if (expect != null && written.get(0) != ScenarioKeys.SEND_FIELDS) {
      problems.error(
          expect.key(), "nothing is sent that could be expected; write `expect` beside `send`");
    }
    Located<Fields> send = fields.find(ScenarioKeys.SEND_FIELDS);
    Located<String> release = fields.find(ScenarioKeys.RELEASE);
    Located<Yaml> reload = fields.find(ScenarioKeys.RELOAD);
    Duration clock = fields.value(ScenarioKeys.CLOCK);
    if (send != null) {
      return send(send.value(), expectations(expect), heading);
    } else if (release != null) {
      return release(release, heading);
    } else if (reload != null) {
      return QuotaFiles.quotas(reload.value(), problems)
          .map(tree -> new Step.Reload(heading, tree))
          .orElse(null);
    }
    return clock == null ? null : new Step.Clock(heading, clock);
  }

  private static boolean hasUnknownKeys(Fields fields) {
    return fields.at() instanceof Yaml.Mapping mapping
        && mapping.entries().stream()
            .anyMatch(entry -> !ScenarioKeys.STEP_KEYS.contains(entry.key().text()));
  }

  private Step.@Nullable Release release(Located<String> id, Heading heading) {
    if (!ids.containsKey(id.value())) {
      problems.error(
          id.at(),
          "no step above sends with the id `"
              + id.value()
              + "`; "
              + (ids.isEmpty()
                  ? "write `id` into its `send`"
                  : Nearest.advice(id.value(), ids.keySet())));
      return null;
    }
    return new Step.Release(heading, id.value());
  }

  private Step.@Nullable Send send(Fields fields, List<Expectation> expected, Heading heading) {
    Located<String> id = fields.find(ScenarioKeys.ID);
    if (id != null) {
      Integer before = ids.putIfAbsent(id.value(), id.at().line());
      if (before != null) {
        problems.error(
            id.at(),
            "the id `" + id.value() + "` is already used at line " + before + "; write another");
      }
    }
    ScenarioKeys.Api api = fields.value(ScenarioKeys.API);
    Located<Duration> every = fields.find(ScenarioKeys.EVERY);
    if (every != null && !fields.wrote(ScenarioKeys.TIMES)) {
      problems.error(every.key(), "`every` without `times`; write how many, or leave it out");
    }
    if (api == null) {
      return null;
    }
    return new Step.Send(
        heading,
        request(fields, api),
        fields.value(ScenarioKeys.TIMES, 1L).intValue(),
        fields.value(ScenarioKeys.EVERY, Duration.ZERO),
        fields.value(ScenarioKeys.INSTANCE, Scenario.DEFAULT_INSTANCE),
        new Step.Permits(
            fields.value(ScenarioKeys.HOLD, false)
                ? Step.Held.UNTIL_RELEASED
                : Step.Held.UNTIL_ANSWERED,
            Optional.ofNullable(id).map(Located::value)),
        expected);
  }

  private static Request request(Fields fields, ScenarioKeys.Api api) {
    Fields attributes = fields.value(ScenarioKeys.ATTRIBUTE_FIELDS);
    return new Request(
        fields.value(ScenarioKeys.CALLER, ""),
        fields.value(ScenarioKeys.USER, ""),
        fields.value(ScenarioKeys.UNPROVEN, false) ? Proof.UNPROVEN : Proof.PROVEN,
        fields.value(ScenarioKeys.PLAN, ""),
        api.method(),
        api.path(),
        fields.value(ScenarioKeys.COST),
        attributes == null ? "" : attributes.value(ScenarioKeys.IP, ""),
        attributes == null ? "" : attributes.value(ScenarioKeys.SESSION, ""));
  }

  private static List<Expectation> expectations(@Nullable Located<Fields> expect) {
    List<Expectation> expected = new ArrayList<>();
    if (expect != null) {
      ScenarioKeys.ASPECTS.forEach(
          (aspect, key) -> {
            Located<?> found = expect.value().find(key);
            if (found != null && found.at() instanceof Yaml.Scalar scalar) {
              expected.add(new Expectation(aspect, Objects.toString(found.value()), scalar.text()));
            }
          });
    }
    return expected;
  }
}
