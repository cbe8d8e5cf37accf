package io.quotatree.bench;

import io.quotatree.bench.contender.Contenders;
import io.quotatree.bench.load.Job;
import io.quotatree.bench.measure.Answer;
import io.quotatree.bench.measure.Contest;
import io.quotatree.bench.measure.Effort;
import io.quotatree.bench.measure.Entrant;
import io.quotatree.bench.measure.Score;
import io.quotatree.bench.measure.WorkerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Everything that is measured of the memory ledger. */
final class MemoryBench {

  private static final List<String> PEERS =
      List.of(
          "floor",
          "map-of-atomics",
          "caffeine-of-atomics",
          "bucket4j-caffeine",
          "resilience4j",
          "guava-caffeine",
          "sentinel-tuned");
  private static final List<Integer> ONE = List.of(1);
  private static final List<Integer> ONE_AND_TWO = List.of(1, 2);
  private static final int MILLION = 1_000_000;

  /** Sentinel keeps so many users, and no more. */
  private static final int MOST_OF_SENTINEL = 200_000;

  private final Effort effort;
  private final Optional<Path> before;
  private final Set<String> chosen;
  private final Consumer<String> progress;
  private final List<Score> scores = new ArrayList<>();
  private final List<Score> mainScores = new ArrayList<>();
  private final List<Row> told = new ArrayList<>();
  private final Map<String, Long> bytesPerSubject = new LinkedHashMap<>();

  /**
   * A bench.
   *
   * @param before the core that changes are compared with, if any
   * @param chosen the parts to run; empty for all
   */
  MemoryBench(Effort effort, Optional<Path> before, Set<String> chosen, Consumer<String> progress) {
    this.effort = effort;
    this.before = before;
    this.chosen = chosen;
    this.progress = progress;
  }

  void run() {
    part("bytes", this::bytes);
    part("pass", () -> mainScores.addAll(contest(Job.PASS, PEERS, ONE_AND_TWO)));
    part("half", () -> mainScores.addAll(contest(Job.HALF, PEERS, ONE_AND_TWO)));
    part("churn", () -> scores.addAll(contest(Job.CHURN, evicting(), ONE)));
    part("node", () -> scores.addAll(contest(Job.NODE, List.of("plain-swap"), ONE_AND_TWO)));
    part("storm", () -> scores.addAll(contest(Job.STORM, List.of("map-of-atomics"), ONE_AND_TWO)));
    part("parts", () -> scores.addAll(contest(Job.PASS, parts(), ONE_AND_TWO)));
    part("plan", () -> scores.addAll(plans()));
    part("flood", () -> scores.addAll(floods()));
    part("expire", this::expire);
    part("jmh", () -> told.addAll(SmallParts.run(effort, progress)));
  }

  private void part(String name, Runnable measured) {
    if (chosen.isEmpty() || chosen.contains(name)) {
      measured.run();
    }
  }

  private static List<String> evicting() {
    return List.of("caffeine-of-atomics", "bucket4j-caffeine", "guava-caffeine");
  }

  private static List<String> parts() {
    return List.of(
        "quotatree-nodeless", "quotatree-asked", "plan", "hash", "clock", "strings", "floor");
  }

  private List<Score> contest(Job job, List<String> others, List<Integer> threads) {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(Entrant.of(Contenders.OURS, job));
    before.ifPresent(core -> entrants.add(new Entrant(Contenders.BEFORE, job, Optional.of(core))));
    others.forEach(name -> entrants.add(Entrant.of(name, job)));
    return new Contest(entrants, threads, effort, progress).run();
  }

  private List<Score> plans() {
    List<Entrant> entrants =
        Stream.of(Job.PLAN_SMALL, Job.PLAN_LARGE, Job.PLAN_WIDE)
            .map(job -> Entrant.of("plan", job))
            .toList();
    return new Contest(entrants, ONE, effort, progress).run();
  }

  private List<Score> floods() {
    List<Entrant> entrants =
        Stream.of(Contenders.OURS, "map-of-atomics")
            .flatMap(
                name -> Stream.of(Job.FLOOD_RANDOM, Job.FLOOD).map(job -> Entrant.of(name, job)))
            .toList();
    return new Contest(entrants, ONE, effort, progress).run();
  }

  private void bytes() {
    List<String> all = new ArrayList<>(PEERS);
    all.remove("floor");
    all.add(0, Contenders.OURS);
    for (String name : all) {
      int users = name.equals("sentinel-tuned") ? MOST_OF_SENTINEL : MILLION;
      bytesPerSubject.put(name, filled(name, users));
    }
    told(Contenders.OURS, effort.subjects(), filled(Contenders.OURS, effort.subjects()));
  }

  private long filled(String name, int users) {
    progress.accept(name + ": bytes of " + users + " live subjects");
    Answer answer = alone(name, Job.FILL, "fill " + users);
    long bytes = Math.round((double) answer.figure("bytes") / users);
    if (users != effort.subjects()) {
      told(name, users, bytes);
    }
    return bytes;
  }

  private void told(String name, int users, long bytes) {
    told.add(
        Row.told(Job.FILL.title(), name, Long.toString(bytes), users + " users with a counter"));
  }

  private Answer alone(String name, Job job, String command) {
    try (WorkerProcess worker = WorkerProcess.start(Entrant.of(name, job), effort)) {
      worker.awaitReady();
      return worker.ask(command);
    }
  }

  private void expire() {
    progress.accept("twice " + effort.subjects() + " subjects come and are forgotten");
    Answer answer = alone(Contenders.OURS, Job.EXPIRE, "expire " + effort.subjects());
    told.add(expired(answer, "add", "decisions that add a subject"));
    told.add(expired(answer, "traffic", "usual decisions meanwhile"));
    told.add(
        Row.told(
            Job.EXPIRE.title(),
            Contenders.OURS,
            "",
            String.format(
                "heap before %d MB, at the end of the flood %d MB, after it %d MB;"
                    + " collections took %d ms in all",
                answer.figure("before") / MILLION,
                answer.figure("peak") / MILLION,
                answer.figure("after") / MILLION,
                answer.figure("collections"))));
  }

  private static Row expired(Answer answer, String which, String what) {
    return Row.told(
        Job.EXPIRE.title(),
        Contenders.OURS,
        "",
        String.format(
            "%s: p99 %d ns, p99.9 %d ns, longest %.2f ms by the wall, %.2f ms of its own CPU time",
            what,
            answer.figure(which + "-p99"),
            answer.figure(which + "-p999"),
            answer.figure(which + "-longest") / 1e6,
            answer.figure(which + "-longest-cpu") / 1e6));
  }

  List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    mainScores.forEach(score -> rows.add(Row.of(score, bytesOf(score.contender()))));
    scores.forEach(score -> rows.add(Row.of(score, OptionalLong.empty())));
    rows.addAll(told);
    return rows;
  }

  private OptionalLong bytesOf(String contender) {
    Long bytes = bytesPerSubject.get(contender);
    return bytes == null ? OptionalLong.empty() : OptionalLong.of(bytes);
  }

  String json() {
    return Json.of(mainScores, bytesPerSubject);
  }
}
