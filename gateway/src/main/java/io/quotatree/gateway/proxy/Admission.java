package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.policy.CanonicalPath;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.proxy.Verdict.Admitted;
import io.quotatree.gateway.proxy.Verdict.TurnedAway;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Identity;
import io.quotatree.http.Problem;
import io.quotatree.observe.Metrics;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.OptionalInt;

/**
 * Judges a request by its head, in the order that the specification gives: canonical path, route,
 * identity, decision. What ends before the decision has charged nothing.
 */
final class Admission {

  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
  private static final int MAX_METHOD_CHARS = 32;

  private final Limiter limiter;
  private final Ticker ticker;
  private final Metrics metrics;

  Admission(Limiter limiter, Ticker ticker, Metrics metrics) {
    this.limiter = limiter;
    this.ticker = ticker;
    this.metrics = metrics;
  }

  /**
   * Judges a request.
   *
   * @throws IllegalArgumentException with a text fit for the client, if the request could be read
   *     in two ways
   */
  Verdict judge(HttpServerRequest request, Serving serving) {
    String method = request.method().name();
    requireMethod(method);
    if (method.equals("TRACE") || method.equals("CONNECT")) {
      return new TurnedAway(
          Problem.of(405, method + " is not for this gateway", new HeaderField("Allow", METHODS)));
    }
    RequestTarget target = RequestTarget.parse(request.uri());
    String host = hostOf(request, target);
    if (expectsWhatNobodyKnows(request)) {
      return new TurnedAway(Problem.of(417, "Expect may only be 100-continue"));
    }
    String path = CanonicalPath.of(target.path());
    OptionalInt route = serving.policy().route(method, path);
    // Without any route the policy has one that takes every path, and it leads nowhere.
    if (route.isEmpty() || route.getAsInt() >= serving.upstreams().size()) {
      return new TurnedAway(Problem.of(404, "no route takes " + method + " " + path));
    }
    Upstream upstream = serving.upstreams().get(route.getAsInt());
    return decide(request, serving, new Destination(target, host, upstream));
  }

  /** Where a request wants to go, and where that is. */
  private record Destination(RequestTarget target, String host, Upstream upstream) {}

  private Verdict decide(HttpServerRequest request, Serving serving, Destination destination) {
    String method = request.method().name();
    RequestTarget target = destination.target();
    String peer = addressOf(request.remoteAddress());
    Identity identity = serving.identity().read(name -> request.headers().getAll(name), peer);
    String uri = CanonicalPath.forwarded(target.path()) + target.query();
    String requestId = RequestIds.of(request.headers(), identity.peer());
    Decision decision = new Decision();
    long startNanos = ticker.monotonicNanos();
    limiter.decide(identity.request(method, target.path()), decision);
    try {
      metrics.decided(decision, ticker.monotonicNanos() - startNanos);
      long wallMicros = ticker.wallMicros(ticker.monotonicNanos());
      if (!decision.allowed()) {
        return new TurnedAway(serving.replies().refuse(decision, requestId, wallMicros));
      }
      List<HeaderField> fields = serving.replies().allow(decision, wallMicros);
      return new Admitted(
          decision,
          fields,
          destination.upstream(),
          uri,
          destination.host(),
          identity,
          peer,
          requestId);
    } catch (RuntimeException e) {
      limiter.release(decision);
      throw e;
    }
  }

  /** Methods are upper case: whether `get` is GET, servers do not agree. */
  private static void requireMethod(String method) {
    boolean known =
        method.length() <= MAX_METHOD_CHARS
            && method.chars().allMatch(c -> (c >= 'A' && c <= 'Z') || c == '-' || c == '_');
    if (!known) {
      throw new BadRequestException("the request's method is not upper case, or is too long");
    }
  }

  private static String hostOf(HttpServerRequest request, RequestTarget target) {
    List<String> hosts = request.headers().getAll("Host");
    if (request.version() == HttpVersion.HTTP_2) {
      return authorityOf(request, hosts, target);
    }
    if (hosts.size() > 1 || (hosts.isEmpty() && request.version() == HttpVersion.HTTP_1_1)) {
      throw new BadRequestException("a request over HTTP/1.1 has one Host; send it, once");
    }
    for (String host : hosts) {
      requireAuthority(host);
    }
    if (target.authority().isEmpty()) {
      return hosts.isEmpty() ? "" : hosts.get(0);
    }
    requireAuthority(target.authority());
    return target.authority();
  }

  /** Over HTTP/2 the host has a field of its own; the server has compared a Host beside it. */
  private static String authorityOf(
      HttpServerRequest request, List<String> hosts, RequestTarget target) {
    if (hosts.size() > 1 || !target.authority().isEmpty()) {
      throw new BadRequestException("a request over HTTP/2 names its host once, and not in :path");
    }
    HostAndPort authority = request.authority();
    return authority == null ? "" : authority.toString();
  }

  private static void requireAuthority(String host) {
    if (HostAndPort.parseAuthority(host, -1) == null) {
      throw new BadRequestException("the request's host is neither HOST nor HOST:PORT");
    }
  }

  private static boolean expectsWhatNobodyKnows(HttpServerRequest request) {
    List<String> expected = request.headers().getAll("Expect");
    return !expected.stream().allMatch(e -> e.strip().equalsIgnoreCase("100-continue"));
  }

  private static String addressOf(SocketAddress peer) {
    String address = peer == null ? null : peer.hostAddress();
    return address == null ? "" : address;
  }
}
