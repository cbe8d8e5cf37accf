package io.quotatree.testkit.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Choices that a seed makes. */
final class Dice {

  private final SplittableRandom random;

  Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  /** From the first to the last, both included. */
  int between(int first, int last) {
    return random.nextInt(first, last + 1);
  }

  long between(long first, long last) {
    return random.nextLong(first, last + 1);
  }

  <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** About so many percent of the choices, in their order or another. */
  <T> List<T> some(int percent, List<T> choices) {
    List<T> picked = new ArrayList<>();
    for (T choice : choices) {
      if (chance(percent)) {
        picked.add(random.nextInt(picked.size() + 1), choice);
      }
    }
    return picked;
  }

  <T> @Nullable T maybe(int percent, Supplier<T> choice) {
    return chance(percent) ? choice.get() : null;
  }

  <T> List<T> shuffled(List<T> choices) {
    List<T> shuffled = new ArrayList<>();
    for (T choice : choices) {
      shuffled.add(random.nextInt(shuffled.size() + 1), choice);
    }
    return shuffled;
  }
}
