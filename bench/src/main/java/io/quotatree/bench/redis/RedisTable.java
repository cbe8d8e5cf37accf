package io.quotatree.bench.redis;

import io.quotatree.bench.measure.Middle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The figures of all contenders beside ours, and those of a store that fails. */
public final class RedisTable {

  private final Map<Way, Map<String, List<Turn>>> turns;
  private final List<Survival> survivals;

  RedisTable(Map<Way, Map<String, List<Turn>>> turns, List<Survival> survivals) {
    this.turns = turns;
    this.survivals = survivals;
  }

  /** Our decisions by the second by another's, in the same rounds: more is better. */
  Middle decisionsRatio(Way way, String other) {
    return ratio(way, other, Turn::perSecond);
  }

  /** The store's CPU time for our decision by that for another's: less is better. */
  Middle cpuRatio(Way way, String other) {
    return ratio(way, other, Turn::cpuMicros);
  }

  private Middle ratio(Way way, String other, ToDoubleFunction<Turn> figure) {
    List<Turn> ours = turns(way, Contest.OURS);
    List<Turn> others = turns(way, other);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(ours.size(), others.size()); i++) {
      ratios.add(figure.applyAsDouble(ours.get(i)) / figure.applyAsDouble(others.get(i)));
    }
    return Middle.of(ratios);
  }

  private List<Turn> turns(Way way, String name) {
    return turns.getOrDefault(way, Map.of()).getOrDefault(name, List.of());
  }

  private double middle(Way way, String name, ToDoubleFunction<Turn> figure) {
    return Middle.of(turns(way, name).stream().map(figure::applyAsDouble).toList()).median();
  }

  private Stream<Fault> faults() {
    return Arrays.stream(Fault.values()).filter(fault -> !survivals(fault).isEmpty());
  }

  private List<Survival> survivals(Fault fault) {
    return survivals.stream().filter(survival -> survival.fault() == fault).toList();
  }

  private Middle middle(Fault fault, ToDoubleFunction<Survival> figure) {
    return Middle.of(survivals(fault).stream().map(figure::applyAsDouble).toList());
  }

  private double most(Fault fault, ToDoubleFunction<Survival> figure) {
    return survivals(fault).stream().mapToDouble(figure).max().orElseThrow();
  }

  private double sum(Fault fault, ToDoubleFunction<Survival> figure) {
    return survivals(fault).stream().mapToDouble(figure).sum();
  }

  /** The table for readers. */
  public String markdown() {
    String contest =
        turns.entrySet().stream()
            .flatMap(way -> way.getValue().keySet().stream().map(name -> row(way.getKey(), name)))
            .collect(Collectors.joining());
    return "| Job | What | Decisions/s | Ours by its | Quartiles | Store's CPU µs/decision"
        + " | Ours by its | Quartiles | Bytes to / from the store | Other figures |\n"
        + "|---|---|---|---|---|---|---|---|---|---|\n"
        + contest
        + faults().map(this::rows).collect(Collectors.joining());
  }

  private String row(Way way, String name) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %.0f | **%.2f** | %s | %.1f | **%.2f** | %s | %.0f / %.0f | |%n",
        way.title(),
        name,
        middle(way, name, Turn::perSecond),
        decisionsRatio(way, name).median(),
        quartiles(decisionsRatio(way, name)),
        middle(way, name, Turn::cpuMicros),
        cpuRatio(way, name).median(),
        quartiles(cpuRatio(way, name)),
        middle(way, name, Turn::bytesIn),
        middle(way, name, Turn::bytesOut));
  }

  private static String quartiles(Middle middle) {
    return String.format(Locale.ROOT, "%.2f–%.2f", middle.low(), middle.high());
  }

  private String rows(Fault fault) {
    String times =
        Arrays.stream(Phase.values())
            .map(phase -> told(fault, phase.title() + ", p99.9", times(fault, phase)))
            .collect(Collectors.joining());
    return times
        + told(fault, "back to exact", back(fault))
        + told(fault, "granted", granted(fault))
        + told(
            fault,
            "answers",
            String.format(
                Locale.ROOT,
                "%.0f of %.0f decisions lost, %.0f unavailable; made without a store that was there:"
                    + " %.0f before, %.0f once back",
                sum(fault, Survival::lost),
                sum(fault, Survival::decisions) + sum(fault, Survival::lost),
                sum(fault, Survival::unavailable),
                sum(fault, Survival::straysBefore),
                sum(fault, Survival::straysAfter)));
  }

  private static String told(Fault fault, String what, String figures) {
    return "| " + fault.title() + " | " + what + " | | | | | | | | " + figures + " |\n";
  }

  private String times(Fault fault, Phase phase) {
    ToDoubleFunction<Survival> tail = survival -> survival.tailMillis(phase);
    return String.format(
        Locale.ROOT,
        "**%.2f** ms, worst round %.2f; longest decision %.2f",
        middle(fault, tail).median(),
        most(fault, tail),
        most(fault, survival -> survival.longestMillis(phase)));
  }

  private String back(Fault fault) {
    return String.format(
        Locale.ROOT,
        "**%.0f** ms after its return, worst round %.0f; for good after %.0f, worst round %.0f",
        middle(fault, Survival::backMillis).median(),
        most(fault, Survival::backMillis),
        middle(fault, Survival::settledMillis).median(),
        most(fault, Survival::settledMillis));
  }

  private String granted(Fault fault) {
    return String.format(
        Locale.ROOT,
        "**%.2f** of the bound, worst round %.2f",
        middle(fault, RedisTable::boundShare).median(),
        most(fault, RedisTable::boundShare));
  }

  private static double boundShare(Survival survival) {
    return (double) survival.granted() / survival.bound();
  }

  /** The same for programs: a list of objects; names need no escapes. */
  public String json() {
    Stream<String> contest =
        turns.entrySet().stream()
            .flatMap(
                way -> way.getValue().keySet().stream().map(name -> object(way.getKey(), name)));
    return Stream.concat(contest, faults().map(this::object))
        .collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
  }

  private String object(Way way, String name) {
    return String.format(
        Locale.ROOT,
        "{\"name\":\"%s\",\"mode\":\"%s\",\"decisions_per_second\":%.0f,\"ratio\":%.3f,"
            + "\"spread\":%.3f,\"store_cpu_micros\":%.2f,\"cpu_ratio\":%.3f,\"cpu_spread\":%.3f,"
            + "\"bytes_in\":%.0f,\"bytes_out\":%.0f}",
        name,
        way.word(),
        middle(way, name, Turn::perSecond),
        decisionsRatio(way, name).median(),
        decisionsRatio(way, name).spread(),
        middle(way, name, Turn::cpuMicros),
        cpuRatio(way, name).median(),
        cpuRatio(way, name).spread(),
        middle(way, name, Turn::bytesIn),
        middle(way, name, Turn::bytesOut));
  }

  private static String millis(double figure) {
    return Double.isInfinite(figure) ? "null" : String.format(Locale.ROOT, "%.1f", figure);
  }

  private String object(Fault fault) {
    String times =
        Arrays.stream(Phase.values())
            .map(
                phase ->
                    String.format(
                        Locale.ROOT,
                        "\"p999_%s_millis\":%.3f,",
                        phase.word(),
                        middle(fault, survival -> survival.tailMillis(phase)).median()))
            .collect(Collectors.joining());
    return String.format(
        Locale.ROOT,
        "{\"name\":\"%s\",\"mode\":\"%s\",%s\"back_millis\":%s,\"settled_millis\":%s,\"bound_share\":%.3f,"
            + "\"lost\":%.0f,\"unavailable\":%.0f}",
        Contest.OURS,
        fault.word(),
        times,
        millis(middle(fault, Survival::backMillis).median()),
        millis(middle(fault, Survival::settledMillis).median()),
        most(fault, RedisTable::boundShare),
        sum(fault, Survival::lost),
        sum(fault, Survival::unavailable));
  }
}
