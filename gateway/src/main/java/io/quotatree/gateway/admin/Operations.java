package io.quotatree.gateway.admin;

import io.quotatree.core.engine.Limiter;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.time.Ticker;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.Reload;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What operators may look at and change of a running gateway.
 *
 * @param running what is served by; asked at each call
 * @param limiter decides
 * @param reloading reads the quota file again and puts it in force if it is right; empty where
 *     there is no file. May take a while
 * @param ticker what the audit's times are told by
 */
public record Operations(
    Supplier<Running> running,
    Limiter limiter,
    Supplier<Optional<Supplier<Reload>>> reloading,
    Ticker ticker) {

  /**
   * What is served by.
   *
   * @param nodeId the gateway's own name
   * @param revision the number of the quotas in force
   * @param loadedAt since when they are in force
   * @param file what the quota file says
   * @param quotas the quotas in force: the file's, with overrides in their place
   */
  public record Running(
      String nodeId, long revision, Instant loadedAt, QuotaFile file, QuotaTree quotas) {}
}
