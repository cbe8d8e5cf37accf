package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Shape;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where to listen.
 *
 * @param host a name or an address, IPv6 without brackets
 * @param port the port; 0 for any free one
 */
public record Address(String host, int port) {

  static final Shape<Address> SHAPE =
      Shape.text(
          new Shape.Words("an address to listen on", "`127.0.0.1:8080`"),
          "^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+):[0-9]{1,5}$",
          Address::parse);

  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)\\]|([A-Za-z0-9.-]+)):([0-9]{1,5})");

  private static final int LAST_PORT = 65_535;

  /** Refuses a port that none can be. */
  public Address {
    if (port < 0 || port > LAST_PORT) {
      throw new IllegalArgumentException(
          "the port " + port + " does not exist; write 0 to " + LAST_PORT);
    }
  }

  static Address parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` is not HOST:PORT; write `127.0.0.1:8080`, or `0.0.0.0:8080` for all addresses");
    }
    String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
    return new Address(host, Integer.parseInt(matcher.group(3)));
  }

  /** Whether only this machine can reach it. Names other than localhost are not looked up. */
  public boolean isLoopback() {
    return host.toLowerCase(Locale.ROOT).equals("localhost")
        || host.equals("::1")
        || host.matches("127(\\.[0-9]{1,3}){3}");
  }

  /** Whether it is every address of this machine. */
  public boolean isWildcard() {
    return host.equals("0.0.0.0") || host.equals("::");
  }

  /** {@code HOST:PORT}, as it is written in a file. */
  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
