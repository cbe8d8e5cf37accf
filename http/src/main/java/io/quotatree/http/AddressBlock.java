package io.quotatree.http;

/**
 * A block of addresses that share their first bits: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or
 * one address alone.
 *
 * <p>A block holds addresses of its own family; IPv4 addresses in IPv6 clothing are IPv4. Bits
 * behind the prefix are dropped, so two spellings of one block are equal. Immutable.
 */
public final class AddressBlock {

  private static final int MAPPED_BITS = 96;

  private final IpAddress first;
  private final int prefixBits;

  private AddressBlock(IpAddress first, int prefixBits) {
    this.first = first;
    this.prefixBits = prefixBits;
  }

  /**
   * Reads {@code ADDRESS/BITS}, or {@code ADDRESS} for one address. A host name is not looked up.
   *
   * @throws IllegalArgumentException with what is wrong and what to write instead
   */
  public static AddressBlock parse(String text) {
    int slash = text.indexOf('/');
    String literal = slash < 0 ? text : text.substring(0, slash);
    IpAddress address =
        IpAddress.parse(literal)
            .filter(parsed -> literal.indexOf('%') < 0)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "`"
                            + text
                            + "` is no address block: write one as 10.0.0.0/8, 2001:db8::/32 or"
                            + " 192.0.2.1; names are not looked up"));
    int bits = address.family().bits();
    int prefix = slash < 0 ? bits : prefix(text, slash, address, literal);
    return new AddressBlock(masked(address, prefix), prefix);
  }

  private static int prefix(String text, int slash, IpAddress address, String literal) {
    // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
    boolean mapped = address.family() == IpAddress.Family.V4 && literal.indexOf(':') >= 0;
    int least = mapped ? MAPPED_BITS : 0;
    int most = least + address.family().bits();
    String digits = text.substring(slash + 1);
    if (digits.matches("[0-9]{1,3}")) {
      int prefix = Integer.parseInt(digits);
      if (prefix >= least && prefix <= most) {
        return prefix - least;
      }
    }
    throw new IllegalArgumentException(
        "`" + text + "` has the prefix `" + digits + "`: write " + least + " to " + most);
  }

  /** Whether the address is in this block. */
  boolean holds(IpAddress address) {
    return address.family() == first.family() && masked(address, prefixBits).equals(first);
  }

  private static IpAddress masked(IpAddress address, int prefixBits) {
    if (address.family() == IpAddress.Family.V4) {
      return new IpAddress(
          address.family(), 0, address.low() & (firstBits(prefixBits + 32) & 0xFFFF_FFFFL));
    }
    long high = address.high() & firstBits(Math.min(prefixBits, 64));
    long low = address.low() & firstBits(Math.max(prefixBits - 64, 0));
    return new IpAddress(address.family(), high, low);
  }

  private static long firstBits(int count) {
    return count == 0 ? 0 : -1L << (64 - count);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AddressBlock block
        && block.prefixBits == prefixBits
        && block.first.equals(first);
  }

  @Override
  public int hashCode() {
    return 31 * first.hashCode() + prefixBits;
  }

  /** The block in its one spelling: {@code 10.0.0.0/8}. */
  @Override
  public String toString() {
    return first.text() + "/" + prefixBits;
  }
}
