package io.quotatree.testkit.race;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Threads that begin at the same moment. */
final class Crowd {

  /** More than there are processors, so that some are stopped in the middle. */
  static final int THREADS = 4;

  /** Only so that a hang fails instead of lasting for ever. */
  private static final long HANG_SECONDS = 300;

  private Crowd() {}

  /** What each thread does, given its number. */
  interface Part<T> {
    /** Plays the part. */
    T play(int thread) throws Exception;
  }

  /** Plays a part in each thread, and answers with what they answered. */
  static <T> List<T> all(Part<T> part) {
    return all(THREADS, part);
  }

  /** Plays a part in so many threads, and answers with what they answered. */
  static <T> List<T> all(int threads, Part<T> part) {
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<T>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        parts.add(
            () -> {
              start.await();
              return part.play(thread);
            });
      }
      List<Future<T>> playing = parts.stream().map(executor::submit).toList();
      List<T> answers = new ArrayList<>();
      for (Future<T> one : playing) {
        answers.add(one.get(HANG_SECONDS, TimeUnit.SECONDS));
      }
      return answers;
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed", e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("threads hang", e);
    } finally {
      executor.shutdownNow();
    }
  }

  /** The sum of what each thread answers. */
  static int sum(Part<Integer> part) {
    return all(part).stream().mapToInt(Integer::intValue).sum();
  }

  /** Waits until all of a crowd have come so far. */
  static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(HANG_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("threads hang", e);
    }
  }
}
