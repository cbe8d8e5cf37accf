package io.quotatree.quotafile;

import io.quotatree.core.policy.ApiName;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds api names that are the same in another spelling: {@code /a/} and {@code /a}, {@code {x}}
 * and {@code {y}}, HEAD and GET.
 */
final class ApiNames {

  private final Problems problems;
  private final Map<String, Yaml.Scalar> first = new HashMap<>();

  ApiNames(Problems problems) {
    this.problems = problems;
  }

  /** Adds names, which can all be read, and tells those that stand there already. */
  void addAll(Collection<Yaml.Scalar> names) {
    for (Yaml.Scalar name : names) {
      Yaml.Scalar other = first.putIfAbsent(ApiName.parse(name.text()).canonical(), name);
      if (other != null) {
        problems.error(
            name,
            "`"
                + name.text()
                + "` can never match: it is the api `"
                + other.text()
                + "` of "
                + other.line()
                + ":"
                + other.column()
                + "; keep one of them");
      }
    }
  }
}
