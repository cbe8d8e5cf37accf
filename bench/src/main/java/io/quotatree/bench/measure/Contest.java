package io.quotatree.bench.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Entrants that are compared with the first of them.
 *
 * <p>Each is alive in a process of its own, warm, and stands still but for its turns. In a round
 * each has one turn, in random order, for each number of threads; what the machine does meanwhile
 * meets all alike, so the ratios within a round say something where times do not.
 */
public final class Contest {

  private final List<Entrant> entrants;
  private final List<Integer> threads;
  private final Effort effort;
  private final Consumer<String> progress;
  private final Random random;
  private final Map<Turn, List<Answer>> turns = new HashMap<>();
  private final Map<Entrant, Answer> samples = new HashMap<>();

  private record Turn(Entrant entrant, int threads) {}

  /**
   * A contest.
   *
   * @param entrants the first is what the others are compared with
   * @param threads numbers of threads, in ascending order
   */
  public Contest(
      List<Entrant> entrants, List<Integer> threads, Effort effort, Consumer<String> progress) {
    this.entrants = List.copyOf(entrants);
    this.threads = List.copyOf(threads);
    this.effort = effort;
    this.progress = progress;
    this.random = new Random(effort.seed());
  }

  /** Runs all rounds. */
  public List<Score> run() {
    Map<Entrant, WorkerProcess> workers = new HashMap<>();
    try {
      progress.accept(entrants.get(0).job().title() + ": preparing " + entrants.size() + " JVMs");
      entrants.forEach(entrant -> workers.put(entrant, WorkerProcess.start(entrant, effort)));
      workers.values().forEach(WorkerProcess::awaitReady);
      for (WorkerProcess worker : workers.values()) {
        threads.forEach(count -> worker.ask("warm " + count + " " + effort.warming()));
      }
      for (int i = -Effort.DISCARDED; i < effort.rounds(); i++) {
        round(workers, i >= 0);
        progress.accept("  round " + Math.max(0, i + 1) + " of " + effort.rounds());
      }
    } finally {
      workers.values().forEach(WorkerProcess::close);
    }
    List<Score> scores = new ArrayList<>();
    for (int count : threads) {
      entrants.forEach(entrant -> scores.add(score(entrant, count)));
    }
    return scores;
  }

  private void round(Map<Entrant, WorkerProcess> workers, boolean counts) {
    List<Entrant> order = new ArrayList<>(entrants);
    for (int count : threads) {
      Collections.shuffle(order, random);
      for (Entrant entrant : order) {
        Answer answer = worker(workers, entrant).ask("turn " + count + " " + Effort.TURN_MILLIS);
        if (counts) {
          turns.computeIfAbsent(new Turn(entrant, count), t -> new ArrayList<>()).add(answer);
        }
      }
    }
    for (Entrant entrant : order) {
      samples.put(
          entrant, worker(workers, entrant).ask("sample 1 " + Effort.TURN_MILLIS / order.size()));
    }
  }

  private static WorkerProcess worker(Map<Entrant, WorkerProcess> workers, Entrant entrant) {
    WorkerProcess worker = workers.get(entrant);
    if (worker == null) {
      throw new IllegalStateException(entrant + " was not started");
    }
    return worker;
  }

  private Score score(Entrant entrant, int count) {
    List<Answer> own = answers(entrant, count);
    Optional<Answer> sample = Optional.ofNullable(samples.get(entrant)).filter(s -> count == 1);
    return new Score(
        entrant.job(),
        entrant.contender(),
        count,
        Middle.of(ratios(entrant, count, Answer::nanosPerOperation)),
        Middle.of(own.stream().map(Answer::nanosPerOperation).toList()),
        Middle.of(ratios(entrant, count, Answer::processNanosPerOperation)),
        speedUp(entrant, count),
        Middle.of(own.stream().map(Answer::allowedShare).toList()).median(),
        Middle.of(own.stream().map(Answer::bytesPerOperation).toList()).median(),
        figure(sample, "p50"),
        figure(sample, "p99"));
  }

  private static OptionalLong figure(Optional<Answer> answer, String name) {
    return answer.map(a -> OptionalLong.of(a.figure(name))).orElse(OptionalLong.empty());
  }

  private List<Answer> answers(Entrant entrant, int count) {
    return turns.getOrDefault(new Turn(entrant, count), List.of());
  }

  private List<Double> ratios(Entrant entrant, int count, ToDoubleFunction<Answer> figure) {
    List<Answer> own = answers(entrant, count);
    List<Answer> first = answers(entrants.get(0), count);
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < own.size(); i++) {
      ratios.add(figure.applyAsDouble(own.get(i)) / figure.applyAsDouble(first.get(i)));
    }
    return ratios;
  }

  private OptionalDouble speedUp(Entrant entrant, int count) {
    List<Answer> one = answers(entrant, 1);
    if (count == 1 || one.isEmpty()) {
      return OptionalDouble.empty();
    }
    List<Answer> many = answers(entrant, count);
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < many.size(); i++) {
      times.add(count * one.get(i).nanosPerOperation() / many.get(i).nanosPerOperation());
    }
    return OptionalDouble.of(Middle.of(times).median());
  }
}
