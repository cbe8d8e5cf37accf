package io.quotatree.http;

/**
 * An identity that could be read in two ways, so that nobody can say whose quota the request
 * belongs to: a 400. The message is fit for the client: it names the header and never repeats its
 * value.
 */
public final class BadIdentityException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  BadIdentityException(String reason) {
    super(reason);
  }
}
