package io.quotatree.redis.servers;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Notes every key that it is asked about, so that all of them can be deleted. For the last time
 * once it takes no more questions.
 */
public final class NotingStore extends Store {

  private static final int DELETED_AT_ONCE = 1_000;

  /** A character is a byte. Guarded by itself. */
  private final Set<String> noted = new HashSet<>();

  /** Whether questions are refused; guarded by what is noted. */
  private boolean refuses;

  NotingStore(Servers servers, ScheduledExecutorService timer) {
    super(servers, timer);
  }

  @Override
  public CompletionStage<byte[]> call(Script script, byte[][] keys, byte[] argument) {
    synchronized (noted) {
      if (refuses) {
        return CompletableFuture.failedFuture(new IllegalStateException("the store is closed"));
      }
      for (byte[] key : keys) {
        noted.add(new String(key, StandardCharsets.ISO_8859_1));
      }
    }
    return super.call(script, keys, argument);
  }

  /** From now on nothing is asked, so nothing is made any more. */
  public void refuse() {
    synchronized (noted) {
      refuses = true;
    }
  }

  /** Deletes all that was noted, in the order in which the store gets to it. */
  public List<CompletionStage<?>> deleteNoted() {
    List<byte[]> keys = new ArrayList<>();
    synchronized (noted) {
      noted.forEach(key -> keys.add(key.getBytes(StandardCharsets.ISO_8859_1)));
      noted.clear();
    }
    List<CompletionStage<?>> deleting = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += DELETED_AT_ONCE) {
      List<byte[]> some = keys.subList(from, Math.min(from + DELETED_AT_ONCE, keys.size()));
      deleting.add(delete(some.toArray(byte[][]::new)));
    }
    return deleting;
  }
}
