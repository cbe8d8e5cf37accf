package io.quotatree.redis.fleet;

import io.quotatree.core.time.Ticker;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces this gateway in the store each second, and learns how many gateways live.
 *
 * <p>Who was not heard of for three seconds of the store's time is gone; who stops cleanly is gone
 * at once. Each answer tells when the first of the others would end, and where that is before the
 * next second it is asked again just then: so everybody knows within three seconds.
 *
 * <p>While the store gives no answers the number stays what it was. When it is back, others may not
 * have announced themselves yet, so for two seconds the number only grows.
 *
 * <p>Safe for use by several threads.
 */
public final class Fleet implements AutoCloseable {

  /** How long a gateway lives after it was heard of, in microseconds. */
  public static final long HOLD_MICROS = 3_000_000;

  private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);

  /**
   * Each second at least, and somewhat before: what an answer confirms may be relied on for a
   * second, so that the next has to come within it.
   */
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

  /** Answers that are further apart than this were missing. */
  private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

  private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long GOODBYE_MILLIS = 200;

  private final LongFunction<CompletionStage<byte[]>> announcing;
  private final Ticker ticker;
  private final ScheduledExecutorService timer;
  private final IntConsumer counted;

  private static final int IDLE = 0;
  private static final int AWAITED = 1;
  private static final int AWAITED_AND_WANTED = 2;

  /** Whether an answer is awaited: a silent store is not asked again and again. */
  private final AtomicInteger underWay = new AtomicInteger(IDLE);

  /** Written by whoever reads an answer, one at a time. */
  private volatile int gateways = 1;

  private volatile boolean closed;

  // Read and written with each answer, of which there is one at a time:
  private long answeredNanos;
  private long settledNanos;

  /**
   * A fleet of which nothing is known yet.
   *
   * @param announcing says to the store that this gateway lives for so many microseconds, or with 0
   *     that it goes; the answer is how many live, a blank, and in how many microseconds the first
   *     of the others ends
   * @param counted is told when the number changes, on the timer's thread
   */
  public Fleet(
      LongFunction<CompletionStage<byte[]>> announcing,
      Ticker ticker,
      ScheduledExecutorService timer,
      IntConsumer counted) {
    this.announcing = announcing;
    this.ticker = ticker;
    this.timer = timer;
    this.counted = counted;
    this.answeredNanos = ticker.monotonicNanos();
    this.settledNanos = answeredNanos;
  }

  /** Begins to announce this gateway. */
  public void join() {
    Future<?> unused =
        timer.scheduleAtFixedRate(this::announce, 0, EVERY_NANOS, TimeUnit.NANOSECONDS);
  }

  /** How many gateways live, this one included, as far as the store told. */
  public int gateways() {
    return gateways;
  }

  /**
   * Says that this gateway lives, for the sake of an answer that is given from now on: where one is
   * awaited, which may be older, once more after that.
   */
  public void announceNow() {
    if (!underWay.compareAndSet(AWAITED, AWAITED_AND_WANTED)) {
      announce();
    }
  }

  /** Says that this gateway lives, unless that is still on its way. */
  void announce() {
    if (closed || !underWay.compareAndSet(IDLE, AWAITED)) {
      return;
    }
    CompletionStage<?> unused =
        announcing
            .apply(HOLD_MICROS)
            .whenComplete(
                (answer, failure) -> {
                  if (failure == null) {
                    read(answer);
                  }
                  if (underWay.getAndSet(IDLE) == AWAITED_AND_WANTED) {
                    announce();
                  }
                });
  }

  private void read(byte[] answer) {
    int blank = 0;
    while (blank < answer.length && answer[blank] != ' ') {
      blank++;
    }
    long live = number(answer, 0, blank);
    long firstEndMicros = number(answer, blank + 1, answer.length);
    long now = ticker.monotonicNanos();
    if (now - answeredNanos > GAP_NANOS) {
      settledNanos = now + SETTLING_NANOS;
    }
    answeredNanos = now;
    boolean settled = now - settledNanos >= 0;
    count((int) Math.max(1, settled ? live : Math.max(live, gateways)));
    long firstEndNanos = TimeUnit.MICROSECONDS.toNanos(firstEndMicros) + 1_000_000;
    if (firstEndMicros > 0 && firstEndNanos < EVERY_NANOS && !timer.isShutdown()) {
      Future<?> unused = timer.schedule(this::announce, firstEndNanos, TimeUnit.NANOSECONDS);
    }
  }

  private static long number(byte[] text, int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      int digit = text[i] - '0';
      if (digit < 0 || digit > 9) {
        return 0;
      }
      number = Math.min(Integer.MAX_VALUE, 10 * number + digit);
    }
    return number;
  }

  private void count(int live) {
    if (live == gateways || timer.isShutdown()) {
      return;
    }
    LOG.info("gateways that share the store: {}", live);
    gateways = live;
    timer.execute(() -> counted.accept(live));
  }

  /** Says goodbye, so that the others know at once. Waits a moment for that. */
  @Override
  public void close() {
    closed = true;
    try {
      announcing.apply(0).toCompletableFuture().get(GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("The store did not hear that this gateway goes: it will find out", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
