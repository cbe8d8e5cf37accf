package io.quotatree.cli;

import io.quotatree.core.policy.BadPathException;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.Request.Proof;
import io.quotatree.quotafile.Explanation;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.Reading;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Explains which quotas apply to a request. */
@Command(
    name = "explain",
    description =
        "Explain which quotas apply to a request, from which line, and in which order they are asked.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Examples:",
      "  quotatree explain quotas.yaml --caller app-a --user u1 POST /order/pay",
      "  quotatree explain quotas.yaml --caller app-a --ip 203.0.113.7 GET /feed",
      "  quotatree explain quotas.yaml --user u1 --plan vip --json GET /feed",
      "",
      "Exit codes: 0 fine; 1 the file has errors; 2 wrong usage, or it cannot be read."
    })
final class ExplainCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "FILE", description = "The quota file.")
  private Path file = Path.of("");

  @Parameters(index = "1", paramLabel = "METHOD", description = "The request's method.")
  private String method = "";

  @Parameters(index = "2", paramLabel = "PATH", description = "Its path; a query is left out.")
  private String path = "";

  @Option(
      names = "--caller",
      paramLabel = "NAME",
      description = "The calling application; without it: anonymous.")
  private String caller = "";

  @Option(names = "--user", paramLabel = "ID", description = "The user; without it: anonymous.")
  private String user = "";

  @Option(names = "--unproven", description = "The client made the user's id up.")
  private boolean unproven;

  @Option(names = "--plan", paramLabel = "NAME", description = "The user's plan.")
  private String plan = "";

  @Option(names = "--ip", paramLabel = "ADDRESS", description = "The client's address.")
  private String ip = "";

  @Option(
      names = "--node-id",
      paramLabel = "NAME",
      description = "The gateway that takes it; default: the file's server.node_id.")
  private @Nullable String nodeId;

  @Option(names = "--json", description = "Print one JSON object instead of text.")
  private boolean json;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec before anything runs
  ExplainCommand() {}

  @Override
  public Integer call() throws IOException {
    Reading reading = QuotaFileOnDisk.read(file);
    if (reading instanceof Reading.Faulty faulty) {
      PrintWriter err = spec.commandLine().getErr();
      faulty.errors().forEach(err::println);
      err.flush();
      return ExitCode.BAD;
    }
    PrintWriter out = spec.commandLine().getOut();
    Explanation explanation = explain(((Reading.Sound) reading).file());
    if (json) {
      ExplainJson.print(explanation, out);
    } else {
      out.print(explanation.text());
    }
    out.flush();
    return ExitCode.FINE;
  }

  private Explanation explain(QuotaFile quotas) {
    String gateway =
        Optional.ofNullable(nodeId).or(() -> quotas.server().nodeId()).orElse("this-gateway");
    Request request =
        new Request(
            caller,
            user,
            unproven ? Proof.UNPROVEN : Proof.PROVEN,
            plan,
            method.toUpperCase(Locale.ROOT),
            path.split("[?#]", 2)[0],
            null,
            ip,
            "");
    try {
      return Explanation.of(quotas, Policy.compile(quotas.quotas(), gateway), request);
    } catch (BadPathException e) {
      throw new CommandException(
          "`" + path + "` gets the answer 400 and meets no quota: " + e.getMessage(), e);
    }
  }
}
