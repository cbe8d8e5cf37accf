package io.quotatree.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * What a command left behind.
 *
 * @param code its exit code
 * @param out standard output
 * @param err standard error
 */
record Ran(int code, String out, String err) {

  static Ran quotatree(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commands = QuotatreeCommands.commandLine();
    commands.setOut(new PrintWriter(out));
    commands.setErr(new PrintWriter(err));
    int code = commands.execute(args);
    return new Ran(code, out.toString(), err.toString());
  }
}
