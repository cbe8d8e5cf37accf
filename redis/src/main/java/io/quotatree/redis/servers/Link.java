package io.quotatree.redis.servers;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * A connection to a store: to its one server, or to all of a cluster. It is made again by itself
 * where it is lost; while there is none, calls fail at once. What was asked and not answered when
 * it was lost fails too, and is not asked again: nothing is charged twice by us.
 *
 * <p>What is asked of one server is done in the order in which it was asked.
 */
abstract sealed class Link permits OneServer.ToServer, ClusterServers.ToCluster {

  private final StatefulConnection<byte[], byte[]> connection;

  /** What both kinds of servers can be asked; where it is asked is the connection's affair. */
  private final RedisClusterAsyncCommands<byte[], byte[]> commands;

  Link(
      StatefulConnection<byte[], byte[]> connection,
      RedisClusterAsyncCommands<byte[], byte[]> commands) {
    this.connection = connection;
    this.commands = commands;
  }

  /** Loads a script where a key is. */
  abstract CompletionStage<?> load(Script script, byte[] key);

  /** Loads a script on all servers, before it is needed. */
  abstract void prepare(Script script);

  /** The server that a key is at, as far as is known. */
  abstract Object serverOf(byte[] key);

  /** What people call the server that a key is at. */
  abstract String nameOf(byte[] key);

  /** How many servers keys are spread over. */
  abstract int servers();

  /** Whether it is connected now. */
  final boolean isOpen() {
    return connection.isOpen();
  }

  /** Calls a script that the server of these keys should have. */
  final CompletionStage<byte[]> call(Script script, byte[][] keys, byte[] argument) {
    return commands.evalsha(script.digest(), ScriptOutputType.VALUE, keys, argument);
  }

  /** Sends a script along with its call: the server has it from then on. */
  final CompletionStage<byte[]> callWithText(Script script, byte[][] keys, byte[] argument) {
    return commands.eval(bytes(script), ScriptOutputType.VALUE, keys, argument);
  }

  /** Deletes keys, wherever they are. */
  final CompletionStage<?> delete(byte[][] keys) {
    return commands.unlink(keys);
  }

  /** A setting by its name, of one of the servers. */
  final CompletionStage<Map<String, String>> configured(String name) {
    return commands.configGet(name);
  }

  /** Ends it; what was not answered fails. */
  final CompletionStage<?> close() {
    return connection.closeAsync();
  }

  static byte[] bytes(Script script) {
    return script.text().getBytes(StandardCharsets.UTF_8);
  }
}
