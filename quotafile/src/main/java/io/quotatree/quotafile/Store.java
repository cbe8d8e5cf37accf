package io.quotatree.quotafile;

import io.quotatree.core.limit.OnFailure;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The store that gateways share to count usage in. A change of it needs a restart.
 *
 * @param redis the servers
 * @param credentials where {@code USER:PASSWORD} or the password alone is; empty for none
 * @param sentinelCredentials the same for the Sentinels
 * @param tls the files that TLS is spoken by
 * @param prefix what all keys begin with
 * @param timeout how long an answer may take
 * @param onFailure what holds while it gives no answer, for quotas that do not say otherwise
 */
public record Store(
    StoreAddress redis,
    Optional<Secret> credentials,
    Optional<Secret> sentinelCredentials,
    Tls tls,
    String prefix,
    Duration timeout,
    OnFailure onFailure) {

  /**
   * The files, in PEM, that TLS is spoken by. A relative path begins at the working directory.
   *
   * @param ca authorities of the servers; empty for those that the Java platform trusts
   * @param cert what the gateway shows; empty for nothing
   * @param key its private key
   */
  public record Tls(Optional<String> ca, Optional<String> cert, Optional<String> key) {

    /** Nothing is said. */
    public static final Tls USUAL = new Tls(Optional.empty(), Optional.empty(), Optional.empty());

    /** Refuses missing parts. */
    public Tls {
      Objects.requireNonNull(ca, "ca");
      Objects.requireNonNull(cert, "cert");
      Objects.requireNonNull(key, "key");
    }

    @Override
    public String toString() {
      return ca.orElse("the platform's") + cert.map(own -> ", " + own).orElse("");
    }
  }

  /** What keys begin with where nothing is said. */
  public static final String USUAL_PREFIX = "qt";

  /** How long an answer may take where nothing is said. */
  public static final Duration USUAL_TIMEOUT = Duration.ofMillis(5);

  /** Refuses missing parts. */
  public Store {
    Objects.requireNonNull(redis, "redis");
    Objects.requireNonNull(credentials, "credentials");
    Objects.requireNonNull(sentinelCredentials, "sentinelCredentials");
    Objects.requireNonNull(tls, "tls");
    Objects.requireNonNull(prefix, "prefix");
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(onFailure, "onFailure");
  }
}
