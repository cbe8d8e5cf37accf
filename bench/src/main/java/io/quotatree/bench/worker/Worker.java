package io.quotatree.bench.worker;

import io.quotatree.bench.contender.Contender;
import io.quotatree.bench.contender.Contenders;
import io.quotatree.bench.load.Job;
import io.quotatree.bench.load.Load;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One contender at one job in a process of its own, driven by standard input.
 *
 * <pre>
 *   turn THREADS MILLIS     decides for so long; answers operations, CPU time, bytes allocated
 *   warm THREADS COUNT      decides so often
 *   sample THREADS MILLIS   decides for so long and times single decisions
 *   fill COUNT              adds users that stay; answers bytes a user
 *   expire COUNT            adds users that are forgotten, under traffic; answers pauses and memory
 * </pre>
 *
 * <p>Answers are lines of {@code key=value}; all else that libraries print goes to standard error.
 */
public final class Worker {

  /** What an answer begins with. */
  public static final String ANSWER = "@ ";

  private Worker() {}

  /** Takes the contender's name, the job, the seed, and how many requests to prepare. */
  public static void main(String[] args) throws IOException {
    PrintStream answers = System.out;
    System.setOut(System.err);
    Job job = Job.valueOf(args[1].toUpperCase(Locale.ROOT).replace('-', '_'));
    Load load = new Load(job, Long.parseLong(args[2]));
    answers.println(work(Contenders.of(args[0], job), load, Integer.parseInt(args[3]), answers));
    answers.flush();
    // Libraries leave threads behind that keep a process alive.
    System.exit(0);
  }

  private static <R, S> String work(
      Contender<R, S> contender, Load load, int requests, PrintStream answers) throws IOException {
    Stage<R, S> stage = new Stage<>(contender, load, requests);
    stage.prepare();
    answers.println(ANSWER + "ready=1");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String line = commands.readLine();
    while (line != null && !line.equals("quit")) {
      answers.println(ANSWER + carriedOut(stage, line.split(" ", -1)));
      answers.flush();
      line = commands.readLine();
    }
    return ANSWER + "bye=1";
  }

  private static String carriedOut(Stage<?, ?> stage, String[] words) {
    return switch (words[0]) {
      case "turn" -> stage.turn(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      case "warm" -> stage.warm(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      case "sample" -> stage.sample(Integer.parseInt(words[1]), Long.parseLong(words[2]));
      case "fill" -> stage.fill(Integer.parseInt(words[1]));
      case "expire" -> stage.expire(Integer.parseInt(words[1]));
      default -> throw new IllegalArgumentException("`" + words[0] + "` is no command");
    };
  }
}
