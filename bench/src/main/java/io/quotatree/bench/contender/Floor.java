package io.quotatree.bench.contender;

import io.quotatree.bench.load.Load;
import io.quotatree.bench.load.Names;
import io.quotatree.core.policy.NameHashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What no limiter of this kind can do without: four keyed hashes of names, four lines of memory
 * loaded, the clock read, four words swapped. Nothing is decided; no tag is compared.
 *
 * <p>The memory is as large as ours: a slot of two words for each subject at 70% load, four slots a
 * line.
 */
final class Floor implements Contender<Names, Floor.Scratch> {

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int WORDS_PER_LINE = 8;
  private static final int LINES = (Load.USERS + Load.CALLERS + Load.APIS + 1) * 10 / 7 / 4;
  private static final String NODE = "gateway-01";

  private final long[] words = new long[LINES * WORDS_PER_LINE];

  /** The places of four words, and what was loaded from them. */
  static final class Scratch {
    final NameHashing hash = new NameHashing();
    long sum;
  }

  @Override
  public Names request(Names names) {
    return names;
  }

  @Override
  public int read(Names names) {
    return names.read();
  }

  @Override
  public Scratch scratch() {
    return new Scratch();
  }

  @Override
  public boolean decide(Names names, Scratch scratch) {
    int node = place(scratch.hash, 1, NODE);
    int caller = place(scratch.hash, 2, names.caller());
    int user = place(scratch.hash, 3, names.user());
    int api = place(scratch.hash, 4, names.path());
    scratch.sum += tag(node) + tag(caller) + tag(user) + tag(api);
    long wordOfNode = state(node);
    long wordOfCaller = state(caller);
    long wordOfUser = state(user);
    long wordOfApi = state(api);
    long now = System.nanoTime();
    boolean swapped = swap(user, wordOfUser, now);
    swapped &= swap(caller, wordOfCaller, now);
    swapped &= swap(api, wordOfApi, now);
    swapped &= swap(node, wordOfNode, now);
    // Two threads are in each other's way at times; nobody tries again.
    return swapped || scratch.sum >= 0;
  }

  private static int place(NameHashing hash, int kind, String name) {
    hash.of(kind, name);
    int line = (int) (((hash.second() >>> Integer.SIZE) * LINES) >>> Integer.SIZE);
    return line * WORDS_PER_LINE + ((int) hash.first() & 3) * 2;
  }

  private long tag(int place) {
    return (long) WORD.getAcquire(words, place);
  }

  private long state(int place) {
    return (long) WORD.getAcquire(words, place + 1);
  }

  private boolean swap(int place, long expected, long now) {
    return WORD.compareAndSet(words, place + 1, expected, now);
  }
}
