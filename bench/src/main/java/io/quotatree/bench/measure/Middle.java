package io.quotatree.bench.measure;

import java.util.Collection;

/**
 * The middle of some figures and how far they spread.
 *
 * @param median half of the figures are at most this
 * @param low a quarter of them is at most this
 * @param high a quarter of them is at least this
 */
public record Middle(double median, double low, double high) {

  /** The middle of at least one figure. */
  public static Middle of(Collection<Double> figures) {
    if (figures.isEmpty()) {
      throw new IllegalArgumentException("no figures have a middle");
    }
    double[] sorted = figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return new Middle(at(sorted, 0.5), at(sorted, 0.25), at(sorted, 0.75));
  }

  /** Between two neighbours, in proportion. */
  private static double at(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(sorted.length - 1, below + 1);
    if (place == below || sorted[above] == sorted[below]) {
      // Also where one is infinite.
      return sorted[below];
    }
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** From the lower quartile to the upper. */
  public double spread() {
    return high - low;
  }
}
