package io.quotatree.gateway.proxy;

import io.quotatree.gateway.proxy.Verdict.Admitted;
import io.quotatree.http.Identity;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The header fields that a request has when it leaves for an upstream.
 *
 * <p>Host is the target's own, as nginx and the JDK's clients have it; the client's Host is told in
 * {@code X-Forwarded-Host}. A trusted proxy's {@code X-Forwarded-For} is prolonged and its other
 * {@code X-Forwarded-*} and {@code X-Request-Id} are kept; those of anybody else are replaced.
 */
final class ForwardedFields {

  private static final String FOR = "x-forwarded-for";
  private static final String PROTO = "x-forwarded-proto";
  private static final String HOST = "x-forwarded-host";
  private static final String REQUEST_ID = "x-request-id";

  private ForwardedFields() {}

  /** Puts the fields of a client's request into those of the request to the target. */
  static void copy(Admitted admitted, HttpServerRequest request, Target target, MultiMap out) {
    MultiMap in = request.headers();
    HopByHop hopByHop = HopByHop.of(in);
    for (Map.Entry<String, String> field : in) {
      String lower = field.getKey().toLowerCase(Locale.ROOT);
      if (!hopByHop.covers(lower)
          && !composedHere(lower)
          && !admitted.identity().strip().covers(field.getKey())) {
        out.add(field.getKey(), field.getValue());
      }
    }
    out.set("Host", target.hostField());
    out.set("X-Request-Id", admitted.requestId());
    compose(admitted, request, out);
  }

  private static void compose(Admitted admitted, HttpServerRequest request, MultiMap out) {
    MultiMap in = request.headers();
    boolean trusted = admitted.identity().peer() == Identity.Peer.TRUSTED;
    List<String> addresses = new ArrayList<>();
    if (trusted) {
      addresses.addAll(in.getAll(FOR));
    }
    if (!admitted.peerAddress().isEmpty()) {
      addresses.add(admitted.peerAddress());
    }
    if (!addresses.isEmpty()) {
      out.set("X-Forwarded-For", String.join(", ", addresses));
    }
    String proto = trusted ? in.get(PROTO) : null;
    out.set("X-Forwarded-Proto", proto == null ? request.scheme() : proto);
    String host = trusted ? in.get(HOST) : null;
    String told = host == null ? admitted.host() : host;
    if (!told.isEmpty()) {
      out.set("X-Forwarded-Host", told);
    }
  }

  private static boolean composedHere(String lower) {
    return switch (lower) {
      case "host", "expect", FOR, PROTO, HOST, REQUEST_ID -> true;
      default -> false;
    };
  }
}
