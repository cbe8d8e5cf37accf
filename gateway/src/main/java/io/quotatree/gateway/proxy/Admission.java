package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.policy.CanonicalPath;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.proxy.Verdict.Admitted;
import io.quotatree.gateway.proxy.Verdict.Destination;
import io.quotatree.gateway.proxy.Verdict.TurnedAway;
import io.quotatree.gateway.proxy.Verdict.Undecided;
import io.quotatree.http.Answer;
import io.quotatree.http.BadIdentityException;
import io.quotatree.http.Cors;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Identity;
import io.quotatree.http.QuotaReplies;
import io.quotatree.observe.Metrics;
import io.quotatree.observe.log.DecisionLog;
import io.quotatree.observe.log.LogLine;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Judges a request by its head, in the order that the specification gives: canonical path, route,
 * what the route requires, identity, decision. What ends before the decision has charged nothing.
 * Belongs to one event loop.
 */
final class Admission {

  private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
  private static final int MAX_METHOD_CHARS = 32;

  private final Limiter limiter;
  private final Ticker ticker;
  private final Metrics metrics;
  private final DecisionLog decisions;
  private final Context loop;

  /** Of the policy that was in force last. */
  private Spares spares;

  /** For the next request whose decision is not there at once; most are, and never need it. */
  private Hop spare;

  Admission(ProxyHandler.Parts parts, Context loop) {
    this.limiter = parts.limiter();
    this.ticker = parts.ticker();
    this.metrics = parts.metrics();
    this.decisions = parts.decisions();
    this.loop = loop;
    this.spare = new Hop(loop);
    this.spares = new Spares(parts.serving().get().policy());
  }

  /**
   * Judges a request.
   *
   * @throws IllegalArgumentException with a text fit for the client, if the request could be read
   *     in two ways
   */
  Verdict judge(HttpServerRequest request, Serving serving, Audience audience) {
    String method = request.method().name();
    requireMethod(method);
    if (method.equals("TRACE") || method.equals("CONNECT")) {
      return new TurnedAway(
          audience.problem(
              405, method + " is not for this gateway", new HeaderField("Allow", METHODS)));
    }
    RequestTarget target = RequestTarget.parse(request.uri());
    String host = hostOf(request, target);
    if (expectsWhatNobodyKnows(request)) {
      return new TurnedAway(audience.problem(417, "Expect may only be 100-continue"));
    }
    String path = CanonicalPath.of(target.path());
    OptionalInt found = serving.policy().route(method, path);
    // Without any route the policy has one that takes every path, and it leads nowhere.
    if (found.isEmpty() || found.getAsInt() >= serving.routes().size()) {
      return new TurnedAway(audience.problem(404, "no route takes " + method + " " + path));
    }
    Route route = serving.routes().get(found.getAsInt());
    Destination destination =
        new Destination(
            route,
            CanonicalPath.forwarded(target.path()) + target.query(),
            host,
            addressOf(request.remoteAddress()),
            audience.under(route.cors(), request));
    return Preflight.is(request)
        ? preflight(request, serving, destination)
        : require(request, serving, target, destination);
  }

  /** A browser's question whether a page may ask at all: nothing is wanted of it, or charged. */
  private static Verdict preflight(
      HttpServerRequest request, Serving serving, Destination destination) {
    Cors cors = destination.route().cors();
    if (cors != null) {
      return new TurnedAway(Preflight.answer(request, cors));
    }
    Identity identity = identity(request, serving, destination);
    return new Admitted(
        new Decision(),
        List.of(),
        destination,
        identity,
        RequestIds.of(request.headers(), identity.peer()),
        null,
        null);
  }

  private static Identity identity(
      HttpServerRequest request, Serving serving, Destination destination) {
    return serving
        .identity()
        .read(name -> request.headers().getAll(name), destination.peerAddress());
  }

  private Verdict require(
      HttpServerRequest request, Serving serving, RequestTarget target, Destination destination) {
    String lacking = destination.route().requirements().lacking(request.headers(), target.query());
    if (lacking != null) {
      return new TurnedAway(destination.audience().problem(400, lacking));
    }
    try {
      return decide(request, serving, target, destination);
    } catch (BadIdentityException e) {
      return new TurnedAway(destination.audience().problem(400, String.valueOf(e.getMessage())));
    }
  }

  private Verdict decide(
      HttpServerRequest request, Serving serving, RequestTarget target, Destination destination) {
    Identity identity = identity(request, serving, destination);
    String requestId = RequestIds.of(request.headers(), identity.peer());
    spares = spares.of(serving.policy());
    Decision decision = spares.take();
    Judged judged = new Judged(request, serving, destination, identity, requestId, decision);
    long startNanos = ticker.monotonicNanos();
    Request asked = identity.request(request.method().name(), target.path());
    Hop hop = spare;
    boolean isNow;
    try {
      isNow = limiter.decide(asked, decision, hop);
    } catch (RuntimeException e) {
      // It may still be told of this request, and must not take that for the next one's.
      spare = new Hop(loop);
      throw e;
    }
    if (isNow) {
      return verdict(judged, startNanos, spares);
    }
    spare = new Hop(loop);
    return new Undecided(
        hop,
        () -> {
          if (request.response().closed()) {
            // Nobody is left who could use what was charged.
            limiter.refund(decision);
          }
          return verdict(judged, startNanos, null);
        });
  }

  /** A request that was decided about. */
  private record Judged(
      HttpServerRequest request,
      Serving serving,
      Destination destination,
      Identity identity,
      String requestId,
      Decision decision) {}

  /**
   * What becomes of a request by its decision.
   *
   * @param home where the decision goes when the request is over; null for nowhere
   */
  private Verdict verdict(Judged judged, long startNanos, @Nullable Spares home) {
    Decision decision = judged.decision();
    long nowNanos = ticker.monotonicNanos();
    metrics.decided(decision, nowNanos - startNanos);
    try {
      long wallMicros = ticker.wallMicros(nowNanos);
      LogLine line =
          decisions.wants(decision)
              ? decisions.lineOf(decision, seen(judged.request(), judged.requestId(), wallMicros))
              : null;
      if (decision.allowed()) {
        return new Admitted(
            decision,
            judged.serving().replies().allow(decision, wallMicros),
            judged.destination(),
            judged.identity(),
            judged.requestId(),
            line,
            home);
      }
      Answer refusal = refusal(judged, wallMicros);
      if (line != null) {
        line.answered(refusal.status());
      }
      if (home != null) {
        home.back(decision);
      }
      return new TurnedAway(refusal);
    } catch (RuntimeException e) {
      limiter.release(decision);
      throw e;
    }
  }

  private static LogLine.Seen seen(HttpServerRequest request, String requestId, long wallMicros) {
    String path =
        request.method().name() + " " + CanonicalPath.of(RequestTarget.parse(request.uri()).path());
    return new LogLine.Seen(path, requestId, wallMicros);
  }

  private static Answer refusal(Judged judged, long wallMicros) {
    QuotaReplies replies = judged.serving().replies();
    Audience audience = judged.destination().audience();
    String callType = audience.callType();
    return audience.readable(
        callType == null
            ? replies.refuse(judged.decision(), judged.requestId(), wallMicros)
            : replies.refuseCall(judged.decision(), callType, judged.requestId(), wallMicros));
  }

  /** Methods are upper case: whether `get` is GET, servers do not agree. */
  private static void requireMethod(String method) {
    boolean known = method.length() <= MAX_METHOD_CHARS;
    for (int i = 0; known && i < method.length(); i++) {
      char c = method.charAt(i);
      known = (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    }
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
    for (String expected : request.headers().getAll("Expect")) {
      if (!expected.strip().equalsIgnoreCase("100-continue")) {
        return true;
      }
    }
    return false;
  }

  private static String addressOf(SocketAddress peer) {
    String address = peer == null ? null : peer.hostAddress();
    return address == null ? "" : address;
  }
}
