package io.quotatree.core.policy;

import java.security.SecureRandom;

/**
 * A keyed 128-bit hash of names, by which counters are found: who does not know the key cannot
 * choose names that collide.
 *
 * <p>The key is drawn once a process, so that counters outlive the policies that found them. Where
 * a counter lies in memory depends on it, no decision does.
 *
 * <p>An object is the place for one result and is reused, so hashing allocates nothing. Not for use
 * by several threads at once.
 *
 * <p>Source: SipHash-1-3 (Aumasson, Bernstein) over UTF-16 units, finished once: of the four words
 * of the final state two pairs are told, where the original tells the sum of all four. Nobody
 * outside the process sees a result, so there is nothing that could be worked out from more of it.
 */
final class NameHash {

  private static final long KEY0;
  private static final long KEY1;

  static {
    SecureRandom random = new SecureRandom();
    KEY0 = random.nextLong();
    KEY1 = random.nextLong();
  }

  /** Of the last word, and those that finish. */
  private static final int LAST_ROUNDS = 1 + 3;

  /** The two halves of the last result. */
  long first;

  long second;

  /**
   * Hashes a name.
   *
   * @param kind tells names of different kinds apart
   */
  void of(int kind, String name) {
    long v0 = KEY0 ^ 0x736f6d6570736575L;
    long v1 = KEY1 ^ 0x646f72616e646f83L;
    long v2 = KEY0 ^ 0x6c7967656e657261L;
    long v3 = KEY1 ^ 0x7465646279746573L;
    int length = name.length();
    int whole = length & -4;
    // The round is written twice: a method of its own would have to pass four words back.
    for (int at = 0; at < whole; at += 4) {
      long word =
          name.charAt(at)
              | ((long) name.charAt(at + 1) << 16)
              | ((long) name.charAt(at + 2) << 32)
              | ((long) name.charAt(at + 3) << 48);
      v3 ^= word;
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
      v0 ^= word;
    }
    long word = rest(name, whole) | ((long) (length & 0xff) << 48) | ((long) kind << 56);
    for (int i = 0; i < LAST_ROUNDS; i++) {
      v3 ^= word;
      v0 += v1;
      v1 = Long.rotateLeft(v1, 13) ^ v0;
      v0 = Long.rotateLeft(v0, 32);
      v2 += v3;
      v3 = Long.rotateLeft(v3, 16) ^ v2;
      v0 += v3;
      v3 = Long.rotateLeft(v3, 21) ^ v0;
      v2 += v1;
      v1 = Long.rotateLeft(v1, 17) ^ v2;
      v2 = Long.rotateLeft(v2, 32);
      v0 ^= word;
      if (i == 0) {
        v2 ^= 0xff;
        word = 0;
      }
    }
    first = v0 ^ v1;
    second = v2 ^ v3;
  }

  /** The up to three UTF-16 units behind the whole words. */
  private static long rest(String name, int at) {
    long word = 0;
    for (int i = at; i < name.length(); i++) {
      word |= (long) name.charAt(i) << (16 * (i - at));
    }
    return word;
  }
}
