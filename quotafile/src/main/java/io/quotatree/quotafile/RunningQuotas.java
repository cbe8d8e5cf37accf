package io.quotatree.quotafile;

import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The quotas of a tree for programs, each with the line of the file that it came from. */
public final class RunningQuotas {

  private RunningQuotas() {}

  /** The tree as maps, lists and values, ready for any JSON writer. */
  public static Map<String, Object> of(QuotaTree tree) {
    List<Object> quotas = new ArrayList<>();
    QuotaPlaces.visit(tree, (layer, place, quota) -> quotas.add(quota(layer, place, quota)));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("order", tree.order().stream().map(Layer::word).toList());
    all.put("max_subjects", tree.maxSubjects());
    all.put("quotas", quotas);
    return all;
  }

  private static Map<String, Object> quota(Layer layer, String place, Quota quota) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("layer", layer.word());
    one.put("place", place);
    one.put("allowance", Explainer.allowance(quota));
    one.put("limits", Explainer.counted(quota).stream().map(Explanation.Counted::asMap).toList());
    one.put("accounting", quota.accounting().word());
    quota.onFailure().ifPresent(said -> one.put("on_failure", said.word()));
    one.put("enforcement", quota.enforcement() == Enforcement.SHADOW ? "shadow" : "enforced");
    one.put("written_at", quota.origin().place());
    one.put("line", quota.origin().line());
    one.put("column", quota.origin().column());
    quota.origin().until().ifPresent(until -> one.put("until", until.toString()));
    return one;
  }
}
