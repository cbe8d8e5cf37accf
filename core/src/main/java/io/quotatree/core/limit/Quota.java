package io.quotatree.core.limit;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a subject may use: limits per time and, besides, permits in flight.
 *
 * @param allowance how much per time
 * @param concurrency how many requests may be in flight at once, 1 to 10^9; empty for any number
 * @param accounting what becomes of its charge when a later layer refuses
 * @param enforcement whether it decides or only tells
 * @param origin where it was written
 * @param onFailure what becomes of it while a shared store gives no answer; empty for what the
 *     store does with quotas that do not say
 */
public record Quota(
    Allowance allowance,
    OptionalInt concurrency,
    Accounting accounting,
    Enforcement enforcement,
    Origin origin,
    Optional<OnFailure> onFailure) {

  /** Refuses what cannot be counted. */
  public Quota {
    Objects.requireNonNull(allowance, "allowance");
    Objects.requireNonNull(accounting, "accounting");
    Objects.requireNonNull(enforcement, "enforcement");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(onFailure, "onFailure");
    if (concurrency.isPresent()
        && (concurrency.getAsInt() < 1 || concurrency.getAsInt() > Rate.MAX_PERMITS)) {
      throw new IllegalArgumentException(
          "a concurrency of " + concurrency.getAsInt() + "; write 1 to " + Rate.MAX_PERMITS);
    }
  }

  /** A strict, enforced quota of the given limits. */
  public static Quota of(RateLimit... limits) {
    return of(new Allowance.Limited(List.of(limits)));
  }

  /** A strict, enforced quota. */
  public static Quota of(Allowance allowance) {
    return new Quota(
        allowance,
        OptionalInt.empty(),
        Accounting.STRICT,
        Enforcement.ENFORCED,
        Origin.code("code"),
        Optional.empty());
  }

  /** This quota with another allowance. */
  public Quota withAllowance(Allowance changed) {
    return new Quota(changed, concurrency, accounting, enforcement, origin, onFailure);
  }

  /** This quota with a bound on requests in flight. */
  public Quota withConcurrency(int inFlight) {
    return new Quota(
        allowance, OptionalInt.of(inFlight), accounting, enforcement, origin, onFailure);
  }

  /** This quota with another accounting. */
  public Quota withAccounting(Accounting changed) {
    return new Quota(allowance, concurrency, changed, enforcement, origin, onFailure);
  }

  /** This quota with another enforcement. */
  public Quota withEnforcement(Enforcement changed) {
    return new Quota(allowance, concurrency, accounting, changed, origin, onFailure);
  }

  /** This quota, with what becomes of it while a shared store gives no answer. */
  public Quota withOnFailure(OnFailure said) {
    return new Quota(allowance, concurrency, accounting, enforcement, origin, Optional.of(said));
  }

  /** This quota, written elsewhere. */
  public Quota withOrigin(Origin changed) {
    return new Quota(allowance, concurrency, accounting, enforcement, changed, onFailure);
  }
}
