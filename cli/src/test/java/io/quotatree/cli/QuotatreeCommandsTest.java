package io.quotatree.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class QuotatreeCommandsTest {

  @Test
  void help_names_every_command_and_the_exit_codes() {
    Ran ran = Ran.quotatree("--help");
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).isEmpty();
    assertThat(ran.out())
        .startsWith("Usage: quotatree [-hV] [--debug] COMMAND\n")
        .contains("  check ", "  explain ", "  test ", "  schema ")
        .contains("Exit codes: 0 fine; 1 the answer is bad; 2 wrong usage, or it could not run.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "explain", "test", "schema"})
  void the_help_of_each_command_has_an_example(String command) {
    Ran ran = Ran.quotatree(command, "--help");
    assertThat(ran.code()).isZero();
    assertThat(ran.out())
        .startsWith("Usage: quotatree " + command)
        .contains("Example", "  quotatree " + command);
  }

  @Test
  void the_version_is_told() {
    assertThat(Ran.quotatree("--version")).isEqualTo(new Ran(0, "quotatree (development)\n", ""));
  }

  @Test
  void no_command_is_wrong_usage_and_tells_what_there_is() {
    Ran ran = Ran.quotatree();
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err()).startsWith("Usage: quotatree").contains("  check ");
  }

  @Test
  void an_unknown_command_is_answered_with_the_nearest() {
    assertThat(Ran.quotatree("chekc", "quotatree.yaml"))
        .isEqualTo(
            new Ran(
                2,
                "",
                """
                quotatree: unknown command `chekc`; did you mean `check`?
                Try `quotatree --help`.
                """));
  }

  @Test
  void an_unknown_option_is_answered_with_the_nearest() {
    assertThat(Ran.quotatree("check", "--jsno", "quotatree.yaml"))
        .isEqualTo(
            new Ran(
                2,
                "",
                """
                quotatree check: unknown option `--jsno`; did you mean `--json`?
                Try `quotatree check --help`.
                """));
  }

  @Test
  void a_missing_argument_is_wrong_usage() {
    assertThat(Ran.quotatree("test"))
        .isEqualTo(
            new Ran(
                2,
                "",
                """
                quotatree test: missing required parameter: 'FILE|DIR'
                Try `quotatree test --help`.
                """));
  }

  @Test
  void what_goes_wrong_is_a_line_and_a_stack_trace_only_under_debug() {
    assertThat(ran(new Failing(), "fail"))
        .isEqualTo(new Ran(2, "", "quotatree fail: the port is taken\n"));
    assertThat(ran(new Failing(), "fail", "--debug").err())
        .startsWith("quotatree fail: the port is taken\n")
        .contains("\tat io.quotatree.cli.QuotatreeCommandsTest$Failing.run(");
    assertThat(ran(new Breaking(), "break"))
        .isEqualTo(
            new Ran(
                2,
                "",
                """
                quotatree break: IllegalStateException: a bug
                `--debug` shows where it comes from.
                """));
  }

  @Test
  void further_commands_are_listed_first() {
    Ran ran = ran(new Failing(), "--help");
    assertThat(ran.out().indexOf("  fail ")).isBetween(0, ran.out().indexOf("  check "));
  }

  private static Ran ran(Object command, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commands = QuotatreeCommands.commandLine(command);
    commands.setOut(new PrintWriter(out));
    commands.setErr(new PrintWriter(err));
    int code = commands.execute(args);
    return new Ran(code, out.toString(), err.toString());
  }

  @Command(name = "fail", description = "fails")
  private static final class Failing implements Runnable {
    @Override
    public void run() {
      throw new CommandException("the port is taken");
    }
  }

  @Command(name = "break", description = "breaks")
  private static final class Breaking implements Runnable {
    @Override
    public void run() {
      throw new IllegalStateException("a bug");
    }
  }
}
