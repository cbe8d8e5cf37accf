package io.quotatree.http;

import java.util.List;

/**
 * Where a request's identity comes from; in each list the first source that is present wins.
 *
 * @param caller sources of the calling application, believed from trusted proxies alone
 * @param user sources of the end user, believed from trusted proxies alone
 * @param plan sources of the user's plan, believed from trusted proxies alone
 * @param unproven sources of ids that clients make up: read from anybody, and used only where no
 *     user was found
 * @param trustedProxies the addresses that may speak for others
 */
public record IdentityConfig(
    List<IdentitySource> caller,
    List<IdentitySource> user,
    List<IdentitySource> plan,
    List<IdentitySource> unproven,
    List<AddressBlock> trustedProxies) {

  /** No source and nobody to trust: every request is of the anonymous caller, by its address. */
  public static final IdentityConfig NONE =
      new IdentityConfig(List.of(), List.of(), List.of(), List.of(), List.of());

  /** Copies the lists. */
  public IdentityConfig {
    caller = List.copyOf(caller);
    user = List.copyOf(user);
    plan = List.copyOf(plan);
    unproven = List.copyOf(unproven);
    trustedProxies = List.copyOf(trustedProxies);
  }
}
