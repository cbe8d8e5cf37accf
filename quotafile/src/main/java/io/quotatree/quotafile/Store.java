package io.quotatree.quotafile;

import io.quotatree.core.limit.OnFailure;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The store that gateways share to count usage in. A change of it needs a restart.
 *
 * @param redis the server: scheme, host, port and perhaps the number of a database, and never a
 *     password
 * @param credentials where {@code USER:PASSWORD} or the password alone is; empty for none
 * @param prefix what all keys begin with
 * @param timeout how long an answer may take
 * @param onFailure what holds while it gives no answer, for quotas that do not say otherwise
 */
public record Store(
    URI redis, Optional<Secret> credentials, String prefix, Duration timeout, OnFailure onFailure) {

  /** What keys begin with where nothing is said. */
  public static final String USUAL_PREFIX = "qt";

  /** How long an answer may take where nothing is said. */
  public static final Duration USUAL_TIMEOUT = Duration.ofMillis(5);

  /** Refuses missing parts. */
  public Store {
    Objects.requireNonNull(redis, "redis");
    Objects.requireNonNull(credentials, "credentials");
    Objects.requireNonNull(prefix, "prefix");
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(onFailure, "onFailure");
  }
}
