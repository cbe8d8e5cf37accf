package io.quotatree.bench.worker;

import io.quotatree.bench.contender.Contender;
import io.quotatree.bench.load.Load;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/**
 * Users by the million who come, are forgotten after some seconds, and are followed by others,
 * while another thread decides the usual requests.
 *
 * <p>Each decision of both threads is timed twice: by the wall, which on a busy machine shows
 * whenever the thread was put aside or the collector ran, and by the thread's own CPU time, which
 * shows what the limiter itself did.
 */
final class Expiry<R, S> {

  private static final int PIECE = 4096;

  /** Users are forgotten after five seconds; the rest is for tidying. */
  private static final long FORGOTTEN_MILLIS = 10_000;

  private final Contender<R, S> contender;
  private final Load load;
  private final Object[] requests;
  private final Timed adding = new Timed();
  private final Timed traffic = new Timed();

  Expiry(Contender<R, S> contender, Load load, Object[] requests) {
    this.contender = contender;
    this.load = load;
    this.requests = requests;
  }

  /** The times of one thread's decisions. */
  private static final class Timed {
    final Histogram wall = new Histogram(3);
    final Histogram cpu = new Histogram(3);
  }

  String run(int users) {
    S scratch = contender.scratch();
    decideAll(Feed.PIECE * 16, scratch, new Timed());
    long before = Meter.liveBytes();
    AtomicBoolean over = new AtomicBoolean();
    AtomicLong decided = new AtomicLong();
    Thread other = new Thread(() -> decided.set(traffic(over)));
    long collectedBefore = collectionMillis();
    other.start();
    add(users, scratch);
    untilForgotten();
    add(users, scratch);
    over.set(true);
    long collected = collectionMillis() - collectedBefore;
    join(other);
    long peak = Meter.liveBytes();
    untilForgotten();
    long after = Meter.liveBytes();
    return told("add", adding)
        + told("traffic", traffic)
        + ("collections=" + collected + " decided=" + decided.get())
        + (" before=" + before + " peak=" + peak + " after=" + after);
  }

  /** Tidies meanwhile, as often as it does anything. */
  private void untilForgotten() {
    long end = Meter.wallNanosIn(FORGOTTEN_MILLIS);
    while (Meter.wallNanos() - end < 0) {
      contender.tidy();
      Thread.onSpinWait();
    }
  }

  private static String told(String name, Timed timed) {
    return name
        + "-p99="
        + timed.wall.getValueAtPercentile(99)
        + " "
        + name
        + "-p999="
        + timed.wall.getValueAtPercentile(99.9)
        + " "
        + name
        + "-longest="
        + timed.wall.getMaxValue()
        + " "
        + name
        + "-longest-cpu="
        + timed.cpu.getMaxValue()
        + " ";
  }

  private void add(int users, S scratch) {
    Object[] piece = new Object[PIECE];
    for (int added = 0; added < users; added += PIECE) {
      for (int i = 0; i < PIECE; i++) {
        piece[i] = contender.request(load.newUser());
      }
      decideTimed(piece, 0, scratch, adding);
    }
  }

  private long traffic(AtomicBoolean over) {
    S scratch = contender.scratch();
    long decided = 0;
    for (int at = 0; !over.get(); at = (at + PIECE) % requests.length) {
      decideTimed(requests, at, scratch, traffic);
      decided += PIECE;
    }
    return decided;
  }

  private void decideAll(int count, S scratch, Timed into) {
    for (int at = 0; at < Math.min(count, requests.length); at += PIECE) {
      decideTimed(requests, at, scratch, into);
    }
  }

  @SuppressWarnings("unchecked")
  private void decideTimed(Object[] from, int at, S scratch, Timed into) {
    for (int i = at; i < at + PIECE; i++) {
      long cpu = Meter.cpuNanos();
      long wall = Meter.wallNanos();
      contender.decide((R) from[i], scratch);
      into.wall.recordValue(Math.max(0, Meter.wallNanos() - wall));
      into.cpu.recordValue(Math.max(0, Meter.cpuNanos() - cpu));
    }
  }

  private static long collectionMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the traffic did not come to its end", e);
    }
  }
}
