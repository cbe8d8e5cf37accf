package io.quotatree.gateway.server;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.time.Ticker;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of a gateway as a whole, asked before anything is known of a request: what they turn
 * away has cost next to nothing, and touches no quota.
 *
 * <p>Safe for use by several threads; asking allocates nothing and takes no lock. Bounds that are
 * not set are not counted.
 */
public final class Guard {

  /** One without bounds. */
  static final Guard OPEN =
      new Guard(new Bounds(null, Integer.MAX_VALUE, Integer.MAX_VALUE), Ticker.system());

  private static final long NANOS_PER_MICRO = 1_000;

  private final Bounds bounds;
  private final Ticker ticker;
  private final @Nullable WordAlgorithm bucket;

  /**
   * The bucket's state. Every request that asks swaps it in; a failed swap means that another
   * request was counted meanwhile, and the question is asked again of what that one left. The word
   * is all there is, so no other memory hangs on the order.
   */
  private final AtomicLong bucketWord = new AtomicLong();

  /** Requests under way; each adds itself first and looks then, so there are never too many. */
  private final AtomicInteger inFlight = new AtomicInteger();

  private final Map<Bound, LongAdder> keptOutBy = new EnumMap<>(Bound.class);

  /** What a guard may bound. */
  public enum Bound {
    /** Requests per time. */
    RATE("rate"),
    /** Requests that are under way at the same time. */
    IN_FLIGHT("in_flight"),
    /** Connections of clients that are open at the same time. */
    CONNECTIONS("connections");

    private final String word;

    Bound(String word) {
      this.word = word;
    }

    /** The word that files and metrics use. */
    public String word() {
      return word;
    }
  }

  /**
   * The bounds.
   *
   * @param rate of requests, by a bucket that holds one period's; null for none
   * @param inFlight requests under way, 1 or more; {@link Integer#MAX_VALUE} for no bound
   * @param connections of clients, 1 or more; {@link Integer#MAX_VALUE} for no bound
   */
  public record Bounds(@Nullable Rate rate, int inFlight, int connections) {

    /** Refuses bounds that let nobody in. */
    public Bounds {
      if (inFlight < 1 || connections < 1) {
        throw new IllegalArgumentException(
            "a guard of "
                + inFlight
                + " requests and "
                + connections
                + " connections: write 1 or more of each");
      }
    }
  }

  /** A guard whose rate runs on the given clock. */
  public Guard(Bounds bounds, Ticker ticker) {
    this.bounds = bounds;
    this.ticker = ticker;
    Rate rate = bounds.rate();
    this.bucket =
        rate == null
            ? null
            : (WordAlgorithm) Algorithm.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, rate));
    if (bucket != null) {
      bucketWord.set(bucket.fresh(nowMicros(), 0));
    }
    for (Bound bound : Bound.values()) {
      keptOutBy.put(bound, new LongAdder());
    }
  }

  private long nowMicros() {
    return ticker.monotonicNanos() / NANOS_PER_MICRO;
  }

  /** Lets a request in, which then has to {@link #leave}; or answers which bound keeps it out. */
  @Nullable Bound enter() {
    if (bounds.inFlight() != Integer.MAX_VALUE && inFlight.incrementAndGet() > bounds.inFlight()) {
      inFlight.decrementAndGet();
      return keptOut(Bound.IN_FLIGHT);
    }
    if (bucket != null && !charge(bucket)) {
      leave();
      return keptOut(Bound.RATE);
    }
    return null;
  }

  private boolean charge(WordAlgorithm algorithm) {
    long now = nowMicros();
    while (true) {
      long word = bucketWord.get();
      long charged = algorithm.charged(word, now, 1);
      if (charged == WordAlgorithm.REFUSED) {
        return false;
      }
      if (bucketWord.compareAndSet(word, charged)) {
        return true;
      }
    }
  }

  /** A request that was let in is over. */
  void leave() {
    if (bounds.inFlight() != Integer.MAX_VALUE) {
      inFlight.decrementAndGet();
    }
  }

  /** Whether a connection may stay beside so many others. */
  boolean takesConnection(int others) {
    if (others < bounds.connections()) {
      return true;
    }
    keptOut(Bound.CONNECTIONS);
    return false;
  }

  private Bound keptOut(Bound by) {
    counter(by).increment();
    return by;
  }

  private LongAdder counter(Bound bound) {
    LongAdder count = keptOutBy.get(bound);
    if (count == null) {
      throw new IllegalStateException("no count of " + bound);
    }
    return count;
  }

  /** How many requests or connections a bound has kept out so far. */
  public long keptOutBy(Bound bound) {
    return counter(bound).sum();
  }
}
