package io.quotatree.scenario;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Problem;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Section;
import io.quotatree.quotafile.yaml.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The quotas of scenarios: as in a quota file, of a gateway without routes. */
final class ScenarioQuotas {
  private ScenarioQuotas() {}

  static Shape<Fields> shape() {
    return new Section("quotas", List.of(Key.optional("x", Shape.flag(), "x"))).shape();
  }

  static Optional<QuotaTree> tree(Fields quotas, Problems problems) {
    return Optional.of(QuotaTree.empty());
  }

  static Optional<QuotaTree> ofFile(Path file, List<Problem> problems) throws IOException {
    return Optional.of(QuotaTree.empty());
  }
}
