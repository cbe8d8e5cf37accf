package io.quotatree.bench.worker;

import io.quotatree.bench.contender.Contender;
import io.quotatree.bench.load.Load;
import io.quotatree.bench.load.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** A contender made ready for a job, and the threads that let it decide. */
final class Stage<R, S> {

  static final int THREADS = 2;

  private static final int MOST_WARMING = 4;

  /** Whoever needs so much CPU time for the operations asked for was compiled during them. */
  private static final long LONG_WARMING_NANOS = 2_000_000_000;

  private final Contender<R, S> contender;
  private final Load load;
  private final Object[] requests;
  private final List<Hand<R, S>> hands = new ArrayList<>();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
          });

  Stage(Contender<R, S> contender, Load load, int count) {
    this.contender = contender;
    this.load = load;
    this.requests = new Object[load.job().isOfNewUsers() ? 0 : count];
  }

  /** Meets all subjects, and makes all requests. */
  void prepare() {
    if (load.job().isPreloaded()) {
      load.eachUser(this::indebt);
      contender.debtsMade();
      S scratch = contender.scratch();
      load.eachUser(names -> contender.meet(contender.request(names), scratch));
    }
    int[] made = {0};
    load.eachRequest(requests.length, names -> requests[made[0]++] = contender.request(names));
    for (int i = 0; i < THREADS; i++) {
      int from = requests.length / THREADS * i;
      hands.add(new Hand<>(contender, new Feed<>(contender, load, requests, from)));
    }
    Meter.liveBytes();
  }

  private void indebt(Names names) {
    if (names.inDebt()) {
      contender.putInDebt(contender.request(names));
    }
  }

  String turn(int count, long millis) {
    long processBefore = Meter.processCpuNanos();
    long wallBefore = Meter.wallNanos();
    together(count, hand -> hand.until(Meter.wallNanosIn(millis)));
    long wall = Meter.wallNanos() - wallBefore;
    return counted(count)
        + " process="
        + (Meter.processCpuNanos() - processBefore)
        + " wall="
        + wall;
  }

  /** Decides so often, and on until the compiler has nothing more to do; the slow stop earlier. */
  String warm(int count, long operations) {
    long decided = 0;
    long compiled;
    do {
      compiled = Meter.compilationMillis();
      together(count, hand -> hand.times(operations));
      decided += operations;
    } while (Meter.compilationMillis() != compiled
        && decided < MOST_WARMING * operations
        && hands.get(0).cpuNanos < LONG_WARMING_NANOS);
    return counted(count);
  }

  private String counted(int count) {
    long operations = 0;
    long allowed = 0;
    long cpu = 0;
    long bytes = 0;
    for (Hand<R, S> hand : hands.subList(0, count)) {
      operations += hand.operations;
      allowed += hand.allowed;
      cpu += hand.cpuNanos;
      bytes += hand.bytes;
    }
    return "operations=" + operations + " allowed=" + allowed + " cpu=" + cpu + " bytes=" + bytes;
  }

  String sample(int count, long millis) {
    together(count, hand -> hand.sampleUntil(Meter.wallNanosIn(millis)));
    Histogram all = new Histogram(hands.get(0).times());
    all.reset();
    hands.forEach(hand -> all.add(hand.times()));
    return "p50="
        + all.getValueAtPercentile(50)
        + " p99="
        + all.getValueAtPercentile(99)
        + " p999="
        + all.getValueAtPercentile(99.9);
  }

  /** Lets some threads do the same, from the same moment on. */
  private void together(int count, Consumer<Hand<R, S>> work) {
    CyclicBarrier start = new CyclicBarrier(count);
    List<Future<?>> running = new ArrayList<>();
    for (Hand<R, S> hand : hands.subList(0, count)) {
      running.add(
          threads.submit(
              () -> {
                await(start);
                work.accept(hand);
              }));
    }
    for (Future<?> thread : running) {
      try {
        thread.get();
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException("a thread did not come to its end", e);
      }
    }
  }

  private static void await(CyclicBarrier start) {
    try {
      start.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException("threads did not start together", e);
    }
  }

  String fill(int users) {
    S scratch = contender.scratch();
    // All callers and apis first, so that the rest is users alone.
    addUsers(2 * Load.CALLERS, scratch);
    long before = Meter.liveBytes();
    addUsers(users, scratch);
    long after = Meter.liveBytes();
    return "users=" + users + " bytes=" + (after - before);
  }

  private void addUsers(int count, S scratch) {
    for (int i = 0; i < count; i++) {
      contender.meet(contender.request(load.newUser()), scratch);
    }
  }

  String expire(int users) {
    return new Expiry<>(contender, load, requests).run(users);
  }
}
