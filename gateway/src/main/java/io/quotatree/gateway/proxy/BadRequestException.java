package io.quotatree.gateway.proxy;

/** A request that could be read in two ways: a 400. The message is fit for the client. */
final class BadRequestException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  BadRequestException(String reason) {
    super(reason);
  }
}
