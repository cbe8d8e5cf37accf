package io.quotatree.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.engine.Decision;
import io.quotatree.core.policy.Policy;
import io.quotatree.testkit.Limits;
import io.quotatree.testkit.Trees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SparesTest {

  private final Policy policy = policy();
  private final Spares spares = new Spares(policy);

  private static Policy policy() {
    return Policy.compile(Trees.tree(Trees.caller(Limits.tokenBucket("5/s"))), "gateway-01");
  }

  @Test
  void a_decision_that_came_back_is_taken_before_one_is_made() {
    Decision over = spares.take();
    spares.back(over);
    assertThat(spares.take()).isSameAs(over);
    assertThat(spares.take()).isNotSameAs(over);
  }

  @Test
  void a_flood_leaves_a_bounded_number_behind() {
    List<Decision> flood = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      flood.add(spares.take());
    }
    flood.forEach(spares::back);
    Set<Decision> known = new HashSet<>(flood);
    int kept = 0;
    while (known.contains(spares.take())) {
      kept++;
    }
    assertThat(kept).isBetween(1, 256);
  }

  @Test
  void what_was_decided_by_other_quotas_is_let_go() {
    Decision over = spares.take();
    spares.back(over);
    assertThat(spares.of(policy)).isSameAs(spares);
    assertThat(spares.of(policy()).take()).isNotSameAs(over);
  }
}
