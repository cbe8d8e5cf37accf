package io.quotatree.gateway.server;

/**
 * Where to listen.
 *
 * @param host a name or an address; an IPv6 address without brackets
 * @param port a port, 0 for any that is free
 */
public record Address(String host, int port) {

  /** Refuses what nobody can listen on. */
  public Address {
    if (host.isEmpty()) {
      throw new IllegalArgumentException("an address without a host: write HOST:PORT");
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + ": write 0 to 65535");
    }
  }

  /** This address with the port that was found. */
  Address found(int foundPort) {
    return new Address(host, foundPort);
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
