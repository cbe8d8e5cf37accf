package io.quotatree.redis;

import io.quotatree.core.ledger.Receipt;
import io.quotatree.core.ticket.TicketStore;
import io.quotatree.core.ticket.Tickets;
import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * What ids of decisions stand for, in the store that counts them: each under a key of its own, for
 * as long as the id lives. A script says who is the first to release or settle one; what that comes
 * to is done afterwards, so of a gateway that dies in between some charge is left as it was.
 */
final class RedisTickets implements TicketStore {

  /** Whoever waits for these has a request to answer, and none of them decides one. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final Charged NOTHING =
      new Charged(new byte[0][], new byte[0][], new long[0], Asked.Ask.ABOUT);

  private final Store store;
  private final Amends amends;
  private final String prefix;

  /** How long whoever was allowed something waits for its id at most. */
  private final long putNanos;

  private final Predicate<byte[]> isAsked;
  private final Script script = Scripts.alone("ticket");

  /**
   * Tickets.
   *
   * @param isAsked whether the server that has a key is asked now
   */
  RedisTickets(RedisLedger.Parts parts, Amends amends, Predicate<byte[]> isAsked) {
    this.store = parts.store();
    this.amends = amends;
    this.prefix = parts.prefix();
    this.putNanos = parts.bounds().timeoutNanos();
    this.isAsked = isAsked;
  }

  @Override
  public CompletableFuture<?> put(String id, Receipt receipt, Duration hold) {
    return ask(id, 'P', hold, facts(receipt)).orTimeout(putNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean counts(Receipt receipt) {
    return receipt.note() instanceof Charged;
  }

  @Override
  public CompletableFuture<Optional<Runnable>> release(String id) {
    return patiently(id, 'R', Duration.ZERO)
        .thenApply(
            facts -> facts.length == 0 ? Optional.empty() : Optional.of(() -> giveBack(facts)));
  }

  private void giveBack(byte[] facts) {
    Charged charged = charged(ByteBuffer.wrap(facts));
    byte[][] held =
        IntStream.range(0, charged.keys.length)
            .filter(line -> LimitRecord.isInFlight(charged.records[line]))
            .mapToObj(line -> charged.keys[line])
            .toArray(byte[][]::new);
    // Another gateway may hold them, which then renews them in vain.
    amends.release(charged.holder, held, Times.STORES_OWN);
  }

  @Override
  public CompletableFuture<Optional<LongConsumer>> settle(String id) {
    return patiently(id, 'S', Duration.ZERO)
        .thenApply(
            facts ->
                facts.length == 0 ? Optional.empty() : Optional.of(cost -> settle(facts, cost)));
  }

  private void settle(byte[] facts, long costPermits) {
    ByteBuffer in = ByteBuffer.wrap(facts);
    Charged charged = charged(in);
    long more = costPermits - in.getLong();
    int[] lines =
        IntStream.range(0, charged.keys.length)
            .filter(line -> isSettled(charged.records[line], more))
            .toArray();
    amends.settle(charged, lines, more, Times.STORES_OWN);
  }

  private static boolean isSettled(byte[] record, long more) {
    return more != 0
        && !LimitRecord.isInFlight(record)
        && (more > 0 || !LimitRecord.isNode(record));
  }

  @Override
  public CompletableFuture<OptionalLong> renew(String id, Duration hold) {
    return patiently(id, 'N', hold).thenApply(RedisTickets::micros);
  }

  @Override
  public CompletableFuture<OptionalLong> left(String id) {
    return patiently(id, 'E', Duration.ZERO).thenApply(RedisTickets::micros);
  }

  private static OptionalLong micros(byte[] reply) {
    return reply.length == 0
        ? OptionalLong.empty()
        : OptionalLong.of(1_000 * Long.parseLong(new String(reply, StandardCharsets.US_ASCII)));
  }

  private CompletableFuture<byte[]> patiently(String id, char verb, Duration hold) {
    return ask(id, verb, hold, new byte[0]).orTimeout(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
  }

  private CompletableFuture<byte[]> ask(String id, char verb, Duration hold, byte[] facts) {
    byte[][] key = {(prefix + ":1:{" + id + "}:decision").getBytes(StandardCharsets.UTF_8)};
    if (!isAsked.test(key[0])) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("the store's server gives no answers"));
    }
    // Up, so that nothing ends before its time.
    long holdMillis = hold.plusNanos(999_999).toMillis();
    byte[] head =
        (verb + " " + holdMillis + " " + Tickets.LIFE.toMillis() + "\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] argument = ByteBuffer.allocate(head.length + facts.length).put(head).put(facts).array();
    return store.call(script, key, argument).toCompletableFuture();
  }

  /** What was charged in the store, and under which holder: read back by {@link #charged}. */
  private static byte[] facts(Receipt receipt) {
    List<Integer> lines = new ArrayList<>();
    Charged charged = receipt.note() instanceof Charged found ? found : NOTHING;
    int bytes = Wire.HOLDER_BYTES + 2 * Long.BYTES + Integer.BYTES;
    for (int line = 0; line < charged.keys.length; line++) {
      if (!charged.isLocal[line]) {
        lines.add(line);
        bytes += Integer.BYTES + charged.keys[line].length + LimitRecord.BYTES + Long.BYTES;
      }
    }
    ByteBuffer out = ByteBuffer.allocate(bytes);
    out.put(charged.holder);
    out.putLong(charged.revision);
    out.putInt(lines.size());
    for (int line : lines) {
      out.putInt(charged.keys[line].length).put(charged.keys[line]);
      out.put(charged.records[line]).putLong(charged.marks[line]);
    }
    return out.putLong(receipt.costPermits()).array();
  }

  /** Reads all but the cost, which comes next. */
  private static Charged charged(ByteBuffer in) {
    byte[] holder = new byte[Wire.HOLDER_BYTES];
    in.get(holder);
    long revision = in.getLong();
    int size = in.getInt();
    byte[][] keys = new byte[size][];
    byte[][] records = new byte[size][LimitRecord.BYTES];
    long[] marks = new long[size];
    for (int line = 0; line < size; line++) {
      keys[line] = new byte[in.getInt()];
      in.get(keys[line]).get(records[line]);
      marks[line] = in.getLong();
    }
    return new Charged(keys, records, marks, new Asked.Ask(holder, revision));
  }
}
