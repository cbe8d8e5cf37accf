package io.quotatree.redis.servers;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The servers of a store, and how connections to them are made. */
abstract sealed class Servers permits OneServer, ClusterServers {

  private final AbstractRedisClient client;
  private final ClientResources resources;

  Servers(AbstractRedisClient client, ClientResources resources) {
    this.client = client;
    this.resources = resources;
  }

  /** Makes a connection, in the background. */
  abstract CompletionStage<Link> connect();

  /**
   * What is to be used in place of a connection that gives no answers: another server may stand in
   * for the one it leads to. The same one where that knows by itself where to go.
   */
  abstract CompletionStage<Link> connectAgain(Link silent);

  /** Makes a connection that only listens. */
  abstract CompletionStage<? extends StatefulRedisPubSubConnection<byte[], byte[]>> listen();

  /** Whether keys are spread over several servers, by their slots. */
  abstract boolean isSpread();

  /** Ends all connections. */
  final void close() {
    CompletionStage<?> unused =
        client
            .shutdownAsync(0, 1, TimeUnit.SECONDS)
            .whenComplete((done, failure) -> closeResources());
  }

  private void closeResources() {
    Future<?> unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
