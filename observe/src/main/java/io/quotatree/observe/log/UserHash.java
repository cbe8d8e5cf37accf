package io.quotatree.observe.log;

import io.quotatree.core.policy.SubjectText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What stands for a user in a log without user ids.
 *
 * <p>The salt is made when the log is, and kept in memory alone: within a run a user is told apart
 * from all others and followed through the log; nobody can look hashes up in a table of ids or
 * addresses, not even who has the log and the file; and runs cannot be joined. For one thread.
 */
final class UserHash {

  private static final int SALT_BYTES = 32;
  private static final int SHOWN_BYTES = 16;

  private final byte[] salt = new byte[SALT_BYTES];
  private final MessageDigest sha256;

  UserHash() {
    new SecureRandom().nextBytes(salt);
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * A user of a caller: {@code hash:…}, or {@code ip:…}, {@code net:…}, {@code sid:…} with the hash
   * of what stands behind. The pool of the anonymous is nobody, and keeps its name.
   */
  String of(String caller, String user) {
    if (user.equals(SubjectText.ANONYMOUS_POOL)) {
      return user;
    }
    // Ids write their own colons %3A, so what comes before one is the kind.
    int colon = user.indexOf(':');
    String kind = colon < 0 ? "hash" : user.substring(0, colon);
    sha256.update(salt);
    sha256.update(caller.getBytes(StandardCharsets.UTF_8));
    sha256.update((byte) 0);
    byte[] hash = sha256.digest(user.getBytes(StandardCharsets.UTF_8));
    return kind + ":" + HexFormat.of().formatHex(Arrays.copyOf(hash, SHOWN_BYTES));
  }
}
