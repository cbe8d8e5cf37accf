package io.quotatree.core.memory;

import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.time.Moment;
import java.util.Arrays;

/**
 * A plan being executed. Kept with a verdict and reused, so that executing allocates nothing; its
 * references are written only where they change, as those of a {@link Place} are.
 */
final class Execution {

  private static final int USUAL_STEPS = 8;

  Plan plan = new Plan();
  Moment moment = new Moment();
  Verdict verdict = new Verdict();
  Figures.Known known = Figures.Known.NONE;
  long costPermits;
  final Cell.Look look = new Cell.Look();

  /** By place in the plan. */
  private Place[] places = {};

  /** Read for nothing but to have it near: see {@link WordCounters#touch}. */
  long touched;

  Execution() {
    grow(USUAL_STEPS);
  }

  private void grow(int steps) {
    int kept = places.length;
    places = Arrays.copyOf(places, steps);
    for (int i = kept; i < steps; i++) {
      places[i] = new Place(i);
    }
  }

  void begin(Plan of, Moment at, Verdict into, Figures.Known by) {
    if (plan != of) {
      plan = of;
    }
    if (moment != at) {
      moment = at;
    }
    if (verdict != into) {
      verdict = into;
    }
    if (known != by) {
      known = by;
    }
    // A request of cost 0 is decided as one of cost 1, and charges nothing.
    costPermits = Math.max(1, of.costPermits());
    if (of.size() > places.length) {
      grow(2 * of.size());
    }
    for (int i = 0; i < of.size(); i++) {
      places[i].begin(of, by);
    }
  }

  /** How many limits the plan has. */
  int size() {
    return plan.size();
  }

  Place place(int index) {
    return places[index];
  }

  /** Whether a place's counter is one word. */
  boolean isWord(Place place) {
    return plan.step(place.index).wordAlgorithm() != null;
  }

  long now(WordAlgorithm algorithm) {
    return moment.micros(algorithm.onWindowTime());
  }
}
