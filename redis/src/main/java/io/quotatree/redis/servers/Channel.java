package io.quotatree.redis.servers;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.quotatree.core.time.Ticker;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel of a store that is listened on: whatever is said there, it says that there may be news,
 * so that somebody looks. What is said is not read: anybody may have said it, and it may be lost.
 *
 * <p>However much is said, it says so twenty times a second at most; above some thousand messages
 * within a second it does not listen for a minute. It has a connection of its own, which is made
 * again where it is lost, and says that there may be news once it listens again.
 */
final class Channel {

  /** Messages within a second, above which they are none of ours. */
  static final int FLOOD = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(Channel.class);
  private static final long RETRY_MILLIS = 1_000;
  private static final long REST_MILLIS = 60_000;
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Servers servers;
  private final byte[] name;
  private final ScheduledExecutorService timer;
  private final Ticker ticker = Ticker.system();
  private final Runnable news;

  /** True while it is about to be said that there may be news. */
  private final AtomicBoolean saying = new AtomicBoolean();

  /** When it was said last; written by the timer, read by connections. */
  private volatile long saidNanos = ticker.monotonicNanos() - PAUSE_NANOS;

  private final AtomicBoolean toldForbidden = new AtomicBoolean();

  // Guarded by this object's monitor:
  private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;

  /** Done when a connection was made, and closed if it is not wanted any more, or failed. */
  private CompletionStage<?> connecting = CompletableFuture.completedFuture(true);

  /** Counted up by each opening: a connection of an earlier one is not wanted any more. */
  private int openings;

  private boolean closed;

  /**
   * A channel that nobody listens on yet.
   *
   * @param news is run by the timer where there may be some
   */
  Channel(Servers servers, byte[] name, ScheduledExecutorService timer, Runnable news) {
    this.servers = servers;
    this.name = name.clone();
    this.timer = timer;
    this.news = news;
  }

  private String words() {
    return new String(name, StandardCharsets.UTF_8);
  }

  /** Begins to listen, or does so anew: on another server, perhaps. */
  synchronized void open() {
    if (!closed) {
      openings++;
      int opening = openings;
      connecting = servers.listen().handle(toConnection(opening)).thenCompose(stage -> stage);
    }
  }

  private BiFunction<
          StatefulRedisPubSubConnection<byte[], byte[]>, Throwable, CompletionStage<Boolean>>
      toConnection(int opening) {
    return (made, failure) -> {
      if (failure == null) {
        return listenBy(made, opening);
      }
      // Why there is no connection, others tell.
      LOG.debug("No connection to listen on {}", words(), failure);
      openLater(opening, RETRY_MILLIS);
      return CompletableFuture.completedFuture(false);
    };
  }

  private CompletionStage<Boolean> listenBy(
      StatefulRedisPubSubConnection<byte[], byte[]> made, int opening) {
    if (!takesPlace(made, opening)) {
      return made.closeAsync().thenApply(done -> false);
    }
    made.addListener(new Hearing(opening));
    CompletionStage<?> unused =
        made.async()
            .subscribe(name)
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    refused(opening, failure);
                  }
                });
    return CompletableFuture.completedFuture(true);
  }

  private synchronized boolean takesPlace(
      StatefulRedisPubSubConnection<byte[], byte[]> made, int opening) {
    if (closed || opening != openings) {
      return false;
    }
    CompletionStage<?> unused = closeConnection();
    connection = made;
    return true;
  }

  private void refused(int opening, Throwable failure) {
    boolean isForbidden =
        failure instanceof RedisCommandExecutionException
            && String.valueOf(failure.getMessage()).startsWith("NOPERM");
    if (isForbidden && toldForbidden.compareAndSet(false, true)) {
      LOG.warn(
          "the store does not let this gateway listen on its channel {}, so what other gateways"
              + " change is seen after up to a second; give its user `&{}` and the commands"
              + " subscribe and publish",
          words(),
          words());
    }
    LOG.debug("Nothing is heard on {}", words(), failure);
    rest(opening, isForbidden ? REST_MILLIS : RETRY_MILLIS);
  }

  /** Listens to nothing for a while. */
  private void rest(int opening, long millis) {
    synchronized (this) {
      if (opening != openings) {
        return;
      }
      CompletionStage<?> unused = closeConnection();
    }
    openLater(opening, millis);
  }

  private void openLater(int opening, long millis) {
    if (!timer.isShutdown()) {
      Future<?> unused =
          timer.schedule(
              () -> {
                if (isLatest(opening)) {
                  open();
                }
              },
              millis,
              TimeUnit.MILLISECONDS);
    }
  }

  private synchronized boolean isLatest(int opening) {
    return opening == openings;
  }

  /** With this object's monitor. */
  private CompletionStage<?> closeConnection() {
    StatefulRedisPubSubConnection<byte[], byte[]> last = connection;
    connection = null;
    return last == null ? CompletableFuture.completedFuture(true) : last.closeAsync();
  }

  /** Listens no more; done when no connection is left, nor any on its way. */
  synchronized CompletionStage<?> close() {
    closed = true;
    openings++;
    return closeConnection().thenCombine(connecting, (done, none) -> true);
  }

  /** Says soon that there may be news, unless that is about to be said. */
  private void mayBeNews() {
    if (saying.get() || timer.isShutdown() || !saying.compareAndSet(false, true)) {
      return;
    }
    long pauseNanos = PAUSE_NANOS - (ticker.monotonicNanos() - saidNanos);
    Future<?> unused = timer.schedule(this::sayNews, Math.max(0, pauseNanos), TimeUnit.NANOSECONDS);
  }

  private void sayNews() {
    saidNanos = ticker.monotonicNanos();
    // Before it is said: what comes meanwhile may be news again.
    saying.set(false);
    news.run();
  }

  /** What a connection hears, on its one thread. */
  private final class Hearing extends RedisPubSubAdapter<byte[], byte[]> {

    private final int opening;
    private long secondNanos = ticker.monotonicNanos();
    private int heard;

    Hearing(int opening) {
      this.opening = opening;
    }

    @Override
    public void message(byte[] channel, byte[] message) {
      long nowNanos = ticker.monotonicNanos();
      if (nowNanos - secondNanos >= SECOND_NANOS) {
        secondNanos = nowNanos;
        heard = 0;
      }
      heard++;
      if (heard <= FLOOD) {
        mayBeNews();
      } else if (heard == FLOOD + 1) {
        LOG.warn(
            "more than {} messages within a second on the store's channel {}: it is not listened"
                + " to for a minute, and what other gateways change is seen after up to a second;"
                + " see who may publish there",
            FLOOD,
            words());
        rest(opening, REST_MILLIS);
      }
    }

    /** Also after a connection was made again: what was said meanwhile is lost. */
    @Override
    public void subscribed(byte[] channel, long count) {
      mayBeNews();
    }
  }
}
