package io.quotatree.redis;

import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks the store which number a state of the quotas has in the whole fleet. */
final class Numbering {

  private final Store store;
  private final Script amend;
  private final Wire wire;
  private final byte[][] keys;

  /** How long the number is waited for, by nobody in particular. */
  private final long patienceNanos;

  /**
   * For the gateways that share a store.
   *
   * @param forgettings the key of what a fleet is to forget when its quotas are others; where time
   *     is virtual nobody remembers
   */
  Numbering(RedisLedger.Parts parts, byte[] forgettings) {
    this.store = parts.store();
    this.amend = Scripts.by(parts.clock()).amend();
    this.wire = new Wire(parts.clock());
    byte[] own = (parts.prefix() + ":1:{node}:revision").getBytes(StandardCharsets.UTF_8);
    this.keys = parts.clock().isVirtual() ? new byte[][] {own} : new byte[][] {own, forgettings};
    this.patienceNanos = Math.max(parts.bounds().timeoutNanos(), TimeUnit.SECONDS.toNanos(1));
  }

  /** The keys that it needs, the number's first. */
  byte[][] keys() {
    return keys;
  }

  /** A server that was replaced may never answer, so after some time it is asked again. */
  CompletableFuture<Long> number(Revision revision, Times times) {
    return revision.asked(
        () ->
            store
                .call(amend, keys, wire.revision(revision.fingerprint, times))
                .toCompletableFuture()
                .orTimeout(patienceNanos, TimeUnit.NANOSECONDS)
                .thenApply(text -> Long.parseLong(new String(text, StandardCharsets.US_ASCII))));
  }
}
