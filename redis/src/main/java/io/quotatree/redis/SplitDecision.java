package io.quotatree.redis;

import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.policy.Step;
import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/**
 * A decision whose counters are spread over the slots of a cluster, which no one script can reach.
 *
 * <p>The slots of the node, the groups and the apis are asked at the same time, and each charges
 * what it grants. Then the caller's slot is asked, and told what the others said: so it charges as
 * one script for all would, and nothing where another has refused. In the end it is known what the
 * whole plan comes to, and what others charged beyond that is given back at once.
 *
 * <pre>
 *     node   charge ──┐                    ┌── stays, or is given back
 *     api    charge ──┼─► caller: charge ──┤
 *     group  charge ──┘   (or only look)   └── stays, or is given back
 * </pre>
 *
 * <p>Never too much: whatever is granted in the end was charged everywhere before. Until a charge
 * is given back, one round trip, others may be refused for its sake. What each slot charges
 * contains what the whole comes to: a slot by itself sees fewer refusals, and in loose accounting
 * later ones. So there is nothing left to charge, only to give back.
 *
 * <p>Where a call fails, or the time is over, all that was charged is given back, also of calls
 * that are answered later.
 */
final class SplitDecision {

  private static final byte[] NO_REPLY = {};

  private final Tools tools;
  private final Plan plan;
  private final Verdict verdict;

  /** The plan's limits: late replies come when it is another request's. */
  private final Step[] steps;

  private final long costPermits;
  private final Asked asked;
  private final Times times;
  private final LongConsumer ended;

  /** Of each limit whether it grants, once that is known. Written by the threads of replies. */
  private final boolean[] grants;

  /** Limits whose answers are known to the calls of the round that goes on. */
  private boolean[] known;

  /** What was charged and neither given back nor handed over; guarded by this object's monitor. */
  private final boolean[] charged;

  /** Replies and the places they are about; guarded by this object's monitor. */
  private final List<Part> parts = new ArrayList<>();

  /** True once nobody waits for the decision any more; guarded by this object's monitor. */
  private boolean dead;

  /** What a ledger asks with. */
  record Tools(Store store, Script script, Wire wire, Questions questions, Amends amends) {}

  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Part(int[] covered, byte[] reply) {}

  /** The question that this is about; set before it is sent. */
  private Question question;

  /**
   * A decision that is to be asked.
   *
   * @param ended is told of the store's time when the verdict is filled
   */
  @SuppressWarnings("NullAway.Init") // the question is set by whoever asks it
  SplitDecision(
      Tools tools, Plan plan, Verdict verdict, Asked asked, Times times, LongConsumer ended) {
    this.tools = tools;
    this.plan = plan;
    this.verdict = verdict;
    this.asked = asked;
    this.times = times;
    this.ended = ended;
    this.steps = IntStream.range(0, plan.size()).mapToObj(plan::step).toArray(Step[]::new);
    this.costPermits = plan.costPermits();
    this.grants = new boolean[steps.length];
    this.known = new boolean[steps.length];
    this.charged = new boolean[steps.length];
    for (int i = 0; i < steps.length; i++) {
      if (asked.local != null && asked.isLocal(i)) {
        known[i] = true;
        grants[i] = asked.local.grants(i);
      }
    }
  }

  /** Fills the verdict, when all is known; the reply that it is given is none. */
  void read(byte[] none) {
    int refusal = refusal();
    boolean isRefused = refusal < steps.length;
    long windowMicros = 0;
    synchronized (this) {
      for (Part part : parts) {
        Reply reply = new Reply(part.reply, plan, verdict, part.covered);
        reply.decided(asked, isRefused);
        windowMicros = reply.windowMicros();
      }
    }
    for (int i = 0; i < steps.length; i++) {
      if (asked.local != null && asked.isLocal(i)) {
        asked.local.tell(i, verdict);
        if (!isRefused && asked.local.holds(i)) {
          verdict.hold(i);
        }
      }
    }
    if (isRefused) {
      verdict.refusedBy(refusal);
    }
    ended.accept(windowMicros);
  }

  /** The first enforced limit that refuses; the plan's size where none does. */
  private int refusal() {
    int at = 0;
    while (at < steps.length && (grants[at] || steps[at].isShadow())) {
      at++;
    }
    return at;
  }

  /** The keys that the store is asked about. */
  byte[][] keys() {
    return Round.some(asked.keys, asked.shared());
  }

  /** Asks; the question was taken in. */
  void ask(Question about) {
    question = about;
    List<int[]> ofOthers = new ArrayList<>();
    List<int[]> ofCaller = new ArrayList<>();
    for (int[] group : Round.bySlot(tools.store, asked.keys, asked.shared())) {
      boolean isCallers = Arrays.stream(group).anyMatch(i -> steps[i].isOwn());
      (isCallers ? ofCaller : ofOthers).add(group);
    }
    if (ofOthers.isEmpty()) {
      askCaller(ofCaller);
    } else {
      new Stage(() -> askCaller(ofCaller)).begin(ofOthers);
    }
  }

  private void askCaller(List<int[]> ofCaller) {
    if (ofCaller.isEmpty()) {
      end();
      return;
    }
    boolean[] isCallers = new boolean[steps.length];
    ofCaller.forEach(group -> Arrays.stream(group).forEach(i -> isCallers[i] = true));
    boolean[] all = new boolean[steps.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = !isCallers[i];
    }
    known = all;
    new Stage(this::end).begin(ofCaller);
  }

  /**
   * All is known: what stays charged is handed over, the rest given back, and whoever asked told.
   */
  private void end() {
    int refusal = refusal();
    int before = refusal < steps.length ? firstOfLayer(refusal) : steps.length;
    boolean isRefused = refusal < steps.length;
    // Only the others' slots have charged what a refusal does not leave.
    giveBack(i -> isRefused && !(steps[i].isLoose() && i < before), tools.amends::correct);
    tools.questions.answered(question, NO_REPLY);
  }

  private int firstOfLayer(int refusal) {
    Layer layer = steps[refusal].layer();
    int at = 0;
    while (steps[at].layer() != layer) {
      at++;
    }
    return at;
  }

  /** Nobody waits any more: all that was charged goes back, now and whenever it is told. */
  void abandon() {
    synchronized (this) {
      dead = true;
    }
    // The caller's own may be among them.
    giveBack(i -> true, tools.amends::settle);
  }

  private interface Giving {
    void back(Charged charged, int[] lines, long morePermits, Times times);
  }

  private void giveBack(IntPredicate some, Giving giving) {
    int[] lines;
    synchronized (this) {
      lines = IntStream.range(0, charged.length).filter(i -> charged[i] && some.test(i)).toArray();
      IntStream.of(lines).forEach(i -> charged[i] = false);
    }
    int[] rates = IntStream.of(lines).filter(i -> !asked.isInFlight[i]).toArray();
    if (rates.length > 0) {
      Charged back = new Charged(asked, rates);
      int[] all = IntStream.range(0, rates.length).toArray();
      giving.back(back, all, -costPermits, times);
    }
    byte[][] flights =
        IntStream.of(lines)
            .filter(i -> asked.isInFlight[i])
            .mapToObj(i -> asked.keys[i])
            .toArray(byte[][]::new);
    tools.amends.release(asked.holder, flights, times);
  }

  /** What a call charged, as the script decides that from what it was told. */
  private void noteCharges(int[] places, int[] covered, byte[] reply) {
    int refusal = 0;
    while (refusal < covered.length
        && (Reply.grants(reply, refusal) || step(covered, refusal).isShadow())) {
      refusal++;
    }
    int before = refusal;
    while (before < covered.length
        && before > 0
        && step(covered, before - 1).layer() == step(covered, refusal).layer()) {
      before--;
    }
    for (int nth = 0; nth < covered.length; nth++) {
      int i = covered[nth];
      if (Arrays.binarySearch(places, i) < 0) {
        continue;
      }
      grants[i] = Reply.grants(reply, nth);
      asked.marks[i] = Reply.mark(reply, nth, steps[i].algorithm());
      boolean stays = refusal == covered.length || (steps[i].isLoose() && nth < before);
      charged[i] = grants[i] && stays && costPermits > 0;
    }
  }

  private Step step(int[] covered, int nth) {
    return steps[covered[nth]];
  }

  /** Calls at the same time, none of which knows what the others say. */
  private final class Stage extends Round {

    private final Runnable next;

    Stage(Runnable next) {
      super(tools.store, tools.script);
      this.next = next;
    }

    /** The limits of a call: its own, and those whose answers it is told, in the plan's order. */
    private int[] covered(int[] places) {
      return IntStream.range(0, steps.length)
          .filter(i -> known[i] || Arrays.binarySearch(places, i) >= 0)
          .toArray();
    }

    /** A limit that is only told of needs a key too, and of this slot: one of those asked for. */
    @Override
    byte[][] keys(int[] places) {
      return IntStream.of(covered(places))
          .mapToObj(i -> asked.keys[known[i] ? places[0] : i])
          .toArray(byte[][]::new);
    }

    @Override
    byte[] argument(int[] places) {
      byte[][] records =
          IntStream.of(covered(places))
              .mapToObj(
                  i -> known[i] ? LimitRecord.answered(steps[i], grants[i]) : asked.records[i])
              .toArray(byte[][]::new);
      return tools.wire.decide(asked, records, costPermits, times);
    }

    @Override
    CompletionStage<byte[]> send(byte[][] keys, byte[] argument) {
      return tools.questions.call(question, tools.script, keys, argument);
    }

    @Override
    void answered(int[] places, byte[] reply) {
      int[] covered = covered(places);
      if (reply.length != Reply.HEAD_BYTES + covered.length * Reply.LIMIT_BYTES) {
        failed(new IllegalStateException("another program answers there"));
        return;
      }
      boolean isInVain;
      synchronized (SplitDecision.this) {
        noteCharges(places, covered, reply);
        parts.add(
            new Part(
                IntStream.of(covered)
                    .map(i -> Arrays.binarySearch(places, i) < 0 ? Reply.ELSEWHERE : i)
                    .toArray(),
                reply));
        isInVain = dead || !question.isOpen();
      }
      if (isInVain) {
        abandon();
      }
    }

    @Override
    void failed(Throwable failure) {
      abandon();
      tools.questions.failed(question, failure);
    }

    @Override
    void complete() {
      if (question.isOpen()) {
        next.run();
      } else {
        abandon();
      }
    }
  }
}
