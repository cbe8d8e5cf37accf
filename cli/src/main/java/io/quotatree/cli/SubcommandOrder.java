package io.quotatree.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine;

/** Puts subcommands before those that a command line has. */
final class SubcommandOrder {

  private SubcommandOrder() {}

  static void putFirst(CommandLine commands, Object... first) {
    Map<String, CommandLine> others = new LinkedHashMap<>(commands.getSubcommands());
    others.keySet().forEach(commands.getCommandSpec()::removeSubcommand);
    for (Object command : first) {
      commands.addSubcommand(command);
    }
    others.forEach(commands::addSubcommand);
  }
}
