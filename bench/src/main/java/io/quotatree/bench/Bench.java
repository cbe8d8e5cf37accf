package io.quotatree.bench;

import io.quotatree.bench.gateway.GatewayBench;
import io.quotatree.bench.gateway.GatewayTable;
import io.quotatree.bench.measure.Effort;
import io.quotatree.bench.redis.RedisBench;
import io.quotatree.bench.redis.RedisTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** {@code bench/run}: measures, and prints one table of ratios. */
public final class Bench {

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private static final int QUICK_ROUNDS = 9;
  private static final int ROUNDS = 31;
  private static final int QUICK_TURN_SECONDS = 2;
  private static final int TURN_SECONDS = 5;

  private static final int QUICK_TURN_MILLIS = 500;
  private static final int TURN_MILLIS = 2_000;
  private static final int QUICK_OUTAGES = 3;
  private static final int OUTAGES = 9;

  /** Decisions of each contender on a store, which takes a round trip or four for each. */
  private static final long STORE_WARMING = 10_000;

  /** Before so many requests the compiler of a JVM is busier than what it compiles. */
  private static final long WARMING = 100_000;

  private Bench() {}

  /** Exit code 0: measured; 1: something failed meanwhile; 2: asked for what there is not. */
  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Options options;
    try {
      options = Options.read(args);
    } catch (IllegalArgumentException e) {
      System.err.println("bench/run: " + e.getMessage());
      System.exit(MISUSED);
      return;
    }
    if (options.help()) {
      out.print(Options.HELP);
      return;
    }
    try {
      switch (options.subject()) {
        case Options.GATEWAY -> measureGateway(options, out);
        case Options.REDIS -> measureRedis(options, out);
        default -> measure(options, out);
      }
    } catch (IllegalStateException e) {
      System.err.println("bench/run: " + e.getMessage());
      System.exit(FAILED);
    }
  }

  private static void measure(Options options, PrintStream out) throws IOException {
    Effort usual = options.isQuick() ? Effort.quick(options.seed()) : Effort.full(options.seed());
    Effort effort = usual.withRounds(options.rounds().orElse(usual.rounds()));
    String machine = Machine.described();
    long start = System.nanoTime();
    MemoryBench bench =
        new MemoryBench(effort, options.before(), options.parts(), text -> progress(start, text));
    bench.run();
    out.println(Row.HEAD.markdown());
    out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    bench.rows().forEach(row -> out.println(row.markdown()));
    out.println();
    out.println(machine + ". Seed " + effort.seed() + ", " + effort.rounds() + " rounds.");
    Optional<Path> json = options.json();
    if (json.isPresent()) {
      Files.writeString(json.get(), bench.json());
    }
  }

  private static void measureGateway(Options options, PrintStream out) throws IOException {
    GatewayBench.Plan plan =
        new GatewayBench.Plan(
            options.rounds().orElse(options.isQuick() ? QUICK_ROUNDS : ROUNDS),
            options.isQuick() ? QUICK_TURN_SECONDS : TURN_SECONDS,
            WARMING,
            options.seed(),
            new GatewayBench.Programs(
                path("quotatree.launcher"),
                path("quotatree.spring"),
                System.getProperty("java.class.path")));
    String machine = Machine.described();
    long start = System.nanoTime();
    GatewayTable table = new GatewayBench(plan, text -> progress(start, text)).run();
    out.print(table.markdown());
    out.println();
    out.println(machine + ". Seed " + plan.seed() + ", " + plan.rounds() + " rounds.");
    if (options.json().isPresent()) {
      Files.writeString(options.json().get(), table.json());
    }
  }

  /** A path that bench/run hands over. */
  private static Path path(String property) {
    String path = System.getProperty(property);
    if (path == null) {
      throw new IllegalStateException("no -D" + property + ": start it by bench/run");
    }
    return Path.of(path).toAbsolutePath();
  }

  private static void measureRedis(Options options, PrintStream out) throws IOException {
    RedisBench.Plan plan =
        new RedisBench.Plan(
            options.rounds().orElse(options.isQuick() ? QUICK_ROUNDS : ROUNDS),
            options.isQuick() ? QUICK_TURN_MILLIS : TURN_MILLIS,
            STORE_WARMING,
            options.isQuick() ? QUICK_OUTAGES : OUTAGES,
            options.seed());
    String machine = Machine.described();
    long start = System.nanoTime();
    RedisTable table = new RedisBench(plan, text -> progress(start, text)).run();
    out.print(table.markdown());
    out.println();
    out.println(machine + ". Seed " + plan.seed() + ", " + plan.rounds() + " rounds.");
    if (options.json().isPresent()) {
      Files.writeString(options.json().get(), table.json());
    }
  }

  private static void progress(long startNanos, String text) {
    long seconds = Duration.ofNanos(System.nanoTime() - startNanos).toSeconds();
    System.err.printf("%4d s  %s%n", seconds, text);
  }
}
