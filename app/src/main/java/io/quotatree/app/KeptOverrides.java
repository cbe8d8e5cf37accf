package io.quotatree.app;

import io.quotatree.core.policy.overlay.Overlay;
import io.quotatree.core.policy.overlay.Overlay.Idle;
import io.quotatree.core.policy.overlay.Overlay.Laid;
import io.quotatree.core.policy.overlay.OverrideStore;
import io.quotatree.core.policy.overlay.OverrideStoreException;
import io.quotatree.core.policy.overlay.TimedOverride;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.admin.OverrideAudit;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.WrittenOverrides;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The overrides of a gateway, and what its log says of them: each once, not as often as somebody
 * looks.
 */
final class KeptOverrides {

  private static final Logger log = LoggerFactory.getLogger(KeptOverrides.class);

  private final Overlay overlay;
  private final OverrideAudit audit;

  /** What is to be told to be idle, by the first gateway that finds it; guarded as the next. */
  private final Set<Idle> newlyIdle = new HashSet<>();

  /** What was told to be idle; guarded by this object's monitor, as is the next. */
  private Set<Idle> toldIdle = Set.of();

  private String toldProblem = "";

  /** Looks at what is stored; where nobody can say it begins without. */
  KeptOverrides(OverrideStore store, Ticker ticker, String nodeId) {
    this.overlay = new Overlay(store, ticker);
    this.audit = new OverrideAudit(ticker, nodeId);
    boolean unused = look();
    List<TimedOverride> found = overlay.known().all();
    if (!found.isEmpty()) {
      log.info("overrides from before: {}", words(found));
    }
  }

  private static String words(List<TimedOverride> overrides) {
    return overrides.stream()
        .map(one -> one.layer().word() + " " + one.subject() + " until " + one.until())
        .collect(Collectors.joining(", "));
  }

  Overlay overlay() {
    return overlay;
  }

  /** A file's quotas with the overrides in them. */
  synchronized Laid over(QuotaFile file) {
    Laid laid =
        overlay.over(
            file.quotas(), (override, place) -> WrittenOverrides.quota(override, place, file));
    for (Idle idle : laid.idle()) {
      if (!toldIdle.contains(idle)) {
        log.warn(
            "{} is not in force: {}; it comes back with a file that has a place for it, until {}",
            idle.override().words(),
            idle.why(),
            idle.override().until());
        newlyIdle.add(idle);
      }
    }
    newlyIdle.retainAll(laid.idle());
    toldIdle = new HashSet<>(laid.idle());
    return laid;
  }

  /** Looks at what others changed; true where there is something. */
  boolean look() {
    boolean changed = false;
    try {
      changed = overlay.look().isPresent();
      tellAudit();
      tell("");
    } catch (OverrideStoreException e) {
      tell(String.valueOf(e.getMessage()));
    }
    return changed;
  }

  /** Each once in the whole fleet: by the gateway that takes it out, or that found it first. */
  private void tellAudit() throws OverrideStoreException {
    overlay.takeOutEnded().forEach(audit::ended);
    for (Idle idle : copyOfNewlyIdle()) {
      if (overlay.isFirstToTell("is idle", idle.override())) {
        audit.idle(idle);
      }
      isTold(idle);
    }
  }

  private synchronized List<Idle> copyOfNewlyIdle() {
    return List.copyOf(newlyIdle);
  }

  private synchronized void isTold(Idle idle) {
    newlyIdle.remove(idle);
  }

  private synchronized void tell(String problem) {
    if (problem.equals(toldProblem)) {
      return;
    }
    if (problem.isEmpty()) {
      log.info("overrides can be read again");
    } else {
      log.error("overrides: {}; those in force stay until they end", problem);
    }
    toldProblem = problem;
  }

  /** Ends those whose time is over; true where there were some. */
  boolean endOver() {
    List<TimedOverride> ended = overlay.endOver();
    ended.forEach(one -> log.info("{} has ended, as it was to at {}", one.words(), one.until()));
    return !ended.isEmpty();
  }

  /** How many are in force. */
  int inForce(Laid quotas) {
    return overlay.known().all().size() - quotas.idle().size();
  }
}
