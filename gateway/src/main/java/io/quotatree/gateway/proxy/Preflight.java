package io.quotatree.gateway.proxy;

import io.quotatree.http.Answer;
import io.quotatree.http.Cors;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/**
 * The question that a browser asks before a page's request to another origin. It meets no quota:
 * nobody sends it on purpose, and a refused one would hide the answer that the page waits for. Any
 * other OPTIONS counts, one with a body too.
 */
final class Preflight {

  private static final String ORIGIN = "Origin";
  private static final String METHOD = "Access-Control-Request-Method";
  private static final String FIELDS = "Access-Control-Request-Headers";

  private Preflight() {}

  static boolean is(HttpServerRequest request) {
    return request.method().equals(HttpMethod.OPTIONS)
        && request.headers().contains(ORIGIN)
        && request.headers().contains(METHOD)
        && !request.headers().contains("Transfer-Encoding")
        && Body.lengthBytes(request.headers()) == 0;
  }

  static Answer answer(HttpServerRequest request, Cors cors) {
    return cors.preflight(
        String.valueOf(request.headers().get(ORIGIN)),
        String.valueOf(request.headers().get(METHOD)),
        request.headers().get(FIELDS));
  }
}
