package io.quotatree.gateway.admin;

import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Objects;

/**
 * The secret that whoever uses the admin address presents, as {@code Authorization: Bearer}.
 *
 * <p>Only its hash is kept. Hashes are compared, in a time that does not depend on where they
 * differ, so nothing tells how near a guess was, nor how long the secret is. Safe for use by
 * several threads.
 */
public final class BearerToken {

  private static final String SCHEME = "bearer ";

  /** Replaced whole by {@link #replace}; a request that reads the former one came before. */
  private volatile byte[] hash;

  /** A token. */
  public BearerToken(String secret) {
    this.hash = hashOf(usable(secret));
  }

  /** Puts another secret in place of this one, for the very next request. */
  public void replace(String secret) {
    hash = hashOf(usable(secret));
  }

  private static String usable(String secret) {
    Objects.requireNonNull(secret, "secret");
    if (secret.isEmpty() || !secret.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new IllegalArgumentException(
          "the admin token is empty, or no visible ASCII without spaces:"
              + " make one by `openssl rand -hex 32`");
    }
    return secret;
  }

  /** Whether a request presents it, once. */
  boolean isPresentedBy(HttpServerRequest request) {
    List<String> fields = request.headers().getAll("Authorization");
    if (fields.size() != 1 || !fields.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    return MessageDigest.isEqual(hash, hashOf(fields.get(0).substring(SCHEME.length()).strip()));
  }

  private static byte[] hashOf(String secret) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
