package io.quotatree.gateway.decision;

import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The tokens that users of the decision address present, as {@code Authorization: Bearer}; of each
 * only a salted hash is known.
 *
 * <p>A token is compared with all of them, each in a time that does not depend on where they
 * differ. Safe for use by several threads.
 */
public final class DecideTokens {

  private static final String SCHEME = "bearer ";

  /** A longer one is nobody's; hashing it would only cost time. */
  private static final int MAX_TOKEN_CHARS = 512;

  /** Replaced whole by {@link #replace}; a request that reads the former ones came before. */
  private volatile List<Hashed> tokens;

  /**
   * A token by its hash: SHA-256 over the salt, as it is written, and the token.
   *
   * @param salt the salt as it is written
   * @param hash 32 bytes as hex digits
   */
  public record Hashed(String salt, String hash) {}

  /** Tokens, of which any is enough. */
  public DecideTokens(List<Hashed> tokens) {
    this.tokens = List.copyOf(tokens);
  }

  /** Puts other tokens in place of these, for the very next request. */
  public void replace(List<Hashed> others) {
    tokens = List.copyOf(others);
  }

  /** Whether a request presents one of them. */
  boolean isPresentedBy(HttpServerRequest request) {
    List<String> fields = request.headers().getAll("Authorization");
    if (fields.size() != 1 || !fields.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    String presented = fields.get(0).substring(SCHEME.length()).strip();
    if (presented.isEmpty() || presented.length() > MAX_TOKEN_CHARS) {
      return false;
    }
    boolean found = false;
    for (Hashed token : tokens) {
      found |= matches(token, presented);
    }
    return found;
  }

  private static boolean matches(Hashed token, String presented) {
    byte[] wanted = HexFormat.of().parseHex(token.hash());
    return MessageDigest.isEqual(wanted, sha256(token.salt() + presented));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
