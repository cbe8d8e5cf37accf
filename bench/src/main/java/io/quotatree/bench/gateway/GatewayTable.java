package io.quotatree.bench.gateway;

import io.quotatree.bench.gateway.GatewayBench.Turn;
import io.quotatree.bench.measure.Middle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The figures of all proxies beside those of ours. */
public final class GatewayTable {

  private final Map<String, List<Turn>> turns;

  GatewayTable(Map<String, List<Turn>> turns) {
    this.turns = turns;
  }

  /** Our requests by the second by another's, in the same rounds: more is better. */
  Middle requestsRatio(String other) {
    return ratio(GatewayBench.OURS, other, Turn::perSecond);
  }

  /** Our CPU time for a request by another's, in the same rounds: less is better. */
  Middle cpuRatio(String other) {
    return ratio(GatewayBench.OURS, other, Turn::cpuMicros);
  }

  /** The share of our CPU time that deciding takes, and telling of it. */
  double limiterShare() {
    return 1 - ratio(GatewayBench.FREE, GatewayBench.COUNTED, Turn::cpuMicros).median();
  }

  private Middle ratio(String one, String other, ToDoubleFunction<Turn> figure) {
    List<Turn> ones = turns(one);
    List<Turn> others = turns(other);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ones.size(), others.size()); i++) {
      ratios.add(figure.applyAsDouble(ones.get(i)) / figure.applyAsDouble(others.get(i)));
    }
    return Middle.of(ratios);
  }

  private List<Turn> turns(String name) {
    return turns.getOrDefault(name, List.of());
  }

  private double middle(String name, ToDoubleFunction<Turn> figure) {
    return Middle.of(turns(name).stream().map(figure::applyAsDouble).toList()).median();
  }

  /** The table for readers. */
  public String markdown() {
    return "| What | Requests/s | Ours by its | Quartiles | CPU µs/request | Ours by its | Quartiles |\n"
        + "|---|---|---|---|---|---|---|\n"
        + turns.keySet().stream().map(this::row).collect(Collectors.joining())
        + String.format(
            Locale.ROOT,
            "%nDecisions and the fields that tell of them take %.1f%% of our CPU time.%n",
            100 * limiterShare());
  }

  private String row(String name) {
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | **%.2f** | %s | %.1f | **%.2f** | %s |%n",
        name,
        middle(name, Turn::perSecond),
        requestsRatio(name).median(),
        quartiles(requestsRatio(name)),
        middle(name, Turn::cpuMicros),
        cpuRatio(name).median(),
        quartiles(cpuRatio(name)));
  }

  private static String quartiles(Middle middle) {
    return String.format(Locale.ROOT, "%.2f–%.2f", middle.low(), middle.high());
  }

  /** The same for programs: a list of objects; names need no escapes. */
  public String json() {
    return turns.keySet().stream()
        .map(this::object)
        .collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
  }

  private String object(String name) {
    return String.format(
        Locale.ROOT,
        "{\"name\":\"%s\",\"requests_per_second\":%.0f,\"ratio\":%.3f,\"spread\":%.3f,"
            + "\"cpu_micros\":%.2f,\"cpu_ratio\":%.3f,\"cpu_spread\":%.3f}",
        name,
        middle(name, Turn::perSecond),
        requestsRatio(name).median(),
        requestsRatio(name).spread(),
        middle(name, Turn::cpuMicros),
        cpuRatio(name).median(),
        cpuRatio(name).spread());
  }
}
