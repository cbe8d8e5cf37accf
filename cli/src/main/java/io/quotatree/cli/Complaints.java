package io.quotatree.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is said on standard error when a command was called wrongly or could not run. */
final class Complaints {

  private Complaints() {}

  /** Handles arguments that make no sense. */
  static int wrongUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    if (args.length == 0) {
      command.usage(err);
      return ExitCode.COULD_NOT_RUN;
    }
    err.println(name + ": " + text(e));
    err.println("Try `" + name + " --help`.");
    return ExitCode.COULD_NOT_RUN;
  }

  private static String text(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      String argument = unmatched.getUnmatched().get(0);
      boolean command =
          !unmatched.isUnknownOption() && !e.getCommandLine().getSubcommands().isEmpty();
      String what =
          unmatched.isUnknownOption()
              ? "unknown option"
              : command ? "unknown command" : "one argument too many:";
      List<String> suggestions = unmatched.getSuggestions();
      return what
          + " `"
          + argument
          + "`"
          + (suggestions.isEmpty() ? "" : "; did you mean `" + suggestions.get(0) + "`?");
    }
    String message = String.valueOf(e.getMessage());
    return message.isEmpty()
        ? "wrong usage"
        : Character.toLowerCase(message.charAt(0)) + message.substring(1);
  }

  /** Handles what a command threw. */
  static int couldNotRun(Exception e, CommandLine command, boolean debug) {
    PrintWriter err = command.getErr();
    err.println(command.getCommandSpec().qualifiedName() + ": " + reason(e));
    if (debug) {
      e.printStackTrace(err);
    } else if (!(e instanceof CommandException)) {
      err.println("`--debug` shows where it comes from.");
    }
    err.flush();
    return ExitCode.COULD_NOT_RUN;
  }

  private static String reason(Exception e) {
    if (e instanceof IOException io) {
      return io(io);
    }
    String message = e.getMessage();
    return message == null || !(e instanceof CommandException)
        ? e.getClass().getSimpleName() + (message == null ? "" : ": " + message)
        : message;
  }

  private static String io(IOException e) {
    if (e instanceof java.nio.file.FileSystemException file && file.getFile() != null) {
      return file.getFile() + ": " + what(e);
    }
    return String.valueOf(e.getMessage());
  }

  /** Why a file cannot be read or written, for people. */
  static CommandException about(Path file, IOException e) {
    return new CommandException(file + ": " + what(e), e);
  }

  private static String what(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    } else if (e instanceof AccessDeniedException) {
      return "permission denied";
    } else if (e instanceof FileSystemLoopException) {
      return "a link that leads back to itself";
    } else if (e instanceof java.nio.file.FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return String.valueOf(e.getMessage());
  }
}
