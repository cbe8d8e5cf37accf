package io.quotatree.redis;

import io.quotatree.core.policy.overlay.OverrideStore;
import io.quotatree.core.policy.overlay.OverrideStoreException;
import io.quotatree.core.policy.overlay.OverrideText;
import io.quotatree.core.policy.overlay.Overrides;
import io.quotatree.core.policy.overlay.TimedOverride;
import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The overrides of a fleet, in the store that it counts in: one key, that lives as long as the
 * longest of them. Times are the store's own, and so are the numbers of revisions.
 */
final class RedisOverrides implements OverrideStore {

  /** Nobody waits for it who serves requests. */
  private static final long PATIENCE_MILLIS = 1_000;

  private final Store store;
  private final String prefix;
  private final Script script = Scripts.telling("overrides");

  /** That of the overrides, and that of what the fleet has to forget. */
  private final byte[][] keys;

  /** What was read last, so that it need not be sent again; any thread may replace it. */
  private volatile Overrides last = Overrides.NONE;

  RedisOverrides(Store store, String prefix) {
    this.store = store;
    this.prefix = prefix;
    this.keys =
        new byte[][] {
          (prefix + ":1:{node}:overrides").getBytes(StandardCharsets.UTF_8), Forgettings.key(prefix)
        };
  }

  @Override
  public Stored read() throws OverrideStoreException {
    Overrides known = last;
    String reply = ask("R " + known.revision() + " 0\n", "");
    int line = reply.indexOf('\n');
    String[] head = (line < 0 ? reply : reply.substring(0, line)).split(" ", -1);
    Instant now = Instant.ofEpochMilli(Long.parseLong(head[0]));
    if (line < 0) {
      return new Stored(known, now);
    }
    try {
      Overrides found =
          new Overrides(Long.parseLong(head[1]), OverrideText.read(reply.substring(line + 1)));
      last = found;
      return new Stored(found, now);
    } catch (IllegalArgumentException e) {
      throw new OverrideStoreException(
          "what the store has under "
              + new String(keys[0], StandardCharsets.UTF_8)
              + " are no overrides ("
              + e.getMessage()
              + "); delete that key to begin without",
          e);
    }
  }

  @Override
  public Optional<Stored> replace(long revision, List<TimedOverride> all)
      throws OverrideStoreException {
    long ends = all.stream().mapToLong(one -> one.until().toEpochMilli()).max().orElse(0);
    String[] reply =
        ask(
                "W " + revision + " " + ends + "\n" + OverrideText.write(all),
                ", and nobody knows whether it changed them: look at them before you try again")
            .split(" ", -1);
    if (reply.length < 2) {
      return Optional.empty();
    }
    Overrides now = new Overrides(Long.parseLong(reply[1]), all);
    last = now;
    return Optional.of(new Stored(now, Instant.ofEpochMilli(Long.parseLong(reply[0]))));
  }

  @Override
  public boolean isFirst(String words, Instant until) throws OverrideStoreException {
    String name = HexFormat.of().formatHex(Fingerprint.of(words));
    byte[][] said = {(prefix + ":1:{node}:said:" + name).getBytes(StandardCharsets.UTF_8)};
    String reply = ask("F 0 " + until.toEpochMilli() + "\n", said, "");
    return reply.indexOf(' ') >= 0;
  }

  private String ask(String question, String consequence) throws OverrideStoreException {
    return ask(question, keys, consequence);
  }

  private String ask(String question, byte[][] at, String consequence)
      throws OverrideStoreException {
    try {
      byte[] reply =
          store
              .call(script, at, question.getBytes(StandardCharsets.UTF_8))
              .toCompletableFuture()
              .get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      return new String(reply, StandardCharsets.UTF_8);
    } catch (TimeoutException e) {
      throw new OverrideStoreException(
          "the store gave no answer within " + PATIENCE_MILLIS + " ms" + consequence, e);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new OverrideStoreException(
          "the store gave no answer (" + cause.getMessage() + ")" + consequence, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OverrideStoreException("nobody waited for the store" + consequence, e);
    }
  }
}
