package io.quotatree.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisKeyAsyncCommands;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to a store, on which scripts are called.
 *
 * <p>It is made in the background and made again when lost; while there is none, calls fail at
 * once. All that is asked through one connection happens in the order in which it was asked.
 *
 * <p>The commands are those that a single server, a server under Sentinel and a cluster have in
 * common; a cluster finds the server by a call's first key.
 */
class Store implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Store.class);
  private static final long RETRY_MILLIS = 500;

  /** A live connection. */
  private record Link(
      StatefulConnection<byte[], byte[]> connection,
      RedisScriptingAsyncCommands<byte[], byte[]> commands,
      RedisKeyAsyncCommands<byte[], byte[]> ofKeys,
      RedisServerAsyncCommands<byte[], byte[]> ofServer) {}

  private final RedisClient client;
  private final ClientResources resources;
  private final RedisURI address;
  private final ScheduledExecutorService timer;
  private final CompletableFuture<Boolean> firstLink = new CompletableFuture<>();

  /** Written when a connection is made and when the store is closed; null while there is none. */
  private volatile @Nullable Link link;

  private volatile boolean closed;

  /** Scripts that are being loaded; guarded by itself. */
  private final Map<Script, CompletionStage<String>> loading = new HashMap<>();

  Store(
      RedisClient client,
      ClientResources resources,
      RedisURI address,
      ScheduledExecutorService timer) {
    this.client = client;
    this.resources = resources;
    this.address = address;
    this.timer = timer;
  }

  /** Begins to connect, and goes on trying. */
  CompletableFuture<Boolean> connect() {
    tryToConnect();
    return firstLink;
  }

  private void tryToConnect() {
    CompletionStage<?> unused =
        client
            .connectAsync(ByteArrayCodec.INSTANCE, address)
            .whenComplete(
                (connection, failure) -> {
                  if (failure != null) {
                    LOG.debug(
                        "No connection to {}:{}", address.getHost(), address.getPort(), failure);
                    retryLater();
                  } else if (closed) {
                    connection.close();
                  } else {
                    link =
                        new Link(
                            connection, connection.async(), connection.async(), connection.async());
                    firstLink.complete(true);
                  }
                });
  }

  /** Whether questions would reach the store now. */
  boolean isConnected() {
    Link current = link;
    return current != null && current.connection.isOpen();
  }

  private void retryLater() {
    if (!closed) {
      Future<?> unused = timer.schedule(this::tryToConnect, RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Loads a script before it is called for the first time, so that no request waits for that. */
  void prepare(Script script) {
    Link current = link;
    if (current != null) {
      CompletionStage<?> unused = load(current.commands, script);
    }
  }

  /** Calls a script; one that the store does not have (any more) is loaded once. */
  CompletionStage<byte[]> call(Script script, byte[][] keys, byte[] argument) {
    Link current = link;
    if (current == null) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("there is no connection to the store"));
    }
    RedisScriptingAsyncCommands<byte[], byte[]> commands = current.commands;
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    CompletionStage<?> unused =
        send(commands, script, keys, argument)
            .whenComplete(
                (reply, failure) -> {
                  if (failure == null) {
                    answer.complete(reply);
                  } else if (isNoScript(failure)) {
                    loadAndSend(commands, script, keys, argument, answer);
                  } else {
                    answer.completeExceptionally(failure);
                  }
                });
    return answer;
  }

  /** Deletes keys; not for counters that others may need. */
  CompletionStage<?> delete(byte[][] keys) {
    Link current = link;
    return current == null
        ? CompletableFuture.failedFuture(
            new IllegalStateException("there is no connection to the store"))
        : current.ofKeys.unlink(keys);
  }

  /** A setting of the store's, by its name; fails where the gateway may not ask. */
  CompletionStage<Map<String, String>> configured(String name) {
    Link current = link;
    return current == null
        ? CompletableFuture.failedFuture(
            new IllegalStateException("there is no connection to the store"))
        : current.ofServer.configGet(name);
  }

  private static CompletionStage<byte[]> send(
      RedisScriptingAsyncCommands<byte[], byte[]> commands,
      Script script,
      byte[][] keys,
      byte[] argument) {
    return commands.evalsha(script.digest(), ScriptOutputType.VALUE, keys, argument);
  }

  private static boolean isNoScript(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof RedisNoScriptException;
  }

  private void loadAndSend(
      RedisScriptingAsyncCommands<byte[], byte[]> commands,
      Script script,
      byte[][] keys,
      byte[] argument,
      CompletableFuture<byte[]> answer) {
    CompletionStage<?> unused =
        load(commands, script)
            .thenCompose(digest -> send(commands, script, keys, argument))
            .whenComplete(
                (reply, failure) -> {
                  if (failure == null) {
                    answer.complete(reply);
                  } else {
                    answer.completeExceptionally(failure);
                  }
                });
  }

  /**
   * Loads a script, once for all that miss it at a time: replies come in order, so whoever misses
   * it after it was loaded was not asked before.
   */
  private CompletionStage<String> load(
      RedisScriptingAsyncCommands<byte[], byte[]> commands, Script script) {
    synchronized (loading) {
      CompletionStage<String> underWay = loading.get(script);
      if (underWay != null) {
        return underWay;
      }
      CompletionStage<String> load =
          commands.scriptLoad(script.text().getBytes(StandardCharsets.UTF_8));
      loading.put(script, load);
      CompletionStage<?> unused = load.whenComplete((digest, failure) -> loaded(script));
      return load;
    }
  }

  private void loaded(Script script) {
    synchronized (loading) {
      loading.remove(script);
    }
  }

  @Override
  public void close() {
    closed = true;
    Link last = link;
    link = null;
    if (last != null) {
      last.connection.close();
    }
    client.shutdown(0, 1, TimeUnit.SECONDS);
    Future<?> unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
