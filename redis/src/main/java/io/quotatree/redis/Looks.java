package io.quotatree.redis;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Questions about counters that decide nothing: how they stand, and that they be emptied. */
final class Looks {

  private static final byte[] NO_REPLY = {};

  private final Store store;
  private final Scripts scripts;
  private final Wire wire;
  private final Questions questions;

  Looks(Store store, Scripts scripts, Wire wire, Questions questions) {
    this.store = store;
    this.scripts = scripts;
    this.wire = wire;
    this.questions = questions;
  }

  /** Fills the verdict with how the counters of a plan stand. */
  void peek(Plan plan, Verdict verdict, Later later, Asked asked, Times times) {
    Queue<Reply> replies = new ConcurrentLinkedQueue<>();
    Looking looking =
        new Looking(scripts.decide(), asked) {
          @Override
          byte[] argument(int[] places) {
            return wire.look(asked, some(asked.records, places), times);
          }

          @Override
          void answered(int[] places, byte[] reply) {
            replies.add(new Reply(reply, plan, verdict, places));
          }
        };
    looking.ask(
        verdict,
        later,
        none -> {
          replies.forEach(Reply::looked);
          if (asked.local != null) {
            asked.local.tellStandings(verdict);
          }
        });
  }

  /** Empties the counters of a plan, and says how many were in use. */
  void reset(Verdict verdict, Later later, Asked asked, Times times, int emptiedBefore) {
    AtomicInteger emptied = new AtomicInteger(emptiedBefore);
    Looking looking =
        new Looking(scripts.amend(), asked) {
          @Override
          byte[] argument(int[] places) {
            return wire.reset(asked, places, times);
          }

          @Override
          void answered(int[] places, byte[] reply) {
            emptied.addAndGet(Integer.parseInt(new String(reply, StandardCharsets.US_ASCII)));
          }
        };
    looking.ask(verdict, later, none -> verdict.emptied(emptied.get()));
  }

  private abstract class Looking extends Round {

    private final Script script;
    private final Asked asked;
    private Question question;

    @SuppressWarnings("NullAway.Init") // the question is set before anything is sent
    Looking(Script script, Asked asked) {
      super(store, script);
      this.script = script;
      this.asked = asked;
    }

    void ask(Verdict verdict, Later later, Consumer<byte[]> reading) {
      question = questions.begin(verdict, later, reading, () -> {});
      int[] shared = asked.shared();
      if (questions.take(question, some(asked.keys, shared))) {
        begin(bySlot(store, asked.keys, shared));
      }
    }

    @Override
    CompletionStage<byte[]> send(byte[][] keys, byte[] argument) {
      return questions.call(question, script, keys, argument);
    }

    @Override
    byte[][] keys(int[] places) {
      return some(asked.keys, places);
    }

    @Override
    void failed(Throwable failure) {
      questions.failed(question, failure);
    }

    @Override
    void complete() {
      questions.answered(question, NO_REPLY);
    }
  }
}
