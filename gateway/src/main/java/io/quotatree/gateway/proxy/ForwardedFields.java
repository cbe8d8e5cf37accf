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
  private static final String TRAILERS = "trailers";

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
        add(lower, field, out);
      }
    }
    if (!target.transport().http2()) {
      // Over HTTP/2 the target's name is no field of the header.
      out.set("Host", target.hostField());
    } else if (takesTrailers(in)) {
      // gRPC servers refuse a call whose path might lose the status at its end.
      out.set("TE", TRAILERS);
    }
    out.set("X-Request-Id", admitted.requestId());
    compose(admitted, request, out);
  }

  /** Adds the fields that ask for a WebSocket: hop-by-hop, and so asked for anew. */
  static void upgrade(MultiMap out) {
    out.set("Connection", "Upgrade");
    out.set("Upgrade", "websocket");
  }

  /** HTTP/2 may take a Cookie field to pieces; HTTP/1.1 knows but one. */
  private static void add(String lower, Map.Entry<String, String> field, MultiMap out) {
    String begun = lower.equals("cookie") ? out.get(lower) : null;
    if (begun == null) {
      out.add(field.getKey(), field.getValue());
    } else {
      out.set(field.getKey(), begun + "; " + field.getValue());
    }
  }

  private static boolean takesTrailers(MultiMap in) {
    for (String line : in.getAll("TE")) {
      for (String coding : line.split(",", -1)) {
        if (coding.strip().equalsIgnoreCase(TRAILERS)) {
          return true;
        }
      }
    }
    return false;
  }

  private static void compose(Admitted admitted, HttpServerRequest request, MultiMap out) {
    MultiMap in = request.headers();
    boolean trusted = admitted.identity().peer() == Identity.Peer.TRUSTED;
    List<String> addresses = new ArrayList<>();
    if (trusted) {
      addresses.addAll(in.getAll(FOR));
    }
    if (!admitted.destination().peerAddress().isEmpty()) {
      addresses.add(admitted.destination().peerAddress());
    }
    if (!addresses.isEmpty()) {
      out.set("X-Forwarded-For", String.join(", ", addresses));
    }
    String proto = trusted ? in.get(PROTO) : null;
    // Not the scheme of an HTTP/2 request: that is the client's word.
    String spoken = request.connection().isSsl() ? "https" : "http";
    out.set("X-Forwarded-Proto", proto == null ? spoken : proto);
    String host = trusted ? in.get(HOST) : null;
    String told = host == null ? admitted.destination().host() : host;
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
