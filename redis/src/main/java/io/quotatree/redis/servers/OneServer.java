package io.quotatree.redis.servers;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.util.concurrent.CompletionStage;

/**
 * One server, or the one of several that Sentinel names as the master: it is asked whenever a
 * connection is made.
 */
final class OneServer extends Servers {

  private final RedisClient client;
  private final RedisURI address;

  OneServer(RedisClient client, ClientResources resources, RedisURI address) {
    super(client, resources);
    this.client = client;
    this.address = address;
  }

  @Override
  CompletionStage<Link> connect() {
    return client.connectAsync(ByteArrayCodec.INSTANCE, address).thenApply(ToServer::new);
  }

  /** A replica may be the master by now, or this connection's way be cut while another is not. */
  @Override
  CompletionStage<Link> connectAgain(Link silent) {
    return connect();
  }

  @Override
  CompletionStage<? extends StatefulRedisPubSubConnection<byte[], byte[]>> listen() {
    return client.connectPubSubAsync(ByteArrayCodec.INSTANCE, address);
  }

  @Override
  boolean isSpread() {
    return false;
  }

  static final class ToServer extends Link {

    private final RedisAsyncCommands<byte[], byte[]> commands;

    ToServer(StatefulRedisConnection<byte[], byte[]> connection) {
      super(connection, connection.async());
      this.commands = connection.async();
    }

    @Override
    CompletionStage<?> load(Script script, byte[] key) {
      return commands.scriptLoad(bytes(script));
    }

    @Override
    void prepare(Script script) {
      CompletionStage<?> unused = commands.scriptLoad(bytes(script));
    }

    @Override
    Object serverOf(byte[] key) {
      return this;
    }

    @Override
    String nameOf(byte[] key) {
      return "the one there is";
    }

    @Override
    int servers() {
      return 1;
    }
  }
}
