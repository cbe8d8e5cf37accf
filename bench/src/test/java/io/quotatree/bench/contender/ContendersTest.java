package io.quotatree.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.bench.load.Job;
import io.quotatree.bench.load.Load;
import io.quotatree.bench.load.Names;
import io.quotatree.core.policy.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ContendersTest {

  private static final Names IN_DEBT = new Names("app-00001", "u-00000001", Names.path(1), true);
  private static final Names OTHER = new Names("app-00001", "u-00000002", Names.path(1), false);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "quotatree",
        "map-of-atomics",
        "caffeine-of-atomics",
        "bucket4j-caffeine",
        "resilience4j",
        "guava-caffeine",
        "sentinel-tuned"
      })
  void every_limiter_refuses_users_in_debt_and_nobody_else(String name) {
    requireDebtsKept(Contenders.of(name, Job.HALF));
  }

  private static <R, S> void requireDebtsKept(Contender<R, S> contender) {
    contender.putInDebt(contender.request(IN_DEBT));
    contender.debtsMade();
    S scratch = contender.scratch();
    contender.meet(contender.request(OTHER), scratch);

    for (int i = 0; i < 100; i++) {
      assertThat(contender.decide(contender.request(IN_DEBT), scratch)).isFalse();
      assertThat(contender.decide(contender.request(OTHER), scratch)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"quotatree", "caffeine-of-atomics", "bucket4j-caffeine", "guava-caffeine"})
  void a_user_never_seen_before_is_allowed(String name) {
    requireNewUsersAllowed(Contenders.of(name, Job.CHURN), new Load(Job.CHURN, 1));
  }

  private static <R, S> void requireNewUsersAllowed(Contender<R, S> contender, Load load) {
    S scratch = contender.scratch();
    for (int i = 0; i < 100; i++) {
      assertThat(contender.decide(contender.request(load.newUser()), scratch)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Job.class,
      names = {"PLAN_SMALL", "PLAN_WIDE"})
  void a_plan_has_a_limit_of_each_layer(Job job) {
    PlanAlone plan = new PlanAlone(job);
    Plan made = plan.scratch();

    new Load(job, 1)
        .eachRequest(
            1_000,
            names -> {
              plan.decide(plan.request(names), made);
              assertThat(made.size()).isEqualTo(4);
            });
  }

  @Test
  void a_contender_that_there_is_not_is_named() {
    assertThatThrownBy(() -> Contenders.of("bucket5j", Job.PASS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bucket5j");
  }
}
