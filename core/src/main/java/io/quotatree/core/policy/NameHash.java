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
 * <p>Source: SipHash-1-3 (Aumasson, Bernstein), with its 128-bit finalisation, over UTF-16 units.
 */
final class NameHash {

  private static final long KEY0;
  private static final long KEY1;

  static {
    SecureRandom random = new SecureRandom();
    KEY0 = random.nextLong();
    KEY1 = random.nextLong();
  }

  private static final int FINAL_ROUNDS = 3;

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
    int words = name.length() / 4 + 1;
    // One loop for words and finalisation, so that the state stays in registers.
    for (int i = 0; i < words + 2 * FINAL_ROUNDS; i++) {
      long word = i < words ? word(name, i, kind) : 0;
      if (i == words) {
        v2 ^= 0xee;
      } else if (i == words + FINAL_ROUNDS) {
        first = v0 ^ v1 ^ v2 ^ v3;
        v1 ^= 0xdd;
      }
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
    second = v0 ^ v1 ^ v2 ^ v3;
  }

  /** Four UTF-16 units, or the rest of them with the length and the kind. */
  private static long word(String name, int index, int kind) {
    int at = index * 4;
    int left = name.length() - at;
    if (left >= 4) {
      return name.charAt(at)
          | ((long) name.charAt(at + 1) << 16)
          | ((long) name.charAt(at + 2) << 32)
          | ((long) name.charAt(at + 3) << 48);
    }
    long word = ((long) (name.length() & 0xff) << 48) | ((long) kind << 56);
    for (int i = 0; i < left; i++) {
      word |= (long) name.charAt(at + i) << (16 * i);
    }
    return word;
  }

  /** Spreads a sum of hashes over all bits. Source: the finaliser of MurmurHash3 (Appleby). */
  static long spread(long sum) {
    long mixed = (sum ^ (sum >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ (mixed >>> 33);
  }
}
