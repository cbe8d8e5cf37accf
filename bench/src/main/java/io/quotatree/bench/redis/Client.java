package io.quotatree.bench.redis;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** A client that has a limiter decide, one request after the other or many at a time. */
final class Client {

  /** Decisions that are under way at a time. */
  static final int SLOTS = 32;

  private static final long PATIENCE_SECONDS = 10;

  private final String name;
  private final Calls calls;
  private final int requests;
  private final BlockingQueue<Integer> free = new ArrayBlockingQueue<>(SLOTS);

  /** Calls of each slot's decision that are not answered; whoever answers the last frees it. */
  private final AtomicIntegerArray open = new AtomicIntegerArray(SLOTS);

  /** What went wrong first; any thread writes it. */
  private final AtomicReference<@Nullable String> wrong = new AtomicReference<>();

  private int at;

  Client(String name, Calls calls, int requests) {
    this.name = name;
    this.calls = calls;
    this.requests = requests;
    for (int slot = 0; slot < SLOTS; slot++) {
      free.add(slot);
    }
  }

  /** Makes decisions as long as there should be more than so many; answers how many were made. */
  long run(Way way, LongPredicate more) {
    return way == Way.WAITING ? runWaiting(more) : runPipelined(more);
  }

  private int next() {
    at = at + 1 == requests ? 0 : at + 1;
    return at;
  }

  private long runWaiting(LongPredicate more) {
    long made = 0;
    for (; more.test(made); made++) {
      int request = next();
      for (int call = 0; call < calls.perDecision(); call++) {
        if (!calls.make(request, call)) {
          throw new IllegalStateException(name + " does not grant what its limits are wide for");
        }
      }
    }
    return made;
  }

  private long runPipelined(LongPredicate more) {
    long made = 0;
    for (; more.test(made); made++) {
      begin(next(), freeSlot());
    }
    for (int i = 0; i < SLOTS; i++) {
      freeSlot();
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      free.add(slot);
    }
    return made;
  }

  private int freeSlot() {
    Integer slot;
    try {
      slot = free.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    String said = wrong.get();
    if (said != null || slot == null) {
      throw new IllegalStateException(name + ": " + (said == null ? "no answers" : said));
    }
    return slot;
  }

  private void begin(int request, int slot) {
    open.set(slot, calls.perDecision());
    for (int call = 0; call < calls.perDecision(); call++) {
      calls
          .begin(request, call, slot)
          .whenComplete((granted, failure) -> answered(slot, granted, failure));
    }
  }

  private void answered(int slot, @Nullable Boolean granted, @Nullable Throwable failure) {
    if (failure != null || !Boolean.TRUE.equals(granted)) {
      wrong.compareAndSet(null, failure == null ? "a wide limit refuses" : failure.toString());
    }
    if (open.decrementAndGet(slot) == 0) {
      free.add(slot);
    }
  }
}
