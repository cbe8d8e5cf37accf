package io.quotatree.gateway.proxy;

import io.quotatree.gateway.proxy.Verdict.Admitted;
import io.quotatree.http.Identity;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
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
      String name = field.getKey();
      if (!hopByHop.covers(name)
          && !composedHere(name)
          && !admitted.identity().strip().covers(name)) {
        add(name, field.getValue(), out);
      }
    }
    if (!target.transport().http2()) {
      // Over HTTP/2 the target's name is no field of the header.
      out.add("Host", target.hostField());
    } else if (takesTrailers(in)) {
      // gRPC servers refuse a call whose path might lose the status at its end.
      out.set("TE", TRAILERS);
    }
    out.add("X-Request-Id", admitted.requestId());
    compose(admitted, request, out);
  }

  /** Adds the fields that ask for a WebSocket: hop-by-hop, and so asked for anew. */
  static void upgrade(MultiMap out) {
    out.set("Connection", "Upgrade");
    out.set("Upgrade", "websocket");
  }

  /** HTTP/2 may take a Cookie field to pieces; HTTP/1.1 knows but one. */
  private static void add(String name, String value, MultiMap out) {
    String begun = name.equalsIgnoreCase("cookie") ? out.get(name) : null;
    if (begun == null) {
      out.add(name, value);
    } else {
      out.set(name, begun + "; " + value);
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
    String addresses = admitted.destination().peerAddress();
    List<String> before = trusted ? in.getAll(FOR) : List.of();
    if (!before.isEmpty()) {
      String told = String.join(", ", before);
      addresses = addresses.isEmpty() ? told : told + ", " + addresses;
    }
    if (!addresses.isEmpty()) {
      out.add("X-Forwarded-For", addresses);
    }
    String proto = trusted ? in.get(PROTO) : null;
    // Not the scheme of an HTTP/2 request: that is the client's word.
    String spoken = request.connection().isSsl() ? "https" : "http";
    out.add("X-Forwarded-Proto", proto == null ? spoken : proto);
    String host = trusted ? in.get(HOST) : null;
    String told = host == null ? admitted.destination().host() : host;
    if (!told.isEmpty()) {
      out.add("X-Forwarded-Host", told);
    }
  }

  /** So none of these is there yet when it is composed, and adding it is setting it. */
  private static boolean composedHere(String name) {
    return switch (name.length()) {
      case 4 -> name.equalsIgnoreCase("host");
      case 6 -> name.equalsIgnoreCase("expect");
      case 12 -> name.equalsIgnoreCase(REQUEST_ID);
      case 15 -> name.equalsIgnoreCase(FOR);
      case 16 -> name.equalsIgnoreCase(HOST);
      case 17 -> name.equalsIgnoreCase(PROTO);
      default -> false;
    };
  }
}
