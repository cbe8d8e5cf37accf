package io.quotatree.app;

import io.quotatree.cli.CommandException;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ticket.FleetTickets;
import io.quotatree.core.ticket.TicketStore;
import io.quotatree.core.ticket.Tickets;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.decision.DecideTokens;
import io.quotatree.gateway.decision.DecisionCalls;
import io.quotatree.gateway.decision.DecisionHandler;
import io.quotatree.gateway.decision.DecisionHandler.Certificates;
import io.quotatree.gateway.server.Address;
import io.quotatree.gateway.server.Gateway;
import io.quotatree.gateway.server.ListenException;
import io.quotatree.gateway.server.TlsException;
import io.quotatree.http.QuotaReplies;
import io.quotatree.observe.DecisionIdMetrics;
import io.quotatree.observe.Metrics;
import io.quotatree.observe.PrometheusPage;
import io.quotatree.observe.log.DecisionLog;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.TokenFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The decision API: its ids, its calls, its own address, and the tokens that admit to that. */
final class DecisionDoor {

  private static final Logger log = LoggerFactory.getLogger(DecisionDoor.class);

  private static final int MOST_IDS = 1_000_000;

  /** An id takes about half a kilobyte; all of them an eighth of the heap at most. */
  private static final long ID_BYTES = 512;

  private static final long HEAP_SHARE = 8;

  /** Permits that nobody released come back that late at most where nobody asks for a decision. */
  private static final Duration TICK = Duration.ofSeconds(1);

  private final Tickets tickets;
  private final List<Call> calls;
  private final Optional<TokenFile> tokens;

  /** A file of tokens, and those that were read last. */
  private record TokenFile(Path path, DecideTokens read) {}

  private DecisionDoor(Tickets tickets, List<Call> calls, Optional<TokenFile> tokens) {
    this.tickets = tickets;
    this.calls = calls;
    this.tokens = tokens;
  }

  /**
   * The decision API of a gateway.
   *
   * @param told what its decisions are counted and logged by
   * @throws CommandException if the file of tokens cannot be used
   */
  static DecisionDoor of(
      QuotaFile file, Deciding deciding, Supplier<QuotaReplies> replies, Told told) {
    Tickets tickets = deciding.limiter().tickets(mostIds());
    DecisionIdMetrics.now(told.page().registry(), "live", tickets, Tickets::live);
    DecisionIdMetrics.now(told.page().registry(), "holding", tickets, Tickets::holding);
    DecisionIdMetrics.missed(told.page().registry(), "unknown", tickets, Tickets::unknown);
    DecisionIdMetrics.missed(told.page().registry(), "forgotten", tickets, Tickets::forgotten);
    List<Call> calls =
        new DecisionCalls(
                new DecisionCalls.Parts(
                    deciding.limiter(),
                    new FleetTickets(tickets, deciding.shared(), deciding.settledPast()),
                    replies,
                    Ticker.system(),
                    told.metrics(),
                    told.decisions()))
            .calls();
    Optional<Path> path = file.server().decide().flatMap(QuotaFile.Decide::tokens).map(Path::of);
    return new DecisionDoor(
        tickets, calls, path.map(at -> new TokenFile(at, new DecideTokens(read(at)))));
  }

  /**
   * What decides.
   *
   * @param shared where other gateways find the ids; empty where there are none
   * @param settledPast is run when another gateway's decision was settled, past the limiter
   */
  record Deciding(Limiter limiter, Optional<TicketStore> shared, Runnable settledPast) {}

  /**
   * What decisions are told to.
   *
   * @param page shows the metrics
   */
  record Told(Metrics metrics, DecisionLog decisions, PrometheusPage page) {}

  private static int mostIds() {
    long fit = Runtime.getRuntime().maxMemory() / HEAP_SHARE / ID_BYTES;
    return (int) Math.max(1, Math.min(MOST_IDS, fit));
  }

  /** The calls, for the admin address. */
  List<Call> calls() {
    return calls;
  }

  /**
   * Opens the address of its own, where the file has one.
   *
   * @return the address; empty for none
   */
  Optional<Address> open(Gateway gateway, QuotaFile file) throws ListenException, TlsException {
    gateway.each(TICK, tickets::expire);
    if (file.server().decide().isEmpty()) {
      return Optional.empty();
    }
    boolean certificates = file.server().tls().flatMap(QuotaFile.Tls::clientCa).isPresent();
    return Optional.of(
        gateway.decideAt(
            Wiring.own(file.server().decide().get().listen()),
            new DecisionHandler.Credentials(
                tokens.map(TokenFile::read),
                certificates ? Certificates.ADMIT : Certificates.ADMIT_NOBODY),
            calls));
  }

  private static List<DecideTokens.Hashed> read(Path path) {
    TokenFiles.Read read;
    try {
      read = TokenFiles.read(path);
    } catch (IOException e) {
      throw new CommandException(
          "server.decide: " + path + " cannot be read (" + e + "); see to its name and permissions",
          e);
    }
    if (!read.errors().isEmpty()) {
      throw new CommandException("server.decide: " + read.errors().get(0));
    }
    return read.tokens().stream()
        .map(token -> new DecideTokens.Hashed(token.salt(), token.hash()))
        .toList();
  }

  /** Takes the tokens that are in their file now; where it has errors, the former ones stay. */
  void readAgain() {
    tokens.ifPresent(
        file -> {
          try {
            file.read().replace(read(file.path()));
          } catch (CommandException e) {
            log.error("{}; the former tokens stay", e.getMessage());
          }
        });
  }
}
