package io.quotatree.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * One server, or the one of several that Sentinel names as the master: it is asked whenever a
 * connection is made.
 */
final class OneServer implements Servers {

  private final RedisClient client;
  private final ClientResources resources;
  private final RedisURI address;

  OneServer(RedisClient client, ClientResources resources, RedisURI address) {
    this.client = client;
    this.resources = resources;
    this.address = address;
  }

  @Override
  public CompletionStage<Link> connect() {
    return client.connectAsync(ByteArrayCodec.INSTANCE, address).thenApply(ToServer::new);
  }

  /** A replica may be the master by now, or this connection's way be cut while another is not. */
  @Override
  public CompletionStage<Link> connectAgain(Link silent) {
    return connect();
  }

  @Override
  public boolean isSpread() {
    return false;
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

  private record ToServer(
      StatefulRedisConnection<byte[], byte[]> connection,
      RedisAsyncCommands<byte[], byte[]> commands)
      implements Link {

    ToServer(StatefulRedisConnection<byte[], byte[]> connection) {
      this(connection, connection.async());
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
      return commands.scriptLoad(bytes(script));
    }

    @Override
    public void prepare(Script script) {
      CompletionStage<?> unused = commands.scriptLoad(bytes(script));
    }

    private static byte[] bytes(Script script) {
      return script.text().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object serverOf(byte[] key) {
      return this;
    }

    @Override
    public String nameOf(byte[] key) {
      return "the one there is";
    }

    @Override
    public int servers() {
      return 1;
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
