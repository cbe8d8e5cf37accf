package io.quotatree.gateway.proxy;

import io.quotatree.http.Cors;
import io.quotatree.http.HeaderField;
import io.quotatree.http.QuotaReplies;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An upstream's answer on its way to the client: head, body as it comes, trailers. */
final class Delivery {

  private static final long UNKNOWN_LENGTH = -1;
  private static final String EXPOSE = "Access-Control-Expose-Headers";
  private static final String EVENTS = "text/event-stream";

  private final Exchange exchange;
  private final Attempt from;
  private final HttpClientResponse in;
  private final HttpServerRequest request;
  private final HttpServerResponse response;

  private long leftBytes = UNKNOWN_LENGTH;
  private boolean endsByClosing;

  Delivery(Exchange exchange, Attempt from, HttpClientResponse in) {
    this.exchange = exchange;
    this.from = from;
    this.in = in;
    this.request = exchange.request;
    this.response = exchange.response;
  }

  void begin() {
    in.handler(exchange.safely(this::pass));
    in.endHandler(exchange.safely(v -> ended()));
    exchange.patience.expectWithin(exchange.idleMillis(exchange.standsOpen() || sendsEvents()));
    copyHead();
    if (leftBytes > 0 || response.isChunked()) {
      // An answer may begin long before its first byte of body. Most do not: their head goes with
      // it.
      exchange.loop.vertx().runOnContext(exchange.safely(v -> flushHead()));
    }
  }

  private boolean sendsEvents() {
    String type = in.headers().get("Content-Type");
    return type != null && type.regionMatches(true, 0, EVENTS, 0, EVENTS.length());
  }

  private void copyHead() {
    MultiMap out = response.headers();
    HopByHop hopByHop = HopByHop.of(in.headers());
    boolean ours = !exchange.admitted.fields().isEmpty();
    for (Map.Entry<String, String> field : in.headers()) {
      String name = field.getKey();
      if (!hopByHop.covers(name) && !(ours && QuotaReplies.displaces(name))) {
        out.add(name, field.getValue());
      }
    }
    for (HeaderField field : exchange.admitted.fields()) {
      out.add(FieldNames.of(field.name()), field.value());
    }
    letPagesRead(out);
    response.setStatusCode(in.statusCode());
    if (bodyFollows(in.statusCode())) {
      frame(in.headers());
    }
    boolean lingers = !from.bodySent() && !AnswerWriter.restIsShort(request);
    if (request.version() != HttpVersion.HTTP_2 && (lingers || exchange.loop.underWay().ending())) {
      out.set("Connection", "close");
    }
  }

  /**
   * Where the route says which pages may read its answers, it says so for the upstream too: two
   * that differ are none to a browser. To pages that it does not name, the upstream's word stands.
   */
  private void letPagesRead(MultiMap out) {
    Audience audience = exchange.admitted.audience();
    Cors cors = audience.cors();
    if (cors == null) {
      return;
    }
    List<HeaderField> allowing = cors.allowing(audience.origin());
    if (!allowing.isEmpty()) {
      out.remove("Access-Control-Allow-Credentials");
      allowing.forEach(field -> out.set(field.name(), field.value()));
      List<String> exposed = new ArrayList<>(out.getAll(EXPOSE));
      exposed.add(Cors.EXPOSED);
      out.set(EXPOSE, String.join(", ", exposed));
    }
    out.add("Vary", "Origin");
  }

  private void frame(MultiMap head) {
    if (head.contains("Content-Length")) {
      leftBytes = Body.lengthBytes(head);
    } else if (request.version() == HttpVersion.HTTP_1_0) {
      endsByClosing = true;
      response.headersEndHandler(v -> response.headers().set("Connection", "close"));
    } else {
      response.setChunked(true);
    }
  }

  private boolean bodyFollows(int status) {
    return !request.method().name().equals("HEAD") && status != 204 && status != 304;
  }

  private void flushHead() {
    if (!exchange.isOver() && !response.headWritten()) {
      response.writeHead();
    }
  }

  private void pass(Buffer chunk) {
    if (exchange.isOver()) {
      return;
    }
    if (leftBytes != UNKNOWN_LENGTH) {
      leftBytes -= chunk.length();
      if (leftBytes <= 0) {
        // The last piece ends the answer: one message to the connection, and not two.
        exchange.over();
        delivered(response.end(chunk));
        return;
      }
    }
    exchange.patience.progress();
    response.write(chunk);
    if (response.writeQueueFull()) {
      in.pause();
      response.drainHandler(exchange.safely(v -> drained()));
    }
  }

  private void drained() {
    exchange.patience.progress();
    in.resume();
  }

  private void ended() {
    if (exchange.isOver()) {
      return;
    }
    exchange.over();
    copyTrailers();
    delivered(response.end());
  }

  private void delivered(Future<Void> written) {
    if (endsByClosing) {
      written.onComplete(v -> request.connection().close());
    }
    if (!from.bodySent()) {
      exchange.dropUpstream();
      exchange.loop.answers().dropRest(request);
    } else if (from.asksToUpgrade()) {
      // Its connection was meant for something else, and is of no use to other requests.
      exchange.dropUpstream();
    }
  }

  private void copyTrailers() {
    MultiMap trailers = in.trailers();
    if (trailers.isEmpty() || !response.isChunked()) {
      return;
    }
    HopByHop hopByHop = HopByHop.of(in.headers());
    for (Map.Entry<String, String> field : trailers) {
      String name = field.getKey();
      if (!hopByHop.covers(name) && !HopByHop.mayNotTrail(name.toLowerCase(Locale.ROOT))) {
        response.trailers().add(field.getKey(), field.getValue());
      }
    }
  }
}
