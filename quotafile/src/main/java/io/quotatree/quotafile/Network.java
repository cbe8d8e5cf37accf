package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Shape;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * A range of addresses: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or one address.
 *
 * @param first its first address
 * @param prefixBits how many bits all its addresses share
 */
public record Network(InetAddress first, int prefixBits) {

  static final Shape<Network> SHAPE =
      Shape.text(
          new Shape.Words("a network", "`10.0.0.0/8`"),
          "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$",
          Network::parse);

  private static final Pattern LITERAL =
      Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*");

  private static final Pattern BITS = Pattern.compile("[0-9]{1,3}");

  static Network parse(String text) {
    int slash = text.indexOf('/');
    InetAddress address = address(slash < 0 ? text : text.substring(0, slash), text);
    int most = address.getAddress().length * Byte.SIZE;
    String written = slash < 0 ? String.valueOf(most) : text.substring(slash + 1);
    int bits = BITS.matcher(written).matches() ? Integer.parseInt(written) : Integer.MAX_VALUE;
    if (bits > most) {
      throw new IllegalArgumentException("`" + text + "` has no such prefix; write /0 to /" + most);
    }
    InetAddress first = masked(address, bits);
    if (!first.equals(address)) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` has bits beyond its prefix; write `"
              + first.getHostAddress()
              + "/"
              + bits
              + "`");
    }
    return new Network(first, bits);
  }

  private static InetAddress address(String written, String text) {
    // Literals alone: everything else would be asked of the name service.
    if (LITERAL.matcher(written).matches()) {
      try {
        return InetAddress.getByName(written);
      } catch (UnknownHostException e) {
        throw new IllegalArgumentException(notAddress(text), e);
      }
    }
    throw new IllegalArgumentException(notAddress(text));
  }

  private static String notAddress(String text) {
    return "`"
        + text
        + "` is not a network; write an address and its prefix, such as `10.0.0.0/8` or `fd00::/8`";
  }

  private static InetAddress masked(InetAddress address, int bits) {
    byte[] bytes = address.getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int kept = Math.max(0, Math.min(Byte.SIZE, bits - i * Byte.SIZE));
      bytes[i] &= (byte) (0xFF << (Byte.SIZE - kept));
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new AssertionError("an address of " + Arrays.toString(bytes), e);
    }
  }

  /** Whether an address lies in it. */
  public boolean contains(InetAddress address) {
    return address.getClass() == first.getClass() && masked(address, prefixBits).equals(first);
  }

  /** As it is written in a file. */
  @Override
  public String toString() {
    return first.getHostAddress() + "/" + prefixBits;
  }
}
