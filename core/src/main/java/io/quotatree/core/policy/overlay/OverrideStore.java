package io.quotatree.core.policy.overlay;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where overrides survive, and from where the gateways of a fleet have them.
 *
 * <p>Implementations are safe for use by several threads and processes: of two that replace the
 * same state one succeeds. They wait for files or networks, a bounded time; no event loop calls
 * them.
 */
public interface OverrideStore {

  /**
   * What is stored now.
   *
   * @throws OverrideStoreException if nobody can say
   */
  Stored read() throws OverrideStoreException;

  /**
   * Puts other overrides in place of those of a revision.
   *
   * @param revision the revision that they replace
   * @return what is stored from now on; empty where another revision is there by now, so that
   *     nothing was done
   * @throws OverrideStoreException if that could not be done, or nobody can say whether it was
   */
  Optional<Stored> replace(long revision, List<TimedOverride> all) throws OverrideStoreException;

  /**
   * Whether nobody was answered yes before for the same words, of all that share the store.
   *
   * @param until when that may be forgotten
   * @throws OverrideStoreException if nobody can say
   */
  boolean isFirst(String words, Instant until) throws OverrideStoreException;

  /**
   * What was found in a store, and when.
   *
   * @param overrides all that were stored, ended ones perhaps included
   * @param now the time by the store's own clock, by which overrides end
   */
  record Stored(Overrides overrides, Instant now) {}
}
