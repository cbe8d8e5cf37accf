package io.quotatree.gateway.admin;

import io.quotatree.core.policy.overlay.Overlay.Idle;
import io.quotatree.core.policy.overlay.TimedOverride;
import io.quotatree.core.time.Ticker;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Tells the audit of what becomes of overrides without anybody asking for it. */
public final class OverrideAudit {

  private final AuditTrail audit;

  /** An audit that is told by a gateway. */
  public OverrideAudit(Ticker ticker, String nodeId) {
    this.audit = new AuditTrail(ticker, "gateway " + nodeId);
  }

  /** The time of an override is over. */
  public void ended(TimedOverride override) {
    note(override, null, "its time is over");
  }

  /** A file has no place for an override. */
  public void idle(Idle idle) {
    JsonObject after = facts(idle.override()).put("in_force", false);
    note(idle.override(), after, idle.why());
  }

  private void note(TimedOverride override, @Nullable JsonObject after, String why) {
    audit.note(new AuditTrail.Change(audit.who(), override.words(), facts(override), after, why));
  }

  /** What an override says. */
  static JsonObject facts(TimedOverride override) {
    return new JsonObject()
        .put("layer", override.layer().word())
        .put("subject", override.subject())
        .put("quota", Json.decodeValue(override.quota()))
        .put("since", override.since().toString())
        .put("until", override.until().toString())
        .put("by", override.by())
        .put("reason", override.reason());
  }
}
