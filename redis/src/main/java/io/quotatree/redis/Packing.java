package io.quotatree.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Bytes being packed for a script, little endian, without gaps. */
final class Packing {

  private final byte[] bytes;
  private final ByteBuffer out;

  Packing(int length) {
    bytes = new byte[length];
    out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  Packing small(int number) {
    out.put((byte) number);
    return this;
  }

  /** A whole number as the scripts count: exact up to 2^53, which nothing here passes. */
  Packing whole(long number) {
    out.putDouble((double) number);
    return this;
  }

  Packing raw(byte[] part) {
    out.put(part);
    return this;
  }

  Packing raw(byte[] whole, int from, int length) {
    out.put(whole, from, length);
    return this;
  }

  /** All of it; what was not written is 0. */
  byte[] done() {
    return bytes;
  }
}
