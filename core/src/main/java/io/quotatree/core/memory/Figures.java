package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Step;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The figures that counters' words are written in, numbered, so that a slot can say under which
 * limit it was charged, and since which reload.
 *
 * <p>Limits of one revision with the same figures share a number; where a word means the same under
 * every limit of its shape, those of all revisions do. Numbers that neither a policy nor a counter
 * uses are given out again. Reading takes no lock.
 */
final class Figures {

  /** What a policy's steps are numbered with. */
  static final class Known {

    /** Of no policy yet. */
    static final Known NONE = new Known(FORGOTTEN, new int[0]);

    final long revision;

    /** By a step's ordinal; never written once others see it. */
    private final int[] numbers;

    Known(long revision, int[] numbers) {
      this.revision = revision;
      this.numbers = numbers;
    }

    int number(Step step) {
      return numbers[step.ordinal()];
    }
  }

  private record Newest(Policy policy, Known known) {}

  /**
   * Older than all: a request of a forgotten policy leaves every counter in the figures it finds.
   */
  private static final long FORGOTTEN = 0;

  /** Guarded by this object's monitor. */
  private final Map<String, Integer> numbers = new HashMap<>();

  private final BitSet taken = new BitSet();

  /** Policies that somebody still decides by. */
  private final Map<Policy, Known> policies = new WeakHashMap<>();

  private @Nullable QuotaTree newestTree;
  private long revision;

  /** Whether this revision looked for numbers that are free again; it takes a look at all slots. */
  private boolean reclaimed;

  /**
   * By number. Replaced when it grows; an element is written before any slot carries its number.
   */
  private volatile @Nullable WordAlgorithm[] algorithms = new WordAlgorithm[16];

  /** By number: the revision of quotas that it belongs to, or the newest where several share it. */
  private volatile long[] revisions = new long[16];

  private volatile @Nullable Newest newest;

  /** Numbers a policy's steps. Policies of one tree in a row are of one revision. */
  synchronized void adopt(Policy policy, Consumer<BitSet> markUsed) {
    if (!policy.tree().equals(newestTree)) {
      newestTree = policy.tree();
      revision++;
      reclaimed = false;
    }
    Known known = policies.get(policy);
    if (known == null || known.revision != revision) {
      known = numbered(policy, revision, markUsed);
    }
    // From now on it is requests that would wait for it.
    reclaimed = true;
    newest = new Newest(policy, known);
  }

  private Known numbered(Policy policy, long of, Consumer<BitSet> markUsed) {
    int[] ofSteps = new int[policy.steps().size()];
    for (Step step : policy.steps()) {
      if (step.algorithm() instanceof WordAlgorithm algorithm) {
        ofSteps[step.ordinal()] = number(algorithm, of, markUsed);
      }
    }
    Known made = new Known(of, ofSteps);
    policies.put(policy, made);
    return made;
  }

  private int number(WordAlgorithm algorithm, long of, Consumer<BitSet> markUsed) {
    String key = key(algorithm, of);
    Integer known = numbers.get(key);
    int number = known == null ? unused(markUsed) : known;
    if (known == null) {
      numbers.put(key, number);
      taken.set(number);
      put(number, algorithm, of);
    }
    revisions[number] = Math.max(revisions[number], of);
    return number;
  }

  private static String key(WordAlgorithm algorithm, long of) {
    boolean allMeanTheSame = algorithm.figures().equals(algorithm.shape());
    return allMeanTheSame ? algorithm.figures() : algorithm.figures() + "@" + of;
  }

  /** A free number: a near one if there is any, which a slot's tag can hold. */
  private int unused(Consumer<BitSet> markUsed) {
    int number = taken.nextClearBit(0);
    if (number >= Slots.LOOK_ASIDE && !reclaimed) {
      reclaimed = true;
      reclaim(markUsed);
      number = taken.nextClearBit(0);
    }
    if (number >= Slots.MAX_FIGURES) {
      reclaim(markUsed);
      number = taken.nextClearBit(0);
    }
    if (number >= Slots.MAX_FIGURES) {
      throw new IllegalStateException(
          "over "
              + Slots.MAX_FIGURES
              + " different limits in policies that are in use: let some lines share theirs, and let go"
              + " of old policies");
    }
    return number;
  }

  /** Frees the numbers that no counter is written in and no policy knows that can still decide. */
  private void reclaim(Consumer<BitSet> markUsed) {
    BitSet inUse = new BitSet();
    markUsed.accept(inUse);
    for (Known known : policies.values()) {
      for (int used : known.numbers) {
        inUse.set(used);
      }
    }
    numbers.values().removeIf(n -> !inUse.get(n) && revisions[n] < revision);
    taken.clear();
    numbers.values().forEach(taken::set);
  }

  private void put(int number, WordAlgorithm algorithm, long of) {
    @Nullable WordAlgorithm[] grown = algorithms;
    if (number >= grown.length) {
      grown = Arrays.copyOf(grown, Math.max(number + 1, 2 * grown.length));
      revisions = Arrays.copyOf(revisions, grown.length);
    }
    // A number that is given out again forgets the revision that it had.
    revisions[number] = of;
    grown[number] = algorithm;
    algorithms = grown;
  }

  /** What is known of a policy; one that was never adopted counts as older than all. */
  Known known(Policy policy, Consumer<BitSet> markUsed) {
    Newest last = newest;
    return last != null && last.policy == policy ? last.known : older(policy, markUsed);
  }

  private synchronized Known older(Policy policy, Consumer<BitSet> markUsed) {
    Known known = policies.get(policy);
    return known == null ? numbered(policy, FORGOTTEN, markUsed) : known;
  }

  WordAlgorithm algorithm(int number) {
    WordAlgorithm algorithm = algorithms[number];
    if (algorithm == null) {
      throw new IllegalStateException("figures " + number + " were never given out");
    }
    return algorithm;
  }

  /** The revision of quotas that a number belongs to; the newest, where several share it. */
  long revision(int number) {
    return revisions[number];
  }
}
