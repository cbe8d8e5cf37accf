package io.quotatree.testkit.trace;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.LedgerClock;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.core.time.Moment;
import io.quotatree.testkit.oracle.OracleDecision;
import io.quotatree.testkit.oracle.OracleLedger;
import io.quotatree.testkit.oracle.OracleMoment;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Plays traces to a ledger and to the reference, and says where the two part first. */
public final class TraceComparison {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final long LATEST_MICROS = Duration.ofDays(365L * 200).toSeconds() * 1_000_000;

  private final ManualTicker ticker = new ManualTicker(START);
  private final LedgerClock clock = new LedgerClock(ticker);
  private final Moment moment = new Moment();
  private final OracleLedger oracle = new OracleLedger();
  private final Map<String, Limiter> limiters = new HashMap<>();
  private final Map<Integer, OracleDecision> expected = new HashMap<>();
  private final Map<Integer, Decision> came = new HashMap<>();
  private final Consumer<OracleDecision> audience;
  private final Optional<Ledger> ledger;
  private QuotaTree tree;
  private Optional<OracleDecision> last = Optional.empty();

  private TraceComparison(
      Trace trace,
      Optional<Function<ManualTicker, Ledger>> ledger,
      Consumer<OracleDecision> audience) {
    this.tree = trace.tree();
    this.audience = audience;
    this.ledger = ledger.map(made -> made.apply(ticker));
    for (String nodeId : Trace.NODE_IDS) {
      this.ledger.ifPresent(l -> limiters.put(nodeId, limiter(nodeId, l)));
    }
  }

  private Limiter limiter(String nodeId, Ledger l) {
    return new Limiter(Policy.compile(tree, nodeId), l, ticker);
  }

  /**
   * Plays a trace to both.
   *
   * @param trace the trace
   * @param ledger makes an empty ledger that lives by the ticker
   * @return the first difference; empty if there is none
   */
  public static Optional<Difference> first(Trace trace, Function<ManualTicker, Ledger> ledger) {
    return new TraceComparison(trace, Optional.of(ledger), decision -> {}).play(trace);
  }

  /** Plays a trace to the reference alone. */
  public static void rehearse(Trace trace, Consumer<OracleDecision> audience) {
    new TraceComparison(trace, Optional.empty(), audience).play(trace);
  }

  private Optional<Difference> play(Trace trace) {
    for (int i = 0; i < trace.steps().size(); i++) {
      Optional<Difference> difference = play(i, trace.steps().get(i));
      if (difference.isPresent()) {
        return difference;
      }
    }
    return Optional.empty();
  }

  private Optional<Difference> play(int place, Step step) {
    if (step instanceof Step.Send send) {
      return send(place, send);
    } else if (step instanceof Step.Release release) {
      release(release);
    } else if (step instanceof Step.Settle settle) {
      return settle(place, settle);
    } else if (step instanceof Step.Reset reset) {
      reset(reset);
    } else if (step instanceof Step.Advance advance) {
      advance(advance.micros());
    } else if (step instanceof Step.Await await) {
      advance(micros(await));
    } else if (step instanceof Step.StepWall wall) {
      ticker.stepWall(Duration.of(wall.micros(), ChronoUnit.MICROS));
    } else if (step instanceof Step.Reload reload) {
      tree = reload.tree();
      limiters.forEach((nodeId, limiter) -> limiter.use(Policy.compile(tree, nodeId)));
    }
    return Optional.empty();
  }

  private Optional<Difference> send(int place, Step.Send send) {
    OracleDecision wanted = oracle.decide(tree, send.nodeId(), send.request(), now());
    expected.put(send.id(), wanted);
    last = Optional.of(wanted);
    audience.accept(wanted);
    Limiter limiter = limiters.get(send.nodeId());
    return limiter == null ? Optional.empty() : compare(place, send, limiter);
  }

  private OracleMoment now() {
    clock.read(moment);
    return new OracleMoment(moment.monotonicMicros(), moment.windowMicros());
  }

  private Optional<Difference> compare(int place, Step.Send send, Limiter limiter) {
    Answer wanted = Answer.of(last.orElseThrow());
    Decision decision = new Decision();
    try {
      limiter.decide(send.request(), decision);
    } catch (RuntimeException e) {
      return Optional.of(new Difference(place, wanted.toString(), e.toString()));
    }
    came.put(send.id(), decision);
    Answer answer = Answer.of(decision);
    return answer.equals(wanted)
        ? looked(place, send.request(), limiter)
        : Optional.of(new Difference(place, wanted.toString(), answer.toString()));
  }

  /** Whoever looks at the subject that the answer told sees what it told. */
  private Optional<Difference> looked(int place, Request request, Limiter limiter) {
    LimitState told = last.orElseThrow().told().orElse(null);
    boolean isPlain = request.plan().isEmpty() && request.proof() == Request.Proof.PROVEN;
    if (told == null || !isPlain || isSession(told)) {
      return Optional.empty();
    }
    List<LimitState> seen = limiter.peek(told.layer(), told.subject());
    return seen.stream().anyMatch(state -> same(state, told))
        ? Optional.empty()
        : Optional.of(new Difference(place, "a look at " + told, seen.toString()));
  }

  private static boolean same(LimitState seen, LimitState told) {
    return seen.subject().equals(told.subject())
        && seen.limit().equals(told.limit())
        && seen.remainingPermits() == told.remainingPermits()
        && seen.reset().equals(told.reset())
        && seen.origin().equals(told.origin());
  }

  private static boolean isSession(LimitState told) {
    return told.subject().contains("/sid:");
  }

  private Optional<Difference> settle(int place, Step.Settle settle) {
    OracleDecision settled = expected.get(settle.id());
    OracleMoment now = now();
    if (settled == null || !oracle.settlesForCertain(settled, now)) {
      return Optional.empty();
    }
    boolean wanted = oracle.settle(settled, settle.costPermits(), now);
    Decision decision = came.get(settle.id());
    if (decision == null) {
      return Optional.empty();
    }
    boolean done = anyLimiter().settle(decision, settle.costPermits());
    return done == wanted
        ? Optional.empty()
        : Optional.of(new Difference(place, "settled " + wanted, "settled " + done));
  }

  private void reset(Step.Reset reset) {
    OracleDecision answer = expected.get(reset.id());
    LimitState told = answer == null ? null : answer.told().orElse(null);
    if (told == null || isSession(told)) {
      return;
    }
    oracle.reset(told.layer(), told.subject());
    limiters.forEach((nodeId, limiter) -> limiter.reset(told.layer(), told.subject()));
  }

  private Limiter anyLimiter() {
    return limiters.values().iterator().next();
  }

  private void release(Step.Release release) {
    OracleDecision ended = expected.get(release.id());
    if (ended == null) {
      return;
    }
    oracle.release(ended);
    Decision decision = came.get(release.id());
    if (decision != null) {
      anyLimiter().release(decision);
    }
  }

  private long micros(Step.Await await) {
    if (last.isEmpty()) {
      return 0;
    }
    long wait =
        await.edge() == Step.Edge.RETRY
            ? last.get().retryAfter().micros()
            : last.get().told().map(told -> told.reset().micros()).orElse(0L);
    return Math.max(0, wait + (wait == Long.MAX_VALUE ? 0 : await.offsetMicros()));
  }

  private void advance(long micros) {
    if (micros <= LATEST_MICROS - ticker.monotonicNanos() / 1000) {
      ticker.advance(Duration.of(micros, ChronoUnit.MICROS));
    }
  }
}
