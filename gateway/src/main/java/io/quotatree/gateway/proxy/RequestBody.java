package io.quotatree.gateway.proxy;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/**
 * The body of a client's request, on its way to a target. It waits until somebody takes it, and
 * knows whether anything of it has gone: from then on no other target can have it.
 */
final class RequestBody {

  private final HttpServerRequest request;
  private Body kind;
  private @Nullable Buffer first;
  private boolean continueSaid;
  private boolean begun;

  RequestBody(HttpServerRequest request, Body kind) {
    this.request = request;
    this.kind = kind;
  }

  /** Takes a first piece, and no more for now. */
  void hold(Buffer piece) {
    first = first == null ? piece : first.copy().appendBuffer(piece);
    pause();
  }

  /** Whether a first piece was taken. */
  boolean holds() {
    return first != null;
  }

  boolean isNone() {
    return kind == Body.NONE;
  }

  boolean isSized() {
    return kind == Body.SIZED;
  }

  /** Whether a byte of it has left for a target. */
  boolean begun() {
    return begun;
  }

  /**
   * Asks the client for the body if it waits to be asked. Not left to the upstream: many never say
   * it, and then the client waits for nothing.
   */
  void sayContinue() {
    if (!continueSaid
        && request.version() != HttpVersion.HTTP_1_0
        && request.headers().contains("Expect")) {
      continueSaid = true;
      request.response().writeContinue();
    }
  }

  /** Lets the body go; answers whether some of it went at once. */
  boolean flow(Handler<Buffer> pieces, Handler<Void> end) {
    request.handler(
        piece -> {
          begun = true;
          pieces.handle(piece);
        });
    request.endHandler(
        v -> {
          // An empty one is as good as none, should another target get the request.
          kind = begun ? kind : Body.NONE;
          end.handle(null);
        });
    Buffer read = first;
    if (read != null) {
      first = null;
      begun = true;
      pieces.handle(read);
    }
    request.resume();
    return begun;
  }

  void pause() {
    if (!request.isEnded()) {
      request.pause();
    }
  }

  void resume() {
    if (!request.isEnded()) {
      request.resume();
    }
  }

  /** Waits for the next target. */
  void waitAgain() {
    if (!isNone()) {
      pause();
    }
  }

  /**
   * Throws away what is left. What a paused connection has read already is kept by nobody but it,
   * and lost unless it is taken.
   */
  void discard() {
    if (!isNone()) {
      resume();
    }
  }
}
