package io.quotatree.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code quotatree} with its subcommands that need no server.
 *
 * <p>{@code QuotatreeCommands.commandLine(new ServeCommand()).execute(args)} runs one and answers
 * its {@link ExitCode}. A subcommand that throws is told of in a line on standard error, with a
 * stack trace only under {@code --debug}.
 */
@Command(
    name = "quotatree",
    description = "Layered API quota management: node, caller, user, api.",
    synopsisSubcommandLabel = "COMMAND",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    footer = {
      "",
      "Exit codes: 0 fine; 1 the answer is bad; 2 wrong usage, or it could not run.",
      "`quotatree COMMAND --help` tells more, with examples."
    })
public final class QuotatreeCommands implements Runnable {

  @Option(
      names = "--debug",
      description = "Print a stack trace when something goes wrong.",
      scope = CommandLine.ScopeType.INHERIT)
  private boolean debug;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec before anything runs
  private QuotatreeCommands() {}

  /**
   * The command line.
   *
   * @param more further subcommands, annotated with picocli's {@code @Command}; they are listed
   *     first
   */
  public static CommandLine commandLine(Object... more) {
    QuotatreeCommands root = new QuotatreeCommands();
    CommandLine commands = new CommandLine(root);
    Stream.of(more).forEach(commands::addSubcommand);
    Stream.of(new CheckCommand(), new ExplainCommand(), new TestCommand(), new SchemaCommand())
        .forEach(commands::addSubcommand);
    commands.setOut(writer(System.out));
    commands.setErr(writer(System.err));
    commands.setParameterExceptionHandler(Complaints::wrongUsage);
    commands.setExecutionExceptionHandler(
        (exception, command, parsed) -> Complaints.couldNotRun(exception, command, root.debug));
    return commands;
  }

  /** Tells what there is: no command was given. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command");
  }

  /**
   * Standard output as it is set up, but never in plain ASCII: files and messages are UTF-8, and a
   * terminal in the POSIX locale shows that better than question marks.
   */
  private static PrintWriter writer(java.io.PrintStream stream) {
    Charset charset = Charset.forName(System.getProperty("native.encoding", "UTF-8"));
    return new PrintWriter(
        stream, true, charset.equals(StandardCharsets.US_ASCII) ? StandardCharsets.UTF_8 : charset);
  }
}
