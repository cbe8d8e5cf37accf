package io.quotatree.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Moment;
import io.quotatree.testkit.Trees;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Counters come, go and come again in one segment of the slot table, whatever it does meanwhile to
 * make room: clear what was dropped, grow, and give memory back.
 *
 * <p>Requests in flight are counted, one a key, since such a counter may be dropped as soon as its
 * permit is back.
 */
class SlotTableTest {

  private static final Policy POLICY =
      Policy.compile(
          Trees.tree(Trees.caller(Quota.of(Allowance.UNLIMITED).withConcurrency(1))), "gw-1");

  private static final Moment NOW = new Moment();
  private static final int KEYS = 20_000;

  private final Figures figures = new Figures();
  private final WordCounters counters = new WordCounters(figures, new Room());
  private final Figures.Known known;
  private final Plan plan = new Plan();
  private final Verdict verdict = new Verdict();
  private final Execution run = new Execution();
  private final long[] names = new SplittableRandom(7).longs(KEYS).toArray();
  private final BitSet held = new BitSet();

  SlotTableTest() {
    figures.adopt(POLICY, bits -> {});
    known = figures.known(POLICY, bits -> {});
    POLICY.plan(Request.of("c", "u", "GET", "/"), plan);
  }

  private Place place(int key) {
    verdict.begin(plan, NOW);
    run.begin(plan, NOW, verdict, known);
    Place place = run.place(0);
    // One segment for all.
    place.use(names[key] & (-1L << Integer.SIZE), names[key], place.number);
    return place;
  }

  private boolean ask(Execution asking) {
    return counters.ask(asking, asking.place(0), asking.place(0).word(plan));
  }

  private boolean charge(Execution asked) {
    return counters.charge(asked, asked.place(0), asked.place(0).word(plan));
  }

  private void acquire(int key) {
    place(key);
    boolean granted = ask(run) && charge(run);
    if (granted == held.get(key)) {
      throw new AssertionError(
          "key " + key + " is held: " + held.get(key) + ", granted: " + granted);
    }
    held.set(key);
  }

  private void release(int key) {
    counters.release(run, place(key));
    held.clear(key);
  }

  private int slots() {
    return Slots.size(counters.segment(0).slots());
  }

  @Test
  void a_counter_is_found_whatever_is_dropped_around_it() {
    SplittableRandom random = new SplittableRandom(11);
    for (int phase = 0; phase < 60; phase++) {
      // Some phases of many keys, some of few; some that fill, some that empty.
      int keys = 1 << random.nextInt(4, 14);
      double acquiring = random.nextDouble(0.2, 0.8);
      for (int i = 0; i < 5_000; i++) {
        int key = random.nextInt(keys);
        if (random.nextDouble() < acquiring) {
          acquire(key);
        } else if (held.get(key)) {
          release(key);
        }
        if (random.nextInt(2_000) == 0) {
          counters.sweep(0, NOW);
        }
      }
    }
    held.stream().forEach(this::acquire);
  }

  @Test
  void users_who_come_and_go_are_served_by_the_slots_there_are() {
    for (int key = 0; key < 500; key++) {
      acquire(key);
    }
    int enough = 2 * slots();
    for (int key = 500; key < KEYS; key++) {
      release(key - 500);
      acquire(key);
      assertThat(slots()).isLessThanOrEqualTo(enough);
    }
  }

  @Test
  void memory_is_given_back_once_few_are_left() {
    for (int key = 0; key < KEYS; key++) {
      acquire(key);
    }
    int most = slots();
    for (int key = 100; key < KEYS; key++) {
      release(key);
    }
    counters.sweep(0, NOW);
    assertThat(slots()).isLessThan(most / 4);
    for (int key = 0; key < 100; key++) {
      acquire(key);
    }
  }

  @Test
  void what_was_asked_before_its_segment_grew_is_charged_where_it_is_now() {
    acquire(0);
    release(0);
    Execution asked = asked(0);
    int before = slots();
    for (int key = 1; key < 5_000; key++) {
      acquire(key);
    }
    assertThat(slots()).isGreaterThan(before);
    assertThat(charge(asked)).isTrue();
    held.set(0);
    held.stream().forEach(this::acquire);
  }

  @Test
  void what_was_asked_before_its_segment_shrank_is_charged_where_it_is_now() {
    for (int key = 0; key < KEYS; key++) {
      acquire(key);
    }
    List<Execution> asked = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      release(key);
      if (key < 100) {
        asked.add(asked(key));
      }
    }
    int before = slots();
    counters.sweep(0, NOW);
    assertThat(slots()).isLessThan(before);
    for (int key = 0; key < asked.size(); key++) {
      assertThat(charge(asked.get(key))).isTrue();
      held.set(key);
    }
    held.stream().forEach(this::acquire);
  }

  @Test
  void a_word_is_never_taken_for_that_of_the_key_before() {
    long[] slots = Slots.of(1, 1);
    int at = Slots.at(2);
    int keys = 2_000_000;
    CompletableFuture<Void> comingAndGoing =
        CompletableFuture.runAsync(
            () -> {
              for (int key = 1; key <= keys; key++) {
                Slots.stateTake(slots, at);
                Slots.tagRelease(slots, at, Slots.tag((long) key << Byte.SIZE, 0));
                Slots.stateRelease(slots, at, key);
              }
            });
    while (!comingAndGoing.isDone()) {
      long tag = Slots.tagAcquire(slots, at);
      long word = Slots.word(slots, at, tag);
      if (word >= 0 && word != tag >>> Byte.SIZE) {
        throw new AssertionError("the word of key " + word + " for key " + (tag >>> Byte.SIZE));
      }
    }
    comingAndGoing.join();
  }

  @Test
  void what_a_slot_has_aside_is_its_own() {
    long[] slots = Slots.of(5, 1);
    for (int number = 0; number < Slots.size(slots); number++) {
      Slots.aside(slots, Slots.at(number), Slots.MAX_FIGURES - 1 - number, 1_000 + number);
    }
    // Once more, so that a neighbour's would have been written over.
    Slots.aside(slots, Slots.at(6), 300, 7);
    for (int number = 0; number < Slots.size(slots); number++) {
      int at = Slots.at(number);
      assertThat(Slots.figuresAside(slots, at))
          .isEqualTo(number == 6 ? 300 : Slots.MAX_FIGURES - 1 - number);
      assertThat(Slots.owner(slots, at)).isEqualTo(number == 6 ? 7 : 1_000 + number);
      assertThat(Slots.tagAcquire(slots, at)).isEqualTo(Slots.EMPTY);
      assertThat(Slots.stateAcquire(slots, at)).isZero();
    }
  }

  /** A request for a key that was granted, and is not charged yet. */
  private Execution asked(int key) {
    Execution other = new Execution();
    Verdict its = new Verdict();
    its.begin(plan, NOW);
    other.begin(plan, NOW, its, known);
    Place place = place(key);
    other.place(0).use(place.key1, place.key2, place.number);
    assertThat(ask(other)).isTrue();
    return other;
  }
}
