package io.quotatree.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What the command line says.
 *
 * @param subject what to measure: {@code memory}, {@code gateway} or {@code redis}; empty for help
 *     alone
 * @param help whether the help is wanted and nothing else
 * @param isQuick whether to measure in minutes
 * @param json where to write the main figures
 * @param seed of requests and of the order of turns
 * @param rounds turns of each contender; empty for the usual number
 * @param before a core that changes are compared with
 * @param parts the parts to run; empty for all
 */
record Options(
    String subject,
    boolean help,
    boolean isQuick,
    Optional<Path> json,
    long seed,
    OptionalInt rounds,
    Optional<Path> before,
    Set<String> parts) {

  static final Set<String> PARTS =
      new LinkedHashSet<>(
          List.of(
              "bytes", "pass", "half", "churn", "node", "storm", "parts", "plan", "flood", "expire",
              "jmh"));

  static final String HELP =
      """
      Usage: bench/run memory|gateway|redis [OPTIONS]

      Measures Quotatree beside others, and prints one Markdown table of ratios within the same
      rounds: of limiters the CPU time of each by that of Quotatree (of the first row of a job); of
      gateways the requests by the second, and the CPU time of each; of shared ledgers the
      decisions by the second, and the store's CPU time for each. Progress goes to standard error.
      docs/benchmarks.md says how it is measured, and keeps full runs.

        memory            the decision of the memory ledger
        gateway           requests that pass the gateway, nginx and others; wants Linux, wrk and nginx
        redis             the decision of the shared ledger, of four calls and of other limiters on
                          Redis, and what becomes of it while the store is frozen or killed; wants
                          Linux or macOS, and starts stores of its own

        --quick           in less than ten minutes
        --json FILE       writes the main figures as a list of objects, too
        --seed N          of requests and of the order of turns; 20261130 unless said
        --rounds N        turns of each contender; 9 or 31 unless said
                          (only memory has the options below)
        --only PART,...   some parts alone: bytes pass half churn node storm parts plan flood expire
                          jmh
        --before PATH     compares with the core in a jar or folder of classes, as quotatree-before
        --help            this

      Exit code: 0 measured, 1 something failed, 2 asked for what there is not.
      """;

  static final String GATEWAY = "gateway";
  static final String REDIS = "redis";

  private static final long SEED = 20261130;
  private static final int MOST_ROUNDS = 1000;

  static Options read(String[] args) {
    boolean help = false;
    boolean quick = false;
    String what = "";
    Optional<Path> json = Optional.empty();
    Optional<Path> before = Optional.empty();
    long seed = SEED;
    OptionalInt rounds = OptionalInt.empty();
    Set<String> parts = Set.of();
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--help", "-h" -> help = true;
        case "--quick" -> quick = true;
        case "--json" -> json = Optional.of(Path.of(value(args, ++i)));
        case "--before" -> before = Optional.of(existing(value(args, ++i)));
        case "--seed" -> seed = number("--seed", value(args, ++i));
        case "--rounds" -> rounds = OptionalInt.of(positive("--rounds", value(args, ++i)));
        case "--only" -> parts = parts(value(args, ++i));
        default -> what = what(what, args[i]);
      }
    }
    if (!help) {
      requireMeasurable(what);
    }
    return new Options(what, help, quick, json, seed, rounds, before, parts);
  }

  private static String value(String[] args, int at) {
    if (at >= args.length) {
      throw new IllegalArgumentException(args[at - 1] + " wants a value; see bench/run --help");
    }
    return args[at];
  }

  private static int positive(String option, String text) {
    long number = number(option, text);
    if (number < 1 || number > MOST_ROUNDS) {
      throw new IllegalArgumentException(option + " " + text + "; write 1 to " + MOST_ROUNDS);
    }
    return (int) number;
  }

  private static long number(String option, String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " `" + text + "` is no whole number", e);
    }
  }

  private static Path existing(String text) {
    Path path = Path.of(text);
    if (!Files.exists(path)) {
      throw new IllegalArgumentException(
          "--before `" + text + "` does not exist; name a jar or a folder of classes");
    }
    return path.toAbsolutePath();
  }

  private static Set<String> parts(String text) {
    Set<String> chosen = new LinkedHashSet<>(List.of(text.split(",", -1)));
    for (String part : chosen) {
      if (!PARTS.contains(part)) {
        throw new IllegalArgumentException(
            "--only `" + part + "` is no part; write some of " + String.join(",", PARTS));
      }
    }
    return chosen;
  }

  private static String what(String known, String argument) {
    if (argument.startsWith("-") || !known.isEmpty()) {
      throw new IllegalArgumentException(
          "`" + argument + "` is not understood; see bench/run --help");
    }
    return argument;
  }

  private static void requireMeasurable(String what) {
    switch (what) {
      case "memory", GATEWAY, REDIS -> {}
      case "" -> throw new IllegalArgumentException("say what to measure; see bench/run --help");
      default ->
          throw new IllegalArgumentException(
              "`" + what + "` is nothing to measure; write memory, gateway or redis");
    }
  }
}
