package io.quotatree.testkit.race;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** By how much the fixed windows of callers are moved. */
final class Offsets {

  private Offsets() {}

  static long callersMicros(String caller, long periodMicros) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(("caller\0" + caller).getBytes(UTF_8));
      long modulus = Math.min(periodMicros / 1000, 60_000);
      return Long.remainderUnsigned(ByteBuffer.wrap(hash).getLong(), modulus) * 1000;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
