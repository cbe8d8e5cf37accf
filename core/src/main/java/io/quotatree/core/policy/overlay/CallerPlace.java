package io.quotatree.core.policy.overlay;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.CallerOverride.ApiQuota;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.SubjectText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Places of one caller. The caller then has a line of its own, which says all else as the line did
 * that held for it before: where that was a pattern, the others that fit it keep it.
 */
sealed interface CallerPlace extends OverridePlace {

  /** The caller's name. */
  String caller();

  /** The caller's line with another quota at this place. */
  CallerOverride with(CallerOverride line, Quota quota);

  @Override
  default QuotaTree with(QuotaTree tree, Quota quota) {
    List<CallerOverride> lines = tree.caller().overrides();
    CallerOverride changed = with(line(tree), quota);
    return tree.withCaller(
        new CallerLines(
            tree.caller().byDefault(), Lines.with(lines, CallerOverride::pattern, changed)));
  }

  /** The line that holds for the caller, as if it were its alone. */
  default CallerOverride line(QuotaTree tree) {
    CallerOverride line = Lines.of(tree.caller().overrides(), CallerOverride::pattern, caller());
    return line == null
        ? new CallerOverride(
            caller(), tree.caller().byDefault(), null, List.of(), Map.of(), List.of())
        : new CallerOverride(
            caller(), line.quota(), line.user(), line.users(), line.plans(), line.apis());
  }

  /** The caller itself. */
  record Itself(String caller) implements CallerPlace {
    @Override
    public Layer layer() {
      return Layer.CALLER;
    }

    @Override
    public String subject() {
      return SubjectText.escaped(caller);
    }

    @Override
    public @Nullable Quota in(QuotaTree tree) {
      return line(tree).quota();
    }

    @Override
    public CallerOverride with(CallerOverride line, Quota quota) {
      return new CallerOverride(
          caller, quota, line.user(), line.users(), line.plans(), line.apis());
    }
  }

  /** A named user of the caller. */
  record ItsUser(String caller, String user) implements CallerPlace {
    @Override
    public Layer layer() {
      return Layer.USER;
    }

    @Override
    public String subject() {
      return SubjectText.escaped(caller) + "/" + SubjectText.escapedUser(user);
    }

    /** Which plan the user has, only requests say: what a plan gives is not found here. */
    @Override
    public @Nullable Quota in(QuotaTree tree) {
      CallerOverride line = line(tree);
      Quota own = Lines.of(line.users(), user);
      if (own != null) {
        return own;
      }
      return line.user() == null ? tree.user().byDefault() : line.user();
    }

    @Override
    public CallerOverride with(CallerOverride line, Quota quota) {
      return new CallerOverride(
          caller,
          line.quota(),
          line.user(),
          Lines.with(line.users(), user, quota),
          line.plans(),
          line.apis());
    }
  }

  /** The caller on one api, or on all that a name fits. */
  record ItsApi(String caller, ApiName api) implements CallerPlace {
    @Override
    public Layer layer() {
      return Layer.API;
    }

    @Override
    public String subject() {
      return SubjectText.escaped(caller) + "|" + api.text();
    }

    @Override
    public @Nullable Quota in(QuotaTree tree) {
      return line(tree).apis().stream()
          .filter(this::isSame)
          .map(ApiQuota::quota)
          .findFirst()
          .orElse(null);
    }

    private boolean isSame(ApiQuota other) {
      return ApiName.parse(other.name()).canonical().equals(api.canonical());
    }

    @Override
    public CallerOverride with(CallerOverride line, Quota quota) {
      // Two names of equal rank go by their order, so it stays where it was.
      List<ApiQuota> apis = new ArrayList<>(line.apis());
      boolean isThere = apis.stream().anyMatch(this::isSame);
      apis.replaceAll(there -> isSame(there) ? new ApiQuota(there.name(), quota) : there);
      if (!isThere) {
        apis.add(new ApiQuota(api.text(), quota));
      }
      return new CallerOverride(
          caller, line.quota(), line.user(), line.users(), line.plans(), apis);
    }
  }
}
