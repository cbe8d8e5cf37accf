package io.quotatree.redis.servers;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.cluster.SlotHash;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store, on which scripts are called.
 *
 * <p>The connection is made in the background and made again when lost; while there is none, calls
 * fail at once. All that is asked of one server happens in the order in which it was asked.
 */
public sealed class Store implements AutoCloseable permits NotingStore {

  private static final Logger LOG = LoggerFactory.getLogger(Store.class);
  private static final long RETRY_MILLIS = 500;

  private final Servers servers;
  private final ScheduledExecutorService timer;
  private final CompletableFuture<Boolean> firstLink = new CompletableFuture<>();

  /** Written when a connection is made and when the store is closed; null while there is none. */
  private volatile @Nullable Link link;

  private volatile boolean closed;

  /** True while another connection is looked for, and some time after. */
  private final AtomicBoolean looking = new AtomicBoolean();

  /** Whether it was said why there is no connection. */
  private final AtomicBoolean saidWhy = new AtomicBoolean();

  /** Whether it was said that the servers are a cluster's. */
  private final AtomicBoolean saidCluster = new AtomicBoolean();

  /** Null where nobody listens; written once. */
  private volatile @Nullable Channel channel;

  /** What each new connection loads first. */
  private final Set<Script> prepared = ConcurrentHashMap.newKeySet();

  private record Loading(Script script, Object server) {}

  /** Scripts that are being loaded; guarded by itself. */
  private final Map<Loading, CompletionStage<?>> loading = new HashMap<>();

  Store(Servers servers, ScheduledExecutorService timer) {
    this.servers = servers;
    this.timer = timer;
  }

  /** Begins to connect, and goes on trying. */
  public CompletableFuture<Boolean> connect() {
    tryToConnect();
    return firstLink;
  }

  private void tryToConnect() {
    CompletionStage<?> unused =
        servers
            .connect()
            .whenComplete(
                (made, failure) -> {
                  if (failure == null) {
                    use(made);
                  } else {
                    tellNoConnection(failure);
                    retryLater();
                  }
                });
  }

  /** Told once, and later ones where somebody looks for them; no cause repeats a password. */
  private void tellNoConnection(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (saidWhy.compareAndSet(false, true)) {
      LOG.warn("no connection to the store ({}); it is tried again and again", root.getMessage());
    }
    LOG.debug("No connection to the store", failure);
  }

  private void retryLater() {
    if (!closed) {
      Future<?> unused = timer.schedule(this::tryToConnect, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void use(Link made) {
    if (closed) {
      CompletionStage<?> unused = made.close();
      return;
    }
    Link before = link;
    if (before != made) {
      prepared.forEach(made::prepare);
      link = made;
    }
    if (before != null && before != made) {
      CompletionStage<?> unused = before.close();
      Channel heard = channel;
      if (heard != null) {
        heard.open();
      }
    }
    saidWhy.set(false);
    firstLink.complete(true);
  }

  /**
   * Looks for the store anew, since it gives no answers: Sentinel or the cluster may have put
   * another server in its place. Until one is found, all stays as it is.
   */
  public void lookAgain() {
    Link silent = link;
    if (silent == null || closed || !looking.compareAndSet(false, true)) {
      return;
    }
    CompletionStage<?> unused =
        servers
            .connectAgain(silent)
            .whenComplete(
                (made, failure) -> {
                  if (failure == null) {
                    use(made);
                  }
                  allowLookingLater();
                });
  }

  private void allowLookingLater() {
    if (!timer.isShutdown()) {
      Future<?> unused =
          timer.schedule(() -> looking.set(false), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /**
   * Whether questions would reach the store now. Of servers that it is spread over some may be gone
   * while others answer, whatever the client says of the one that it was led to first.
   */
  public boolean isConnected() {
    Link current = link;
    return current != null && (isSpread() || current.isOpen());
  }

  /** The server that has a key, as far as is known: this store itself where there is but one. */
  public Object serverOf(byte[] key) {
    Link current = link;
    return current == null || !isSpread() ? this : current.serverOf(key);
  }

  /** What people call the server that has a key. */
  public String nameOf(byte[] key) {
    Link current = link;
    return current == null || !isSpread() ? "the one there is" : current.nameOf(key);
  }

  /** How many servers keys are spread over, as far as is known. */
  public int servers() {
    Link current = link;
    return current == null || !isSpread() ? 1 : current.servers();
  }

  /** Whether keys are spread over several servers: only those of one slot can be asked together. */
  public boolean isSpread() {
    return servers.isSpread();
  }

  /** Where a key is, for a store that is spread; the same for all keys where it is not. */
  public int slotOf(byte[] key) {
    return isSpread() ? SlotHash.getSlot(key) : 0;
  }

  /**
   * Listens on a channel from now on, as long as the store is open and as well as that is possible.
   *
   * @param news is run, by the timer, when something may have been said there
   */
  public void listen(byte[] name, Runnable news) {
    Channel opened = new Channel(servers, name, timer, news);
    channel = opened;
    opened.open();
  }

  /** Loads a script before it is called for the first time, so that no request waits for that. */
  public void prepare(Script script) {
    Link current = link;
    if (prepared.add(script) && current != null) {
      current.prepare(script);
    }
  }

  /** Calls a script; one that the store does not have (any more) is loaded once. */
  public CompletionStage<byte[]> call(Script script, byte[][] keys, byte[] argument) {
    Link current = link;
    if (current == null) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("there is no connection to the store"));
    }
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    CompletionStage<?> unused =
        current
            .call(script, keys, argument)
            .whenComplete(
                (reply, failure) -> {
                  if (failure == null) {
                    answer.complete(reply);
                  } else if (cause(failure) instanceof RedisNoScriptException) {
                    loadAndCall(current, script, keys, argument).whenComplete(to(answer));
                  } else {
                    tellWhereCluster(failure);
                    answer.completeExceptionally(failure);
                  }
                });
    return answer;
  }

  private static BiConsumer<byte[], Throwable> to(CompletableFuture<byte[]> answer) {
    return (reply, failure) -> {
      if (failure == null) {
        answer.complete(reply);
      } else {
        answer.completeExceptionally(failure);
      }
    };
  }

  private static Throwable cause(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Whether some of the keys are in one place and some in another, while their slot is moved. */
  public static boolean isTornApart(Throwable failure) {
    return says(failure, "TRYAGAIN");
  }

  private static boolean says(Throwable failure, String error) {
    Throwable cause = cause(failure);
    String message = cause.getMessage();
    return cause instanceof RedisCommandExecutionException
        && message != null
        && message.startsWith(error);
  }

  /** Nothing can be decided there; silence would look like a store that is down. */
  private void tellWhereCluster(Throwable failure) {
    boolean isCluster = !isSpread() && (says(failure, "CROSSSLOT") || says(failure, "MOVED"));
    if (isCluster && saidCluster.compareAndSet(false, true)) {
      LOG.error(
          "the store's server is one of a cluster, and keys are spread over all of them; name the"
              + " cluster's nodes as a list");
    }
  }

  /**
   * A script can also be missing where a call was redirected to, while a slot is moved there: then
   * the call takes the script's text along.
   */
  private CompletionStage<byte[]> loadAndCall(
      Link current, Script script, byte[][] keys, byte[] argument) {
    return load(current, script, keys[0])
        .thenCompose(loaded -> current.call(script, keys, argument))
        .exceptionallyCompose(
            failure ->
                cause(failure) instanceof RedisNoScriptException
                    ? current.callWithText(script, keys, argument)
                    : CompletableFuture.failedFuture(failure));
  }

  /**
   * Loads a script, once for all that miss it at a time: a server's replies come in order, so
   * whoever misses it after it was loaded was not asked before.
   */
  private CompletionStage<?> load(Link current, Script script, byte[] key) {
    Loading what = new Loading(script, current.serverOf(key));
    synchronized (loading) {
      CompletionStage<?> underWay = loading.get(what);
      if (underWay != null) {
        return underWay;
      }
      CompletionStage<?> load = current.load(script, key);
      loading.put(what, load);
      CompletionStage<?> unused = load.whenComplete((digest, failure) -> loaded(what));
      return load;
    }
  }

  private void loaded(Loading what) {
    synchronized (loading) {
      loading.remove(what);
    }
  }

  /** Deletes keys; not for counters that others may need. */
  CompletionStage<?> delete(byte[][] keys) {
    Link current = link;
    return current == null
        ? CompletableFuture.failedFuture(
            new IllegalStateException("there is no connection to the store"))
        : current.delete(keys);
  }

  /** A setting of the store's, by its name; fails where the gateway may not ask. */
  CompletionStage<Map<String, String>> configured(String name) {
    Link current = link;
    return current == null
        ? CompletableFuture.failedFuture(
            new IllegalStateException("there is no connection to the store"))
        : current.configured(name);
  }

  @Override
  public void close() {
    closed = true;
    Link last = link;
    link = null;
    Channel heard = channel;
    CompletionStage<?> quiet =
        heard == null ? CompletableFuture.completedFuture(true) : heard.close();
    CompletionStage<?> ended =
        last == null ? quiet : last.close().thenCombine(quiet, (done, silent) -> true);
    CompletionStage<?> unused = ended.whenComplete((done, failure) -> servers.close());
  }
}
