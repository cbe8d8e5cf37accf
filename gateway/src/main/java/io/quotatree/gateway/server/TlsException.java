package io.quotatree.gateway.server;

/** Files that TLS cannot be spoken by. */
public final class TlsException extends Exception {

  private static final long serialVersionUID = 1L;

  TlsException(String message, Throwable cause) {
    super(message, cause);
  }

  TlsException(String message) {
    super(message);
  }
}
