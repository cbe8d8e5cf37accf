package io.quotatree.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class RedisTableTest {

  private static final long MILLI = 1_000_000;

  private static RedisTable table() {
    Map<String, List<Turn>> turns = new LinkedHashMap<>();
    turns.put(Contest.OURS, List.of(turn(3000, 20), turn(300, 30), turn(2800, 20)));
    turns.put(Contest.FOUR, List.of(turn(1000, 50), turn(150, 60), turn(1000, 40)));
    return new RedisTable(
        Map.of(Way.WAITING, turns),
        List.of(survival(100, 8), survival(300, 9), survival(Double.POSITIVE_INFINITY, 12)));
  }

  private static Turn turn(double perSecond, double cpuMicros) {
    return new Turn(perSecond, cpuMicros, 321, 45);
  }

  private static Survival survival(double backMillis, long granted) {
    Map<Phase, Histogram> nanos = new EnumMap<>(Phase.class);
    for (Phase phase : Phase.values()) {
      Histogram histogram = new Histogram(3);
      histogram.recordValueWithCount(MILLI, 9_999);
      histogram.recordValue(7 * MILLI);
      nanos.put(phase, histogram);
    }
    return new Survival(
        Fault.KILLED, nanos, backMillis, 2 * backMillis, 10_000, granted, 12, 1, 0, 2, 3);
  }

  @Test
  void a_ratio_is_the_middle_of_those_within_rounds() {
    assertThat(table().decisionsRatio(Way.WAITING, Contest.FOUR).median()).isEqualTo(2.8);
    assertThat(table().cpuRatio(Way.WAITING, Contest.FOUR).median()).isEqualTo(0.5, within(1e-9));
  }

  @Test
  void each_contender_has_a_row_and_an_object() {
    assertThat(table().markdown())
        .contains("| one waiting client | quotatree, four calls | 1000 | **2.80** |")
        .contains("| 321 / 45 |");
    assertThat(table().json())
        .contains("{\"name\":\"quotatree, four calls\",\"mode\":\"waiting\"")
        .contains("\"cpu_ratio\":0.500");
  }

  @Test
  void a_failure_is_told_by_its_middle_and_its_worst_round() {
    assertThat(table().markdown())
        .contains("**1.00** ms, worst round 1.00; longest decision 7.0")
        .contains("**300** ms after its return, worst round Infinity; for good after 600")
        .contains("**0.75** of the bound, worst round 1.00")
        .contains("3 of 30003 decisions lost, 0 unavailable")
        .contains("6 before, 9 once back")
        .doesNotContain(Fault.FROZEN.title());
    assertThat(table().json())
        .contains("\"mode\":\"killed\"")
        .contains(
            "\"back_millis\":300.0,\"settled_millis\":600.0,\"bound_share\":1.000,\"lost\":3");
  }

  @Test
  void what_a_store_tells_of_itself_is_read() {
    String told =
        """
        # CPU\r
        used_cpu_sys:1.5\r
        used_cpu_user:2.25\r
        used_cpu_sys_children:9.0\r
        # Stats\r
        total_net_input_bytes:700\r
        total_net_output_bytes:80\r
        """;

    assertThat(StoreMeter.reading(told, 30)).isEqualTo(new StoreMeter.Reading(3.75, 700, 50));
    assertThatThrownBy(() -> StoreMeter.reading("# CPU\r\n", 0))
        .hasMessageContaining("used_cpu_user");
  }
}
