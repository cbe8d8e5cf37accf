package io.quotatree.gateway.admin;

import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.calls.Asked;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the program's log of every change that an operator makes, or that comes by itself: one JSON
 * object a line, so that nothing in it can pass for another line.
 */
final class AuditTrail {

  private static final Logger log = LoggerFactory.getLogger("io.quotatree.audit");

  private final Ticker ticker;
  private final String credential;

  /**
   * A trail.
   *
   * @param door who may come in, as far as anybody knows
   */
  AuditTrail(Ticker ticker, AdminHandler.Door door) {
    this(ticker, door.token().isPresent() ? "the admin token" : "the loopback");
  }

  /** A trail of what changes by itself. */
  AuditTrail(Ticker ticker, String who) {
    this.ticker = ticker;
    this.credential = who;
  }

  /** Who changes things, where nobody asks. */
  String who() {
    return credential;
  }

  /** Who asks, as far as anybody knows. */
  String who(Asked asked) {
    return credential + ", from " + asked.from();
  }

  /**
   * A change.
   *
   * @param who made it
   * @param what was changed
   * @param before what was
   * @param after what is
   * @param why the reason that was given; empty for none
   */
  record Change(
      String who, String what, @Nullable Object before, @Nullable Object after, String why) {}

  void note(Change change) {
    long micros = ticker.wallMicros(ticker.monotonicNanos());
    JsonObject line =
        new JsonObject()
            .put("when", Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString())
            .put("who", change.who())
            .put("what", change.what())
            .put("before", change.before())
            .put("after", change.after())
            .put("why", change.why());
    log.info("audit {}", line.encode());
  }
}
