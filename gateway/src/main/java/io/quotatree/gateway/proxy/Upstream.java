package io.quotatree.gateway.proxy;

import io.quotatree.core.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A service behind the gateway: targets that take turns.
 *
 * <p>Safe for use by several threads.
 */
public final class Upstream {

  /** How long an upstream that does not say may take to connect and to answer: as with nginx. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(Upstream.class);

  private static final Ticker CLOCK = Ticker.system();

  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

  private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String name;
  private final List<Target> targets;
  private final Duration timeout;

  /** Counts turns; written by all event loops. A lost or doubled turn would do no harm. */
  private final AtomicInteger turn = new AtomicInteger();

  private final AtomicLong failures = new AtomicLong();

  /** When a failure was logged last; whoever swaps it writes the line. */
  private final AtomicLong loggedNanos = new AtomicLong(CLOCK.monotonicNanos() - LOG_PAUSE_NANOS);

  /**
   * An upstream.
   *
   * @param name what logs call it
   * @param targets at least one
   * @param timeout how long it may take to take a connection, to take in a part of a request's
   *     body, and to begin its answer: each for itself; 1 ms to one day
   */
  public Upstream(String name, List<Target> targets, Duration timeout) {
    this.name = name;
    this.targets = List.copyOf(targets);
    this.timeout = timeout;
    if (this.targets.isEmpty()) {
      throw new IllegalArgumentException(
          "upstream " + name + " has no targets: write one at least");
    }
    if (timeout.toMillis() < 1 || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "upstream " + name + ": a timeout of " + timeout + ": write 1ms to 1day");
    }
  }

  /** What logs call it. */
  public String name() {
    return name;
  }

  /** Its targets, in the order of their turns. */
  public List<Target> targets() {
    return targets;
  }

  /** How long it may take to connect and to answer. */
  public Duration timeout() {
    return timeout;
  }

  /** Notes that a target failed a request; at most one a second reaches the log. */
  void report(Target target, Throwable cause) {
    long failed = failures.incrementAndGet();
    long now = CLOCK.monotonicNanos();
    long last = loggedNanos.get();
    if (now - last >= LOG_PAUSE_NANOS && loggedNanos.compareAndSet(last, now)) {
      log.warn(
          "upstream {}: {} failed: {} ({} failures since start)",
          name,
          target,
          cause.getMessage(),
          failed);
    }
  }

  /** The target whose turn it is. */
  Target next() {
    return targets.get(Math.floorMod(turn.getAndIncrement(), targets.size()));
  }
}
