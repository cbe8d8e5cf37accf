package io.quotatree.redis.servers;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.event.ClusterTopologyChangedEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A cluster: keys are spread over its masters by their slots. Redirections are followed, and where
 * slots are is learned anew when they are met, when a server is gone, and every few seconds.
 *
 * <p>Connections to all servers, replicas too, are made ahead, with the scripts loaded: a call to
 * one that is not connected yet would fail, and the first calls to a new master would be those.
 */
final class ClusterServers extends Servers {

  private final RedisClusterClient client;
  private final ClientResources resources;

  ClusterServers(RedisClusterClient client, ClientResources resources) {
    super(client, resources);
    this.client = client;
    this.resources = resources;
  }

  @Override
  CompletionStage<Link> connect() {
    return client
        .refreshPartitionsAsync()
        .thenCompose(done -> client.connectAsync(ByteArrayCodec.INSTANCE))
        .thenCompose(this::withAllServers);
  }

  private CompletionStage<Link> withAllServers(
      StatefulRedisClusterConnection<byte[], byte[]> connection) {
    ToCluster link = new ToCluster(connection);
    resources
        .eventBus()
        .get()
        .ofType(ClusterTopologyChangedEvent.class)
        .subscribe(changed -> link.prepareAll());
    return link.connectAll();
  }

  /** Where slots are is asked again; connections to each server heal by themselves. */
  @Override
  CompletionStage<Link> connectAgain(Link silent) {
    return client.refreshPartitionsAsync().thenApply(done -> silent);
  }

  /** At any of the servers: they pass on to each other what is published. */
  @Override
  CompletionStage<? extends StatefulRedisPubSubConnection<byte[], byte[]>> listen() {
    return client.connectPubSubAsync(ByteArrayCodec.INSTANCE);
  }

  @Override
  boolean isSpread() {
    return true;
  }

  static final class ToCluster extends Link {

    private final StatefulRedisClusterConnection<byte[], byte[]> connection;
    private final Set<Script> prepared = ConcurrentHashMap.newKeySet();

    ToCluster(StatefulRedisClusterConnection<byte[], byte[]> connection) {
      super(connection, connection.async());
      this.connection = connection;
    }

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
    CompletionStage<?> load(Script script, byte[] key) {
      RedisClusterNode node = connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
      return node == null
          ? CompletableFuture.completedFuture(false)
          : to(node).thenCompose(server -> server.async().scriptLoad(bytes(script)));
    }

    @Override
    void prepare(Script script) {
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

    @Override
    Object serverOf(byte[] key) {
      RedisClusterNode node = connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
      return node == null ? this : node.getNodeId();
    }

    @Override
    String nameOf(byte[] key) {
      RedisClusterNode node = connection.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
      return node == null ? "nobody" : node.getUri().getHost() + ":" + node.getUri().getPort();
    }

    @Override
    int servers() {
      return (int) connection.getPartitions().stream().filter(n -> !n.hasNoSlots()).count();
    }
  }
}
