package io.quotatree.quotafile;

import io.quotatree.core.policy.ApiName;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds api names that are the same in another spelling: {@code /a/} and {@code /a}, {@code {x}}
 * and {@code {y}}, HEAD and GET.
 */
final class ApiNames {

  private final Problems problems;
  private final Map<ApiName, Yaml.Scalar> first = new LinkedHashMap<>();

  ApiNames(Problems problems) {
    this.problems = problems;
  }

  /** Adds names, which can all be read, and tells those that stand there already. */
  void addAll(Collection<Yaml.Scalar> names) {
    for (Yaml.Scalar name : names) {
      Yaml.Scalar other = same(ApiName.parse(name.text()), name);
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

  private Yaml.@Nullable Scalar same(ApiName api, Yaml.Scalar at) {
    for (Map.Entry<ApiName, Yaml.Scalar> other : first.entrySet()) {
      if (other.getKey().covers(api) && api.covers(other.getKey())) {
        return other.getValue();
      }
    }
    first.put(api, at);
    return null;
  }
}
