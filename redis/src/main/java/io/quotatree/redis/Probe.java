package io.quotatree.redis;

import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletionStage;

/**
 * Asks a server whether it is back: it has to write something down that ends by itself, since a
 * server that only reads decides nothing.
 */
final class Probe {

  private static final byte[] NAME = ":probe".getBytes(StandardCharsets.UTF_8);

  private final Store store;
  private final Script amend;
  private final Wire wire;
  private final byte[] prober;

  /**
   * The probes of one gateway.
   *
   * @param prober who it is: as long as a holder
   */
  Probe(RedisLedger.Parts parts, byte[] prober) {
    this.store = parts.store();
    this.amend = Scripts.by(parts.clock()).amend();
    this.wire = new Wire(parts.clock());
    this.prober = prober;
  }

  /** Asks the server that has a key, by another key of the same slot. */
  CompletionStage<byte[]> ask(byte[] key) {
    return store.call(amend, new byte[][] {beside(key)}, wire.enter(prober, Times.STORES_OWN));
  }

  /** {@code PREFIX:1:{TAG}:probe}: only the tag decides the slot. */
  private static byte[] beside(byte[] key) {
    int end = 0;
    while (end < key.length && key[end] != '}') {
      end++;
    }
    int head = Math.min(key.length, end + 1);
    byte[] probe = Arrays.copyOf(key, head + NAME.length);
    System.arraycopy(NAME, 0, probe, head, NAME.length);
    return probe;
  }
}
