package io.quotatree.testkit.race;

import static io.quotatree.testkit.Limits.leakyBucket;
import static io.quotatree.testkit.Limits.tokenBucket;
import static io.quotatree.testkit.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.UserLines;
import io.quotatree.core.policy.UserLines.Anonymous;
import io.quotatree.testkit.Stage;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Users whose requests come by two plans at the same time, on a clock that stands: threads that
 * write one counter in the figures of two limits forget nothing of what the others charged.
 */
class PlansRaceTest {

  private static final int USERS = 4_000;
  private static final int LARGE = 20;
  private static final int SMALL = 10;

  /** The large limit and the small one. */
  private record Plans(RateLimit gold, RateLimit silver) {}

  static Stream<Plans> buckets() {
    return Stream.of(
        new Plans(tokenBucket(LARGE + "/h"), tokenBucket(SMALL + "/h")),
        new Plans(leakyBucket(LARGE + "/h", LARGE), leakyBucket(SMALL + "/h", SMALL)));
  }

  @ParameterizedTest
  @MethodSource("buckets")
  void never_more_is_granted_than_the_larger_plan_has(Plans plans) {
    Stage stage = stage(plans);
    AtomicIntegerArray granted = new AtomicIntegerArray(USERS);
    CyclicBarrier nextUser = new CyclicBarrier(Crowd.THREADS);
    Crowd.all(
        thread -> {
          for (int user = 0; user < USERS; user++) {
            Request request = Request.of("app", "u" + user, "GET", "/x");
            Crowd.meet(nextUser);
            for (int i = 0; i < LARGE; i++) {
              String plan = (thread + i) % 2 == 0 ? "gold" : "silver";
              granted.addAndGet(user, stage.allowed(request.withPlan(plan), 1));
            }
          }
          return 0;
        });
    for (int user = 0; user < USERS; user++) {
      assertThat(granted.get(user)).as("user %d", user).isEqualTo(LARGE);
    }
  }

  private static Stage stage(Plans plans) {
    Map<String, Quota> quotas =
        Map.of("gold", Quota.of(plans.gold()), "silver", Quota.of(plans.silver()));
    return new Stage(
        tree(t -> t.withUser(new UserLines(null, null, quotas, Anonymous.NONE))),
        ticker -> new MemoryLedger());
  }
}
