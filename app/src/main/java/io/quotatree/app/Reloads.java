package io.quotatree.app;

import io.quotatree.quotafile.Reload;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts each right version of the quota file in force, and says in the log what came of it. */
final class Reloads implements Consumer<Reload> {

  private static final Logger log = LoggerFactory.getLogger(Reloads.class);

  private static final int MOST_LINES = 20;

  private final FileGateway gateway;

  Reloads(FileGateway gateway) {
    this.gateway = gateway;
  }

  @Override
  public void accept(Reload reload) {
    if (reload instanceof Reload.Taken taken) {
      take(taken);
    } else if (reload instanceof Reload.Refused refused) {
      gateway.refused();
      log.error("quotas are as they were: the file has errors ({})", refused.errors().size());
      refused.errors().stream().limit(MOST_LINES).forEach(error -> log.error("{}", error));
    }
  }

  private void take(Reload.Taken taken) {
    long revision = gateway.use(taken.file());
    taken.warnings().stream().limit(MOST_LINES).forEach(warning -> log.warn("{}", warning));
    if (taken.difference().isEmpty()) {
      log.info("revision {} of the quotas: nothing in force changed", revision);
      return;
    }
    int changes = taken.difference().changes().size();
    log.info(
        "revision {} of the quotas: {}",
        revision,
        changes == 1 ? "a change" : changes + " changes");
    taken.difference().changes().stream()
        .limit(MOST_LINES)
        .forEach(change -> log.info("  {}", change));
    if (!taken.difference().restart().isEmpty()) {
      log.warn(
          "takes effect at the next start: {}", String.join(", ", taken.difference().restart()));
    }
  }
}
