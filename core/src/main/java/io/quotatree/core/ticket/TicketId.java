package io.quotatree.core.ticket;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** 128 bits from a secure source: who was not told an id cannot guess one. */
record TicketId(long high, long low) {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int TEXT_CHARS = 32;

  static TicketId drawn() {
    return new TicketId(RANDOM.nextLong(), RANDOM.nextLong());
  }

  /** The id that a text writes; null where it writes none. */
  static @Nullable TicketId parsed(String text) {
    if (text.length() != TEXT_CHARS || !text.chars().allMatch(TicketId::isHexDigit)) {
      return null;
    }
    return new TicketId(
        HexFormat.fromHexDigitsToLong(text, 0, TEXT_CHARS / 2),
        HexFormat.fromHexDigitsToLong(text, TEXT_CHARS / 2, TEXT_CHARS));
  }

  /** One spelling for each id. */
  private static boolean isHexDigit(int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(high) + hex.toHexDigits(low);
  }
}
