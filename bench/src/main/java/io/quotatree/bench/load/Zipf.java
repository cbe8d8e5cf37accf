package io.quotatree.bench.load;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Draws ranks from 0, each with a weight of one over its place: Zipf's law with s = 1. */
final class Zipf {

  private final double[] sums;

  Zipf(int size) {
    sums = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += weight(i);
      sums[i] = sum;
    }
  }

  static double weight(int rank) {
    return 1.0 / (rank + 1);
  }

  int draw(SplittableRandom random) {
    double at = random.nextDouble() * sums[sums.length - 1];
    int found = Arrays.binarySearch(sums, at);
    return Math.min(sums.length - 1, found < 0 ? -found - 1 : found);
  }
}
