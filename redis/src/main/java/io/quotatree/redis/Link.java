package io.quotatree.redis;

import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * A connection to a store: to its one server, or to all of a cluster. It is made again by itself
 * where it is lost; while there is none, calls fail at once. What was asked and not answered when
 * it was lost fails too, and is not asked again: nothing is charged twice by us.
 *
 * <p>What is asked of one server is done in the order in which it was asked.
 */
interface Link {

  /** Whether it is connected now. */
  boolean isOpen();

  /** Calls a script that the server of these keys should have. */
  CompletionStage<byte[]> call(Script script, byte[][] keys, byte[] argument);

  /** Sends a script along with its call: the server has it from then on. */
  CompletionStage<byte[]> callWithText(Script script, byte[][] keys, byte[] argument);

  /** Loads a script where a key is. */
  CompletionStage<?> load(Script script, byte[] key);

  /** Loads a script on all servers, before it is needed. */
  void prepare(Script script);

  /** The server that a key is at, as far as is known. */
  Object serverOf(byte[] key);

  /** What people call the server that a key is at. */
  String nameOf(byte[] key);

  /** How many servers keys are spread over. */
  int servers();

  /** Deletes keys, wherever they are. */
  CompletionStage<?> delete(byte[][] keys);

  /** A setting by its name, of one of the servers. */
  CompletionStage<Map<String, String>> configured(String name);

  /** Ends it; what was not answered fails. */
  CompletionStage<?> close();
}
