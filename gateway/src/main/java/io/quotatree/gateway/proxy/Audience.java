package io.quotatree.gateway.proxy;

import io.quotatree.http.Answer;
import io.quotatree.http.Cors;
import io.quotatree.http.GrpcAnswers;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Problem;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Who reads the gateway's own answers to a request, and so in which form they are: a gRPC client
 * wants a status of gRPC's, a web page the fields that let it read at all.
 *
 * @param callType the content type of a gRPC call; null for any other request
 * @param cors the rule of the request's route; null where there is none, or no route is known
 * @param origin the page's origin; null for none
 */
record Audience(@Nullable String callType, @Nullable Cors cors, @Nullable String origin) {

  /** Before its route is known. */
  static Audience of(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.POST)) {
      return ANYBODY;
    }
    String type = request.headers().get("Content-Type");
    return GrpcAnswers.isCall(type) ? new Audience(type, null, null) : ANYBODY;
  }

  private static final Audience ANYBODY = new Audience(null, null, null);

  Audience under(@Nullable Cors rule, HttpServerRequest request) {
    return rule == null ? this : new Audience(callType, rule, request.headers().get("Origin"));
  }

  boolean callsGrpc() {
    return callType != null;
  }

  Answer problem(int status, String message, HeaderField... more) {
    return readable(
        callType == null
            ? Problem.of(status, message, more)
            : GrpcAnswers.problem(callType, status, message));
  }

  Answer readable(Answer answer) {
    return cors == null ? answer : cors.readable(answer, origin);
  }
}
