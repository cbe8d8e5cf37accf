package io.quotatree.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quotatree.quotafile.QuotaFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the JSON Schema of quota files. */
@Command(
    name = "schema",
    description = "Print the JSON Schema of the quota file, for editors.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Example:",
      "  quotatree schema > quotatree.schema.json",
      "and as the first line of quotatree.yaml:",
      "  # yaml-language-server: $schema=quotatree.schema.json"
    })
final class SchemaCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec before anything runs
  SchemaCommand() {}

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (JsonGenerator generator = Json.generator(out)) {
      Json.value(QuotaFiles.schema(), generator);
    }
    out.println();
    out.flush();
    return ExitCode.FINE;
  }
}
