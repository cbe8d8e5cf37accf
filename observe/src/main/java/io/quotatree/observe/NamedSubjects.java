package io.quotatree.observe;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.ApiLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.NamePattern;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.SubjectText;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** The subjects that a tree itself names: these alone may become labels of metrics. */
final class NamedSubjects {

  /**
   * What all subjects without a series of their own are called; a caller of that name is among
   * them.
   */
  static final String OTHER = "other";

  private NamedSubjects() {}

  /**
   * A subject within its layer.
   *
   * @param layer the layer
   * @param name the subject as decisions report it
   */
  record Subject(Layer layer, String name) {}

  /**
   * The node and this gateway, callers that are no patterns, groups, apis, and those callers' own
   * quotas on apis: in this order, as many as the bound allows. Never a user, nor an address.
   */
  static Set<Subject> of(QuotaTree tree, String nodeId, int bound) {
    Set<Subject> subjects = new LinkedHashSet<>();
    subjects.add(new Subject(Layer.NODE, "node"));
    if (tree.node().instance() != null || !tree.node().instances().isEmpty()) {
      subjects.add(new Subject(Layer.NODE, "node@" + nodeId));
    }
    eachNamedCaller(
        tree,
        caller -> subjects.add(new Subject(Layer.CALLER, SubjectText.escaped(caller.pattern()))));
    for (ApiLines.Group group : tree.api().groups()) {
      subjects.add(new Subject(Layer.API, "group:" + group.name()));
    }
    for (ApiLines.ApiLine line : tree.api().lines()) {
      subjects.add(new Subject(Layer.API, line.name()));
    }
    eachNamedCaller(
        tree,
        caller -> {
          for (CallerOverride.ApiQuota api : caller.apis()) {
            subjects.add(
                new Subject(Layer.API, SubjectText.escaped(caller.pattern()) + "|" + api.name()));
          }
        });
    return first(subjects, bound);
  }

  /** The names of apis, as many as the bound allows. */
  static Set<String> apis(QuotaTree tree, int bound) {
    Set<String> names = new LinkedHashSet<>();
    for (ApiLines.ApiLine line : tree.api().lines()) {
      if (names.size() < bound && !line.name().equals(OTHER)) {
        names.add(line.name());
      }
    }
    return names;
  }

  private static void eachNamedCaller(QuotaTree tree, Consumer<CallerOverride> action) {
    for (CallerOverride caller : tree.caller().overrides()) {
      if (!NamePattern.isPattern(caller.pattern())) {
        action.accept(caller);
      }
    }
  }

  private static Set<Subject> first(Set<Subject> subjects, int bound) {
    Set<Subject> bounded = new LinkedHashSet<>();
    for (Subject subject : subjects) {
      if (bounded.size() == bound) {
        break;
      }
      if (!subject.name().equals(OTHER)) {
        bounded.add(subject);
      }
    }
    return bounded;
  }
}
