package io.quotatree.gateway.server;

/** An address that could not be listened on. */
public final class ListenException extends Exception {

  private static final long serialVersionUID = 1L;

  ListenException(Address address, Throwable cause) {
    super("cannot listen on " + address + ": " + cause.getMessage(), cause);
  }
}
