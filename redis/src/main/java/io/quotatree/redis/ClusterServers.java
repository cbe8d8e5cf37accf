package io.quotatree.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A cluster: keys are spread over its masters by their slots. Redirections are followed, and where
 * slots are is learned anew when they are met, when a server is gone, and every few seconds.
 *
 * <p>Connections to all servers, replicas too, are made ahead, with the scripts loaded: a call to
 * one that is not connected yet would fail, and the first calls to a new master would be those.
 */
final class ClusterServers implements Servers {

  private final RedisClusterClient client;
  private final ClientResources resources;

  ClusterServers(RedisClusterClient client, ClientResources resources) {
    this.client = client;
    this.resources = resources;
  }

  @Override
  public CompletionStage<Link> connect() {
    return client
        .refreshPartitionsAsync()
        .thenCompose(done -> client.connectAsync(ByteArrayCodec.INSTANCE))
        .thenCompose(this::withAllServers);
  }

  private CompletionStage<Link> withAllServers(
      StatefulRedisClusterConnection<byte[], byte[]> connection) {
    ToCluster link = new ToCluster(connection, connection.async(), ConcurrentHashMap.newKeySet());
    resources
        .eventBus()
        .get()
        .ofType(ClusterTopologyChangedEvent.class)
        .subscribe(changed -> link.prepareAll());
    return link.connectAll();
  }

  /** Where slots are is asked again; connections to each server heal by themselves. */
  @Override
  public CompletionStage<Link> connectAgain(Link silent) {
    return client.refreshPartitionsAsync().thenApply(done -> silent);
  }

  @Override
  public boolean isSpread() {
    return true;
  }

  @Override
  public void close() {
    CompletionStage<?> unused =
        client
            .shutdownAsync(0, 1, TimeUnit.SECONDS)
            .whenComplete((done, failure) -> closeResources());
  }

  private void closeResources() {
    Future<?> unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
  }

  private record ToCluster(
      StatefulRedisClusterConnection<byte[], byte[]> connection,
      RedisAdvancedClusterAsyncCommands<byte[], byte[]> commands,
      Set<Script> prepared)
      implements Link {

    /** Those that cannot be reached are left for later. */
    CompletionStage<Link> connectAll() {
      CompletableFuture<?>[] all =
          connection.getPartitions().stream()
              .map(node -> to(node).handle((server, failure) -> true))
              .toArray(CompletableFuture<?>[]::new);
      return CompletableFuture.allOf(all).thenApply(done -> this);
    }

    /** Calls are routed by host and port, so it is these connections that they find. */
    private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> to(RedisClusterNode node) {
      RedisURI uri = node.getUri();
      return connection.getConnectionAsync(uri.getHost(), uri.getPort()).toCompletableFuture();
    }

    private void each(Consumer<StatefulRedisConnection<byte[], byte[]>> visit) {
      for (RedisClusterNode node : connection.getPartitions()) {
        CompletionStage<?> unused = to(node).thenAccept(visit);
      }
    }

    @Override
    public boolean isOpen() {
      return connection.isOpen();
    }

    @Override
    public CompletionStage<byte[]> call(Script script, byte[][] keys, byte[] argument) {
      return commands.evalsha(script.digest(), ScriptOutputType.VALUE, keys, argument);
    }

    @Override
    public CompletionStage<byte[]> callWithText(Script script, byte[][] keys, byte[] argument) {
      return commands.eval(bytes(script), ScriptOutputType.VALUE, keys, argument);
    }

    @Override
    public CompletionStage<?> load(Script script, byte[] key) {
      RedisClusterNode node = connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
      return node == null
          ? CompletableFuture.completedFuture(false)
          : to(node).thenCompose(server -> server.async().scriptLoad(bytes(script)));
    }

    @Override
    public void prepare(Script script) {
      prepared.add(script);
      each(
          server -> {
            CompletionStage<?> unused = server.async().scriptLoad(bytes(script));
          });
    }

    /** After a change of the cluster: whoever is new has no scripts. */
    void prepareAll() {
      prepared.forEach(this::prepare);
    }

    private static byte[] bytes(Script script) {
      return script.text().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object serverOf(byte[] key) {
      RedisClusterNode node = connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
      return node == null ? this : node.getNodeId();
    }

    @Override
    public String nameOf(byte[] key) {
      RedisClusterNode node = connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
      return node == null ? "nobody" : node.getUri().getHost() + ":" + node.getUri().getPort();
    }

    @Override
    public int servers() {
      return (int) connection.getPartitions().stream().filter(n -> !n.hasNoSlots()).count();
    }

    @Override
    public CompletionStage<?> delete(byte[][] keys) {
      return commands.unlink(keys);
    }

    @Override
    public CompletionStage<Map<String, String>> configured(String name) {
      return commands.configGet(name);
    }

    @Override
    public CompletionStage<?> close() {
      return connection.closeAsync();
    }
  }
}
