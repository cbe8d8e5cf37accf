package io.quotatree.app;

import io.quotatree.cli.CommandException;
import io.quotatree.gateway.admin.BearerToken;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.Secret;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The admin token, and the place where it is read again whenever the gateway is told to look. */
final class AdminToken {

  private static final Logger log = LoggerFactory.getLogger(AdminToken.class);

  private static final String KEY = "server.admin_token";

  /** A guess a microsecond finds shorter ones within the life of a gateway. */
  private static final int FEWEST_CHARS = 16;

  private final Secret place;
  private final BearerToken bearer;

  private AdminToken(Secret place) {
    this.place = place;
    this.bearer = new BearerToken(read());
  }

  /**
   * The token that a file asks for.
   *
   * @throws CommandException if it cannot be read, or is none
   */
  static Optional<AdminToken> of(QuotaFile file) {
    return file.server().adminToken().map(AdminToken::new);
  }

  private String read() {
    String secret = Secrets.read(place, KEY);
    if (!secret.chars().allMatch(c -> c > ' ' && c <= '~')) {
      throw new CommandException(
          KEY
              + ": what is at "
              + place
              + " is not visible ASCII without spaces, such as"
              + " `openssl rand -hex 32` makes");
    }
    if (secret.length() < FEWEST_CHARS) {
      log.warn(
          "{}: {} characters are easily guessed; make one by `openssl rand -hex 32`",
          KEY,
          secret.length());
    }
    return secret;
  }

  BearerToken bearer() {
    return bearer;
  }

  /** Takes what is at the place now; where that is none, the former one stays. */
  void readAgain() {
    try {
      bearer.replace(read());
    } catch (CommandException e) {
      log.error("{}; the former token stays", e.getMessage());
    }
  }
}
