package io.quotatree.gateway.admin;

import java.time.Instant;

/**
 * What a gateway says of itself when asked whether it is ready.
 *
 * @param revision the number of the quotas in force; 0 while none are
 * @param loadedAt since when they are in force
 * @param store the state of the store that usage is counted in
 */
public record Readiness(long revision, Instant loadedAt, String store) {

  /** Whether quotas are in force. */
  public boolean ready() {
    return revision > 0;
  }
}
