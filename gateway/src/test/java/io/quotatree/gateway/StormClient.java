package io.quotatree.gateway;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Many clients on one event loop, whose requests end in every way that a request can. What each
 * does next is drawn from a seed.
 */
final class StormClient {

  private static final int PATIENCE_MILLIS = 30_000;
  private static final String CHAT =
      " HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

  private static final List<String> BROKEN =
      List.of("/reset", "/half", "/halfclosed", "/garbage", "/early", "/reset", "/half");

  private final Vertx vertx;
  private final int port;
  private final NetClient polite;
  private final NetClient rude;
  private final HttpClient http2;
  private final AtomicInteger left;
  final Queue<String> surprises = new ConcurrentLinkedQueue<>();
  final AtomicInteger whole = new AtomicInteger();

  StormClient(Vertx vertx, int port, int requests) {
    this.vertx = vertx;
    this.port = port;
    this.left = new AtomicInteger(requests);
    this.polite = vertx.createNetClient();
    this.rude = vertx.createNetClient(new NetClientOptions().setSoLinger(0));
    this.http2 =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false),
            new PoolOptions().setHttp2MaxSize(2));
  }

  /** Sets so many clients to work; done when all requests are. */
  Future<Void> run(int clients, long seed) {
    Promise<Void> done = Promise.promise();
    AtomicInteger working = new AtomicInteger(clients);
    for (int i = 0; i < clients; i++) {
      Actor actor = new Actor(new SplittableRandom(seed + i));
      vertx.runOnContext(
          v ->
              actor.next(
                  () -> {
                    if (working.decrementAndGet() == 0) {
                      done.complete();
                    }
                  }));
    }
    return done.future();
  }

  private final class Actor {
    private final SplittableRandom random;
    private @Nullable NetSocket kept;
    private Reading reading = new Reading();

    Actor(SplittableRandom random) {
      this.random = random;
    }

    void next(Runnable whenAllDone) {
      if (left.getAndDecrement() <= 0) {
        if (kept != null) {
          kept.close();
        }
        whenAllDone.run();
        return;
      }
      Promise<Void> over = Promise.promise();
      long timer =
          vertx.setTimer(PATIENCE_MILLIS, id -> over.tryFail("a request that never ended"));
      act(over);
      over.future()
          .onFailure(t -> surprises.add(String.valueOf(t.getMessage())))
          .onComplete(
              v -> {
                vertx.cancelTimer(timer);
                vertx.runOnContext(again -> next(whenAllDone));
              });
    }

    private void act(Promise<Void> over) {
      int drawn = random.nextInt(100);
      if (drawn < 55) {
        ask(pick(List.of("/", "/", "/", "/trailers", "/slow")), over);
      } else if (drawn < 63) {
        leave("GET " + pick(List.of("/", "/slow", "/silent", "/endless")), "", over);
      } else if (drawn < 67) {
        leave("POST /", "Content-Length: 10\r\n", over);
      } else if (drawn < 69) {
        leave("POST /", "Transfer-Encoding: chunked\r\n", over);
      } else if (drawn < 77) {
        meetBroken(over);
      } else if (drawn < 90) {
        stream(over);
      } else if (drawn < 95) {
        upload(over);
      } else {
        chat(over);
      }
    }

    private String pick(List<String> paths) {
      return paths.get(random.nextInt(paths.size()));
    }

    private Future<NetSocket> connect() {
      return (random.nextBoolean() ? polite : rude).connect(port, "127.0.0.1");
    }

    /** A request whose whole answer is read, on a connection that is kept. */
    private void ask(String path, Promise<Void> over) {
      send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n", over);
    }

    private void upload(Promise<Void> over) {
      send(
          random.nextBoolean()
              ? "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody"
              : "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
          over);
    }

    private void send(String request, Promise<Void> over) {
      if (kept != null) {
        reading.begin(over);
        kept.write(request);
        return;
      }
      polite
          .connect(port, "127.0.0.1")
          .onFailure(over::tryFail)
          .onSuccess(
              socket -> {
                kept = socket;
                reading = new Reading();
                socket.handler(piece -> reading.take(piece.toString()));
                Reading own = reading;
                socket.closeHandler(v -> forget(own));
                send(request, over);
              });
    }

    private void forget(Reading ended) {
      if (ended == reading) {
        kept = null;
        ended.broken();
      }
    }

    /** A client that goes away at some moment. */
    private void leave(String start, String lines, Promise<Void> over) {
      connect()
          .onFailure(over::tryFail)
          .onSuccess(
              socket -> {
                socket.exceptionHandler(gone -> {});
                socket.write(start + " HTTP/1.1\r\nHost: h\r\n" + lines + "\r\n");
                soon(() -> socket.close().onComplete(v -> over.tryComplete()));
              });
    }

    private void soon(Runnable what) {
      switch (random.nextInt(3)) {
        case 0 -> what.run();
        case 1 -> vertx.runOnContext(v -> what.run());
        default -> vertx.setTimer(1 + random.nextInt(6), id -> what.run());
      }
    }

    /** An upstream that fails; the client waits for whatever comes of it. */
    private void meetBroken(Promise<Void> over) {
      String path = random.nextInt(20) == 0 ? "/silent" : pick(BROKEN);
      String method = random.nextBoolean() ? "GET " : "POST ";
      connect()
          .onFailure(over::tryFail)
          .onSuccess(
              socket -> {
                socket.exceptionHandler(gone -> {});
                socket.closeHandler(v -> over.tryComplete());
                socket.handler(piece -> socket.close());
                socket.write(
                    method + path + " HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody");
              });
    }

    /** A stream over HTTP/2, read to its end or reset before, during or after its answer. */
    private void stream(Promise<Void> over) {
      boolean body = random.nextBoolean();
      String path = pick(List.of("/", "/", "/slow", "/endless", "/reset", "/half", "/trailers"));
      int when = path.equals("/endless") ? 1 + random.nextInt(2) : random.nextInt(4);
      http2
          .request(body ? HttpMethod.POST : HttpMethod.GET, port, "127.0.0.1", path)
          .onFailure(over::tryFail)
          .onSuccess(
              request -> {
                request.exceptionHandler(gone -> {});
                request
                    .response()
                    .onFailure(gone -> over.tryComplete())
                    .onSuccess(
                        answer -> {
                          answer.exceptionHandler(gone -> over.tryComplete());
                          answer.endHandler(v -> over.tryComplete());
                          if (when == 1) {
                            request.reset(8);
                            over.tryComplete();
                          }
                        });
                write(request, body);
                if (when == 2) {
                  soon(
                      () -> {
                        request.reset(8);
                        over.tryComplete();
                      });
                }
              });
    }

    private void write(HttpClientRequest request, boolean body) {
      if (body) {
        request.setChunked(true);
        request.write("bo");
        request.end("dy");
      } else {
        request.end();
      }
    }

    /** A WebSocket that somebody ends. */
    private void chat(Promise<Void> over) {
      boolean upstreamEnds = random.nextBoolean();
      connect()
          .onFailure(over::tryFail)
          .onSuccess(
              socket -> {
                socket.exceptionHandler(gone -> {});
                socket.closeHandler(v -> over.tryComplete());
                socket.handler(
                    piece -> {
                      if (!upstreamEnds || !piece.toString().contains(" 101 ")) {
                        socket.write("x");
                        soon(socket::close);
                      }
                    });
                socket.write("GET " + (upstreamEnds ? "/chat/short" : "/chat") + CHAT);
              });
    }

    /** Answers on a kept connection. */
    private final class Reading {
      private final StringBuilder text = new StringBuilder();
      private Promise<Void> waiting = Promise.promise();

      void begin(Promise<Void> over) {
        waiting = over;
      }

      void take(String piece) {
        text.append(piece);
        int headEnd = text.indexOf("\r\n\r\n");
        if (headEnd < 0) {
          return;
        }
        String head = text.substring(0, headEnd).toLowerCase(java.util.Locale.ROOT);
        int length = head.indexOf("content-length: ");
        boolean all =
            length < 0
                ? text.toString().endsWith("\r\n\r\n") && text.indexOf("\r\n0\r\n") > 0
                : text.length() - headEnd - 4
                    >= Integer.parseInt(head.substring(length + 16).split("\r\n", 2)[0]);
        if (all) {
          judge(head);
          text.setLength(0);
          Promise<Void> over = waiting;
          waiting = Promise.promise();
          if (head.contains("connection: close")) {
            NetSocket ended = kept;
            kept = null;
            if (ended != null) {
              ended.handler(null);
              ended.closeHandler(v -> over.tryComplete());
            }
          } else {
            over.tryComplete();
          }
        }
      }

      private void judge(String head) {
        if (head.startsWith("http/1.1 200")) {
          whole.incrementAndGet();
        } else if (!head.startsWith("http/1.1 429") && !head.startsWith("http/1.1 504")) {
          // Too many at once are refused, and on a busy machine one or the other waits too long.
          surprises.add(text.toString());
        }
      }

      void broken() {
        if (waiting != null && waiting.tryFail("a connection that was not to end")) {
          text.setLength(0);
        }
      }
    }
  }
}
