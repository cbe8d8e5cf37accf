package io.quotatree.bench.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quotatree.bench.gateway.GatewayBench.Turn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GatewayTableTest {

  private static GatewayTable table() {
    Map<String, List<Turn>> turns = new LinkedHashMap<>();
    turns.put(GatewayBench.OURS, List.of(turn(800, 30), turn(100, 60), turn(900, 30)));
    turns.put("nginx", List.of(turn(1000, 20), turn(200, 40), turn(1000, 15)));
    turns.put(GatewayBench.COUNTED, List.of(turn(1, 40), turn(1, 50), turn(1, 20)));
    turns.put(GatewayBench.FREE, List.of(turn(1, 30), turn(1, 49), turn(1, 19)));
    return new GatewayTable(turns);
  }

  private static Turn turn(double perSecond, double cpuMicros) {
    return new Turn(perSecond, cpuMicros);
  }

  @Test
  void a_ratio_is_the_middle_of_those_within_rounds() {
    assertThat(table().requestsRatio("nginx").median()).isEqualTo(0.8);
    assertThat(table().cpuRatio("nginx").median()).isEqualTo(1.5);
  }

  @Test
  void the_share_of_the_limiter_is_what_is_saved_without_it() {
    assertThat(table().limiterShare()).isEqualTo(0.05, within(1e-9));
  }

  @Test
  void each_proxy_has_a_row_and_an_object() {
    assertThat(table().markdown()).contains("| nginx | 1000 | **0.80** |");
    assertThat(table().json()).contains("{\"name\":\"nginx\",\"requests_per_second\":1000");
  }

  @Test
  void what_wrk_says_is_read() {
    Load.Answered answered =
        Load.read(
            "  1234 requests in 2.00s, 0.30MB read\nRequests/sec:    617.25\nTransfer/sec: 1");

    assertThat(answered).isEqualTo(new Load.Answered(1234, 617.25));
    assertThatThrownBy(() -> Load.read("unable to connect")).hasMessageContaining("unable");
  }

  @Test
  void cpu_time_is_read_behind_a_name_with_spaces_and_brackets() {
    String stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 1 2 3 4 250 50 9 9 20 0 1 0 1 1 1";

    assertThat(Server.read(stat)).isEqualTo(3.0, within(1e-9));
  }
}
