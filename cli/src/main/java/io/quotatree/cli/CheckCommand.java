package io.quotatree.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quotatree.quotafile.Reading;
import io.quotatree.quotafile.yaml.Problem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks quota files. */
@Command(
    name = "check",
    description = "Check a quota file: all errors at once, each with its place and what to write.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Prints each error and warning as FILE:LINE:COLUMN: what is wrong; what to write",
      "instead. Warnings are for what is legal and odd; they do not fail the check.",
      "",
      "Examples:",
      "  quotatree check quotatree.yaml",
      "  quotatree check prod.yaml staging.yaml",
      "  quotatree check quotatree.yaml --json",
      "",
      "Exit codes: 0 fine; 1 a file has errors; 2 a file cannot be read."
    })
final class CheckCommand implements Callable<Integer> {

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Quota files.")
  private List<Path> files = List.of();

  @Option(names = "--json", description = "Print one JSON object instead of text.")
  private boolean json;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec before anything runs
  CheckCommand() {}

  @Override
  public Integer call() throws IOException {
    List<Checked> checked = new ArrayList<>();
    int code = ExitCode.FINE;
    for (Path file : files) {
      try {
        Checked result = check(file);
        checked.add(result);
        code = Math.max(code, result.sound() ? ExitCode.FINE : ExitCode.BAD);
      } catch (CommandException e) {
        // The others can be checked all the same.
        spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
        code = ExitCode.COULD_NOT_RUN;
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      printJson(checked, out);
    } else {
      checked.forEach(result -> print(result, out));
    }
    out.flush();
    return code;
  }

  private static Checked check(Path file) {
    Reading reading = QuotaFileOnDisk.read(file);
    return reading instanceof Reading.Sound sound
        ? new Checked(file, true, sound.warnings())
        : new Checked(file, false, ((Reading.Faulty) reading).errors());
  }

  private static void print(Checked checked, PrintWriter out) {
    checked.problems().forEach(out::println);
    int number = checked.problems().size();
    if (checked.sound()) {
      out.println(checked.file() + ": ok" + (number == 0 ? "" : ", " + counted(number, "warning")));
    } else {
      out.println(checked.file() + ": " + counted(number, "error"));
    }
  }

  private static String counted(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static void printJson(List<Checked> checked, PrintWriter out) throws IOException {
    try (JsonGenerator generator = Json.generator(out)) {
      generator.writeStartObject();
      generator.writeBooleanField("ok", checked.stream().allMatch(Checked::sound));
      generator.writeArrayFieldStart("files");
      for (Checked result : checked) {
        generator.writeStartObject();
        generator.writeStringField("file", result.file().toString());
        generator.writeBooleanField("ok", result.sound());
        generator.writeArrayFieldStart("problems");
        for (Problem problem : result.problems()) {
          Json.problem(problem, generator);
        }
        generator.writeEndArray();
        generator.writeEndObject();
      }
      generator.writeEndArray();
      generator.writeEndObject();
    }
    out.println();
  }

  /** A file, whether it can be used, and what is wrong or odd in it. */
  private record Checked(Path file, boolean sound, List<Problem> problems) {}
}
