package io.quotatree.testkit.race;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.RateLimit;
import io.quotatree.testkit.Stage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What a limit may grant at most, held against grants whose times are known only roughly. */
final class Bounds {

  private Bounds() {}

  /** Counts only grants that were surely within a stretch of time, so that no fault is made up. */
  static void assertKept(RateLimit limit, List<Grant> grants) {
    switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> assertBucket(limit, grants);
      case FIXED_WINDOW -> assertWindows(limit, grants);
      case SLIDING_WINDOW, SLIDING_LOG -> assertAnyPeriod(limit, grants);
    }
  }

  /** b + n·Δt/p in any Δt. */
  private static void assertBucket(RateLimit limit, List<Grant> grants) {
    List<Grant> byEnd = sorted(grants);
    for (Grant first : every(grants, 50)) {
      long within = 0;
      for (Grant last : byEnd) {
        within += last.afterMicros() >= first.afterMicros() ? 1 : 0;
        long micros = last.beforeMicros() - first.afterMicros();
        long most = limit.burstPermits() * limit.rate().periodMicros();
        assertThat(within * limit.rate().periodMicros())
            .isLessThanOrEqualTo(most + Math.max(0, micros) * limit.rate().permits());
      }
    }
  }

  /** n a window; a staggered window's offset only moves the edges, and is tried out. */
  private static void assertWindows(RateLimit limit, List<Grant> grants) {
    long period = limit.rate().periodMicros();
    long start = Stage.START.getEpochSecond() * 1_000_000;
    long offset =
        switch (limit.stagger()) {
          case ALIGNED -> 0;
          case STAGGERED -> Offsets.callersMicros("app", period);
        };
    Map<Long, Long> byWindow = new HashMap<>();
    for (Grant grant : grants) {
      long window = Math.floorDiv(start + grant.afterMicros() - offset, period);
      if (window == Math.floorDiv(start + grant.beforeMicros() - offset, period)) {
        byWindow.merge(window, 1L, Long::sum);
      }
    }
    assertThat(byWindow.values()).allMatch(count -> count <= limit.rate().permits());
  }

  /** n in any p, wherever it starts. */
  private static void assertAnyPeriod(RateLimit limit, List<Grant> grants) {
    for (Grant first : grants) {
      long end = first.afterMicros() + limit.rate().periodMicros();
      long within =
          grants.stream()
              .filter(g -> g.afterMicros() >= first.afterMicros() && g.beforeMicros() < end)
              .count();
      assertThat(within).isLessThanOrEqualTo(limit.rate().permits());
    }
  }

  private static List<Grant> sorted(List<Grant> grants) {
    return grants.stream().sorted(Comparator.comparingLong(Grant::beforeMicros)).toList();
  }

  private static List<Grant> every(List<Grant> grants, int step) {
    List<Grant> sorted = sorted(grants);
    return IntStream.range(0, sorted.size())
        .filter(i -> i % step == 0)
        .mapToObj(sorted::get)
        .toList();
  }
}
