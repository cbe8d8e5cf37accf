package io.quotatree.http;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Origin;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.limit.Wait;
import java.util.List;
import java.util.Optional;

/** Limits as decisions report them, for tests that need no limiter. */
final class TestLimits {

  static final long SECOND = 1_000_000;
  static final long MINUTE = 60 * SECOND;
  static final long HOUR = 60 * MINUTE;

  private TestLimits() {}

  static LimitState rate(
      Layer layer,
      String subject,
      long permits,
      long periodMicros,
      long remaining,
      long resetMicros,
      long waitMicros,
      boolean ambiguous) {
    return new LimitState(
        layer,
        subject,
        Optional.of(RateLimit.of(AlgorithmName.FIXED_WINDOW, Rate.of(permits, periodMicros))),
        permits,
        permits,
        remaining,
        new Wait(resetMicros),
        new Wait(waitMicros),
        Origin.code("test"),
        ambiguous);
  }

  static LimitState inFlight(Layer layer, String subject, long permits, boolean ambiguous) {
    return new LimitState(
        layer,
        subject,
        Optional.empty(),
        permits,
        permits,
        0,
        new Wait(SECOND),
        new Wait(SECOND),
        Origin.code("test"),
        ambiguous);
  }

  static LimitState blocked(Layer layer, String subject) {
    return new LimitState(
        layer,
        subject,
        Optional.empty(),
        0,
        0,
        0,
        new Wait(0),
        Wait.NEVER,
        Origin.code("test"),
        false);
  }

  static Refusal refusal(LimitState told, LimitState... refusing) {
    List<LimitState> all = refusing.length == 0 ? List.of(told) : List.of(refusing);
    Wait longest = all.stream().map(LimitState::retryAfter).max(Wait::compareTo).orElseThrow();
    return new Refusal(told, all, longest);
  }
}
