package io.quotatree.app;

import io.quotatree.cli.CommandException;
import io.quotatree.observe.log.DecisionLog;
import io.quotatree.observe.log.LogSettings;
import io.quotatree.quotafile.Log;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has decisions written down as a quota file says. */
final class DecisionLogs {

  private static final Logger log = LoggerFactory.getLogger(DecisionLogs.class);

  private DecisionLogs() {}

  /**
   * Opens the log.
   *
   * @throws CommandException if its file cannot be opened
   */
  static DecisionLog open(String nodeId, Optional<Log> said) {
    DecisionLog decisions = new DecisionLog(nodeId);
    try {
      decisions.use(said.map(DecisionLogs::settings));
      return decisions;
    } catch (IOException e) {
      decisions.close();
      throw new CommandException(
          complaint(e) + "; name another file in `log`, or see to its folder and permissions", e);
    }
  }

  /** Changes the log; where its file cannot be opened, it stays as it was. */
  static void change(DecisionLog decisions, Optional<Log> said) {
    try {
      decisions.use(said.map(DecisionLogs::settings));
    } catch (IOException e) {
      log.error("{}; decisions are written where they were", complaint(e));
    }
  }

  private static String complaint(IOException e) {
    return "log.decisions cannot be opened: " + e;
  }

  private static LogSettings settings(Log said) {
    return new LogSettings(
        said.isToStandardOutput() ? Optional.empty() : Optional.of(Path.of(said.decisions())),
        said.allowedPerMillion(),
        said.users() == Log.Users.HASHED ? LogSettings.Users.HASHED : LogSettings.Users.NAMED);
  }
}
