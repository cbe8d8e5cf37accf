package io.quotatree.redis;

import io.quotatree.core.ledger.Later;
import io.quotatree.core.ledger.Verdict;
import io.quotatree.core.policy.Plan;
import io.quotatree.core.time.Moment;
import io.quotatree.redis.servers.Script;
import io.quotatree.redis.servers.Store;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Has plans decided by the store: by one call, or in a cluster by one for each slot. What the store
 * does not answer is decided without it.
 */
final class Deciding {

  private final Tools tools;

  /**
   * What it works with.
   *
   * @param gateways how many share the store now
   */
  record Tools(
      Store store,
      Script decide,
      Wire wire,
      Questions questions,
      Numbering numbering,
      Amends amends,
      Holders holders,
      Corrections corrections,
      Fallback fallback,
      IntSupplier gateways) {}

  /** Who is to be told, by which quotas, and of what that was asked elsewhere. */
  record Asking(
      KnownPolicy known, Verdict verdict, @Nullable LocalPart local, Later later, Moment moment) {}

  Deciding(Tools tools) {
    this.tools = tools;
  }

  /** What has to be taken back of a late answer that holds nothing. */
  private static void nothing() {}

  /** The store gave no answer. */
  private void fallBack(Plan plan, Asking asking) {
    if (asking.local() != null) {
      asking.local().takeBack();
    }
    tools.fallback.decide(
        plan, asking.known(), tools.gateways.getAsInt(), asking.moment(), asking.verdict());
  }

  /** Asks the store about a plan; who asked is told in any case, once. */
  void ask(Plan plan, Asking asking) {
    KnownPolicy known = asking.known();
    Times times = Times.of(asking.moment());
    if (known.revision.isKnown()) {
      decide(plan, times, asking);
      return;
    }
    // Whoever comes first after a start waits for the revision too, but no longer than for that.
    Question wait =
        tools
            .questions
            .begin(asking.verdict(), asking.later(), reply -> {}, Deciding::nothing)
            .without(() -> fallBack(plan, asking));
    if (!tools.questions.take(wait, tools.numbering.keys())) {
      return;
    }
    tools.questions.awaits(wait, tools.numbering.keys()[0]);
    CompletionStage<?> unused =
        tools
            .numbering
            .number(known.revision, times)
            .whenComplete(
                (number, failure) -> {
                  tools.questions.heard(wait, tools.numbering.keys()[0], failure);
                  if (failure != null) {
                    tools.questions.failed(wait, failure);
                  } else if (wait.handOver()) {
                    decide(plan, times, asking);
                  }
                });
  }

  private void decide(Plan plan, Times times, Asking asking) {
    KnownPolicy known = asking.known();
    Verdict verdict = asking.verdict();
    byte[] holder = Asked.mayHold(plan) ? tools.holders.fresh() : Wire.NO_HOLDER;
    Asked asked =
        new Asked(plan, known, asking.local(), new Asked.Ask(holder, known.revision.number()));
    verdict.scratch(asked);
    if (tools.store.isSpread()) {
      decideBySlots(plan, asked, times, asking);
      return;
    }
    Question question =
        tools
            .questions
            .begin(
                verdict,
                asking.later(),
                reply -> decided(reply, plan, asking, asked),
                asked.mayHold
                    ? () -> tools.corrections.releaseAll(asked, times)
                    : Deciding::nothing)
            .without(() -> fallBack(plan, asking));
    tools.questions.ask(
        question, tools.decide, asked.keys, tools.wire.decide(asked, plan.costPermits(), times));
  }

  private void decided(byte[] bytes, Plan plan, Asking asking, Asked asked) {
    Reply reply = new Reply(bytes, plan, asking.verdict());
    reply.decided(asked);
    end(plan, asking, asked, reply.windowMicros());
  }

  /** All limits are told. */
  private void end(Plan plan, Asking asking, Asked asked, long storesWindowMicros) {
    Verdict verdict = asking.verdict();
    if (asked.local != null) {
      asked.local.endWith(plan, verdict);
    }
    Moment moment = asking.moment();
    tools.fallback.follow(plan, verdict, moment, storesWindowMicros - moment.windowMicros());
    byte[][] held = Corrections.held(plan, verdict, asked);
    if (held.length > 0) {
      tools.holders.hold(asked.holder, held);
    }
  }

  private void decideBySlots(Plan plan, Asked asked, Times times, Asking asking) {
    SplitDecision split =
        new SplitDecision(
            new SplitDecision.Tools(
                tools.store, tools.decide, tools.wire, tools.questions, tools.amends),
            plan,
            asking.verdict(),
            asked,
            times,
            windowMicros -> end(plan, asking, asked, windowMicros));
    Question question =
        tools
            .questions
            .begin(asking.verdict(), asking.later(), split::read, split::abandon)
            .without(
                () -> {
                  // What others charged waits for no late reply of one that is away.
                  split.abandon();
                  fallBack(plan, asking);
                });
    if (tools.questions.take(question, split.keys())) {
      split.ask(question);
    }
  }
}
