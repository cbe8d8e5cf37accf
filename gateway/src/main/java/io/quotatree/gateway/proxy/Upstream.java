package io.quotatree.gateway.proxy;

import io.quotatree.core.time.Ticker;
import io.quotatree.observe.UpstreamMeters;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A service behind the gateway: targets that take turns, but for those that failed a while ago. Who
 * is left out, and for how long, is told in {@link Seat}; a target that stands alone never is.
 *
 * <p>Safe for use by several threads.
 */
public final class Upstream {

  /** How long an upstream that does not say may take to connect and to answer: as with nginx. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(Upstream.class);

  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(1);

  private static final long LOG_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final String name;
  private final List<Seat> seats;
  private final Duration timeout;
  private final Watch watch;

  /** Counts turns; written by all event loops. A lost or doubled turn would do no harm. */
  private final AtomicInteger turn = new AtomicInteger();

  private final AtomicLong failures = new AtomicLong();

  /** When a failure was logged last; whoever swaps it writes the line. */
  private final AtomicLong loggedNanos;

  /**
   * How an upstream is watched.
   *
   * @param ticker tells how long a target has been left out
   * @param meters count what it does
   */
  public record Watch(Ticker ticker, UpstreamMeters meters) {
    /** Refuses missing parts. */
    public Watch {
      Objects.requireNonNull(ticker, "ticker");
      Objects.requireNonNull(meters, "meters");
    }
  }

  /**
   * An upstream.
   *
   * @param name what logs call it
   * @param targets at least one
   * @param timeout how long it may take to take a connection, to take in a part of a request's
   *     body, and to begin its answer: each for itself; 1 ms to one day
   * @param watch how it is watched
   */
  public Upstream(String name, List<Target> targets, Duration timeout, Watch watch) {
    this.name = name;
    this.seats = targets.stream().map(Seat::new).toList();
    this.timeout = timeout;
    this.watch = watch;
    this.loggedNanos = new AtomicLong(watch.ticker().monotonicNanos() - LOG_PAUSE_NANOS);
    if (seats.isEmpty()) {
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
    return seats.stream().map(Seat::target).toList();
  }

  /** How long it may take to connect and to answer. */
  public Duration timeout() {
    return timeout;
  }

  /** The target whose turn it is; where all are left out, whose turn it would be. */
  Seat next() {
    int first = turn.getAndIncrement();
    if (seats.size() == 1) {
      return seats.get(0);
    }
    Seat seat = among(first, Set.of());
    return seat == null ? at(first) : seat;
  }

  /**
   * The target to try after others failed the same request; null where all were tried. Those that
   * are left out come last: better one of them than none.
   *
   * @param tried the others
   */
  @Nullable Seat another(Set<Seat> tried) {
    int first = turn.getAndIncrement();
    Seat seat = among(first, tried);
    for (int i = 0; seat == null && i < seats.size(); i++) {
      seat = tried.contains(at(first + i)) ? null : at(first + i);
    }
    if (seat != null) {
      watch.meters().retried();
    }
    return seat;
  }

  /** Counts a further try of a target that failed the same request before. */
  void retriedSame() {
    watch.meters().retried();
  }

  private @Nullable Seat among(int first, Set<Seat> tried) {
    long now = watch.ticker().monotonicNanos();
    for (int i = 0; i < seats.size(); i++) {
      Seat seat = at(first + i);
      if (!tried.contains(seat) && seat.takes(now)) {
        return seat;
      }
    }
    return null;
  }

  private Seat at(int turnNumber) {
    return seats.get(Math.floorMod(turnNumber, seats.size()));
  }

  /** Whether there is but one target. */
  boolean isAlone() {
    return seats.size() == 1;
  }

  /** Notes that a target answered. */
  void answered(Seat seat, int status) {
    watch.meters().answered(status);
    if (seat.worked()) {
      tellOut();
      log.info("upstream {}: {} answers again", name, seat.target());
    }
  }

  /** Notes that a target brought no answer, and leaves it out if that was its fault. */
  void failed(Seat seat, UpstreamFailure failure, Throwable cause) {
    if (failure.blamesTarget() && !isAlone() && seat.failed(watch.ticker().monotonicNanos())) {
      tellOut();
    }
    brokeOff(seat, failure, cause);
  }

  /**
   * Notes that a target's answer broke off: as with nginx, one that began to answer is not left
   * out. At most one such line a second reaches the log.
   */
  void brokeOff(Seat seat, UpstreamFailure failure, Throwable cause) {
    watch.meters().failed(failure.kind());
    long failed = failures.incrementAndGet();
    long now = watch.ticker().monotonicNanos();
    long last = loggedNanos.get();
    if (now - last >= LOG_PAUSE_NANOS && loggedNanos.compareAndSet(last, now)) {
      log.warn(
          "upstream {}: {} failed: {} ({} failures since start)",
          name,
          seat.target(),
          cause.getMessage(),
          failed);
    }
  }

  private void tellOut() {
    watch.meters().targetsOut((int) seats.stream().filter(Seat::isOut).count());
  }
}
