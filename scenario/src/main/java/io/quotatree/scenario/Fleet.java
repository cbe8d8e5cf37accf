package io.quotatree.scenario;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * The gateways of a running scenario, their common ledger and their time.
 *
 * <p>Not safe for several threads: one scenario, one thread.
 */
final class Fleet {

  /** How many requests lie between two tellings of progress. */
  private static final int PROGRESS_STRIDE = 1 << 16;

  private final ManualTicker ticker;
  private final LongConsumer progress;
  private final Map<String, Limiter> gateways = new LinkedHashMap<>();
  private final Map<String, List<Holding>> held = new HashMap<>();
  private Duration now = Duration.ZERO;

  Fleet(Scenario scenario, Ledger ledger, LongConsumer progress) {
    this.ticker = new ManualTicker(scenario.start());
    this.progress = progress;
    // All at the start: gateways that share a ledger must count their time from the same moment.
    for (Step step : scenario.steps()) {
      if (step instanceof Step.Send send) {
        gateways.computeIfAbsent(
            send.instance(),
            node -> new Limiter(Policy.compile(scenario.quotas(), node), ledger, ticker));
      }
    }
  }

  /** Takes a step at its time, and answers which expectations it left unmet. */
  List<Expectation.Unmet> take(Step step) {
    ticker.advance(step.heading().at().minus(now));
    now = step.heading().at().plus(step.lasts());
    if (step instanceof Step.Send send) {
      return unmet(send, send(send));
    } else if (step instanceof Step.Release release) {
      held.getOrDefault(release.id(), List.of()).forEach(Holding::release);
    } else if (step instanceof Step.Reload reload) {
      gateways.forEach((node, limiter) -> limiter.use(Policy.compile(reload.quotas(), node)));
    } else if (step instanceof Step.Clock clock) {
      ticker.stepWall(clock.step());
      gateways.values().forEach(Limiter::noticeClock);
    }
    return List.of();
  }

  private Aspect.Sent send(Step.Send send) {
    Limiter limiter = Objects.requireNonNull(gateways.get(send.instance()), send.instance());
    Sending sending = new Sending(send, limiter);
    sending.next();
    for (int sent = 1; sent < send.times(); sent++) {
      ticker.advance(send.every());
      sending.next();
      if (sent % PROGRESS_STRIDE == 0) {
        progress.accept(PROGRESS_STRIDE);
      }
    }
    progress.accept((send.times() - 1) % PROGRESS_STRIDE + 1L);
    return sending.sent();
  }

  private static List<Expectation.Unmet> unmet(Step.Send send, Aspect.Sent sent) {
    List<Expectation.Unmet> unmet = new ArrayList<>();
    for (Expectation expectation : send.expected()) {
      String came = expectation.aspect().came(sent);
      if (!came.equals(expectation.value())) {
        unmet.add(new Expectation.Unmet(expectation, came));
      }
    }
    return unmet;
  }

  private record Holding(Limiter limiter, Decision decision) {
    void release() {
      limiter.release(decision);
    }
  }

  /** The requests of one step, and what came of them so far. */
  private final class Sending {
    private final Step.Send step;
    private final Limiter limiter;
    private final List<Holding> holdings = new ArrayList<>();
    // Two decisions serve a step without holds: one is filled, the other keeps the last refusal.
    private Decision current = new Decision();
    private Decision refusal = new Decision();
    private long allowed;
    private long refused;
    private long wouldRefuse;

    Sending(Step.Send step, Limiter limiter) {
      this.step = step;
      this.limiter = limiter;
      step.permits().id().ifPresent(id -> held.put(id, holdings));
    }

    void next() {
      if (current.holding()) {
        current = new Decision();
      }
      limiter.decide(step.request(), current);
      if (current.outcome() == Outcome.UNAVAILABLE) {
        throw new UnavailableException(step);
      }
      if (current.outcome() != Outcome.ALLOWED) {
        refused++;
        Decision spare = refusal;
        refusal = current;
        current = spare;
        return;
      }
      allowed++;
      wouldRefuse += current.wouldRefuse() ? 1 : 0;
      if (step.permits().held() == Step.Held.UNTIL_ANSWERED) {
        limiter.release(current);
      } else if (current.holding()) {
        holdings.add(new Holding(limiter, current));
      }
    }

    Aspect.Sent sent() {
      return new Aspect.Sent(allowed, refused, wouldRefuse, refused > 0 ? refusal : current);
    }
  }
}
