package io.quotatree.cli;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.scenario.ScenarioReading;
import io.quotatree.scenario.ScenarioRunner;
import io.quotatree.scenario.Step;
import io.quotatree.scenario.UnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs scenarios. */
@Command(
    name = "test",
    description = "Run scenarios: unit tests of a quota file, in virtual time.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "A scenario is a YAML file with `steps` at its top level: quotas, a timed list of",
      "requests, and what each must get. In a DIR every *.yaml and *.yml at any depth",
      "that has `steps` is run, others are skipped.",
      "",
      "Examples:",
      "  quotatree test scenarios/",
      "  quotatree test a.yaml b.yaml",
      "  quotatree test scenarios/ --junit build/quotas.xml",
      "  quotatree test scenarios/ --store redis://127.0.0.1:6379",
      "",
      "Exit codes: 0 all passed; 1 one failed or has errors; 2 no scenario found, or",
      "the store gives no answers; 130 Ctrl-C."
    })
final class TestCommand implements Callable<Integer> {

  @Parameters(arity = "1..*", paramLabel = "FILE|DIR", description = "Scenarios and their folders.")
  private List<Path> paths = List.of();

  @Option(
      names = "--junit",
      paramLabel = "FILE",
      description = "Write a JUnit XML report, as CI servers read it.")
  private @Nullable Path junit;

  @Option(
      names = "--store",
      paramLabel = "URI",
      description =
          "Run on a shared store, and not in memory: redis://HOST:PORT, redis-sentinel://HOST:PORT/0#MASTER, or a cluster's nodes separated by commas. Each scenario has keys of its own there, deleted at its end.")
  private @Nullable String store;

  @Option(names = "--json", description = "Print one JSON object instead of text.")
  private boolean json;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec before anything runs
  TestCommand() {}

  @Override
  public Integer call() throws IOException {
    List<ScenarioReading> readings = ScenarioFiles.read(paths);
    if (store == null) {
      return test(readings, MemoryLedger::new);
    }
    try (SharedStore shared = SharedStore.open(store, this::tellInterrupted)) {
      return test(readings, shared);
    }
  }

  private int test(List<ScenarioReading> readings, SharedStore shared) throws IOException {
    try {
      return test(readings, shared::empty);
    } catch (UnavailableException e) {
      if (shared.isInterrupted()) {
        // That is told, and the process ends without us.
        return ExitCode.INTERRUPTED;
      }
      throw new CommandException("--store: the store gives no answers (" + e.getMessage() + ")", e);
    }
  }

  /** On a line of its own: a bar may stand where the cursor is. */
  private void tellInterrupted() {
    PrintWriter err = spec.commandLine().getErr();
    if (Ansi.AUTO.enabled()) {
      err.println();
    }
    err.println(spec.qualifiedName() + ": interrupted; what was made in the store is deleted");
    err.flush();
  }

  private int test(List<ScenarioReading> readings, Supplier<Ledger> ledgers) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ProgressBar bar = Ansi.AUTO.enabled() ? bar(readings) : null;
    ScenarioRunner runner =
        bar == null ? new ScenarioRunner(ledgers) : new ScenarioRunner(ledgers, bar::advance);
    List<TestOutcome> outcomes = new ArrayList<>();
    for (ScenarioReading reading : readings) {
      TestOutcome outcome = TestOutcome.of(reading, runner);
      outcomes.add(outcome);
      if (bar != null) {
        bar.clear();
      }
      if (!json) {
        TestReport.print(outcome, out);
        out.flush();
      }
    }
    if (json) {
      TestJson.print(outcomes, out);
    } else {
      TestReport.printEnd(outcomes, out);
    }
    out.flush();
    if (junit != null) {
      JunitReport.write(outcomes, junit);
    }
    return outcomes.stream().allMatch(TestOutcome::passed) ? ExitCode.FINE : ExitCode.BAD;
  }

  private ProgressBar bar(List<ScenarioReading> readings) {
    long requests =
        readings.stream()
            .filter(ScenarioReading.Sound.class::isInstance)
            .flatMap(reading -> ((ScenarioReading.Sound) reading).scenario().steps().stream())
            .mapToLong(step -> step instanceof Step.Send send ? send.times() : 0)
            .sum();
    return new ProgressBar(spec.commandLine().getErr(), requests);
  }
}
