package io.quotatree.app;

import io.quotatree.cli.CommandException;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.overlay.Overlay.Laid;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.admin.AdminCalls;
import io.quotatree.gateway.admin.AdminHandler;
import io.quotatree.gateway.admin.Operations;
import io.quotatree.gateway.admin.OverrideCalls;
import io.quotatree.gateway.admin.Overriding;
import io.quotatree.gateway.admin.Readiness;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.proxy.Idle;
import io.quotatree.gateway.proxy.ProxyHandler;
import io.quotatree.gateway.proxy.Serving;
import io.quotatree.gateway.proxy.UnderWay;
import io.quotatree.gateway.server.Address;
import io.quotatree.gateway.server.Gateway;
import io.quotatree.gateway.server.Guard;
import io.quotatree.gateway.server.ListenException;
import io.quotatree.gateway.server.Settings;
import io.quotatree.gateway.server.TlsException;
import io.quotatree.observe.GuardMetrics;
import io.quotatree.observe.Metrics;
import io.quotatree.observe.OverrideMetrics;
import io.quotatree.observe.PrometheusPage;
import io.quotatree.observe.Readings;
import io.quotatree.observe.log.DecisionLog;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.Reload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * A gateway that serves by a quota file, and by each version of it that follows.
 *
 * <p>Safe for use by several threads; reloads wait for each other.
 */
final class FileGateway implements AutoCloseable {

  private static final Duration TIDY = Duration.ofSeconds(1);

  /** What others changed of the overrides is in force that late at most. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** An override ends that late at most; nobody is asked for it. */
  private static final Duration END = Duration.ofMillis(200);

  private final String nodeId;
  private final Metrics metrics;
  private final Counting counting;
  private final Limiter limiter;
  private final KeptOverrides overrides;
  private final DecisionLog decisions;
  private final Optional<AdminToken> adminToken;
  private final DecisionDoor decisionDoor;
  private final Gateway gateway;
  private final Optional<Address> decideAt;

  /** True while somebody is about to look at the overrides. */
  private final AtomicBoolean looksSoon = new AtomicBoolean();

  /** What is served by, and its number. Swapped by reloads alone, read by every request. */
  private volatile Revision current;

  /**
   * Reads the file again; put once, by whoever watches it, and read by each call that asks for it.
   */
  private volatile Optional<Supplier<Reload>> reloading = Optional.empty();

  /**
   * What is served by.
   *
   * @param quotas the file's, with overrides in their place
   */
  private record Revision(
      long number, Instant loadedAt, QuotaFile file, Laid quotas, Serving serving) {}

  /**
   * Starts serving.
   *
   * @throws ListenException if an address of the file cannot be listened on
   * @throws TlsException if its certificate cannot be used
   * @throws CommandException if the admin token cannot be read, or the log not be written
   */
  FileGateway(QuotaFile file, Settings settings, String nodeId)
      throws ListenException, TlsException {
    this.nodeId = nodeId;
    PrometheusPage page = new PrometheusPage();
    this.counting = Counting.of(file, page.registry());
    MemoryLedger ledger = counting.memory();
    UnderWay underWay = new UnderWay();
    this.metrics =
        new Metrics(
            page.registry(), new Readings(ledger::subjects, ledger::overflows, underWay::requests));
    Ticker ticker = Ticker.system();
    this.overrides =
        new KeptOverrides(counting.overrides(Path.of(file.server().data())), ticker, nodeId);
    this.current = revision(1, file);
    metrics.use(current.quotas().tree(), nodeId, 1);
    OverrideMetrics.register(
        page.registry(), this, gateway -> gateway.overrides.inForce(gateway.current.quotas()));
    this.limiter = new Limiter(current.serving().policy(), counting.ledger(), ticker);
    Guard guard = new Guard(Wiring.bounds(file), ticker);
    for (Guard.Bound bound : Guard.Bound.values()) {
      GuardMetrics.register(page.registry(), bound.word(), guard, g -> g.keptOutBy(bound));
    }
    metrics.usageFrom(limiter::peek);
    this.adminToken = AdminToken.of(file);
    this.decisions = DecisionLogs.open(nodeId, file.log());
    decisions.countIn(page.registry());
    this.decisionDoor =
        DecisionDoor.of(
            file,
            new DecisionDoor.Deciding(limiter, counting.tickets(), counting::forget),
            () -> current.serving().replies(),
            new DecisionDoor.Told(metrics, decisions, page));
    AdminHandler.Door door = new AdminHandler.Door(nodeId, adminToken.map(AdminToken::bearer));
    this.gateway =
        Gateway.start(
            settings,
            guard,
            new ProxyHandler.Parts(
                () -> current.serving(),
                limiter,
                ticker,
                metrics,
                decisions,
                underWay,
                Idle.DEFAULT),
            new AdminHandler.Parts(
                () -> new Readiness(current.number(), current.loadedAt(), counting.state()),
                PrometheusPage.CONTENT_TYPE,
                page::scrape,
                door,
                calls(door, ticker)));
    this.decideAt = opened(file);
    gateway.each(TIDY, limiter::tidy);
    gateway.each(LOOK, () -> applyIf(overrides.look()));
    gateway.each(END, () -> applyIf(overrides.endOver()));
    counting.whenChanged(this::lookSoon);
  }

  /** Once for all that is heard until it begins. */
  private void lookSoon() {
    if (looksSoon.compareAndSet(false, true)) {
      gateway.soon(
          () -> {
            looksSoon.set(false);
            applyIf(overrides.look());
          });
    }
  }

  private Revision revision(long number, QuotaFile file) {
    Laid quotas = overrides.over(file);
    Policy policy = Policy.compile(quotas.tree(), nodeId);
    return new Revision(number, now(), file, quotas, Wiring.serving(file, policy, metrics));
  }

  private void applyIf(boolean changed) {
    if (changed) {
      applyOverrides();
    }
  }

  /** Puts the overrides that are known in force; the file's revision stays what it is. */
  private synchronized void applyOverrides() {
    Revision before = current;
    Laid quotas = overrides.over(before.file());
    Serving serving = before.serving();
    boolean changed = !quotas.tree().equals(before.quotas().tree());
    if (changed) {
      serving = serving.with(Policy.compile(quotas.tree(), nodeId));
      limiter.use(serving.policy());
    }
    current = new Revision(before.number(), before.loadedAt(), before.file(), quotas, serving);
    if (changed) {
      metrics.use(quotas.tree(), nodeId, before.number());
    }
  }

  private List<Call> calls(AdminHandler.Door door, Ticker ticker) {
    Operations operations = new Operations(this::running, limiter, () -> reloading, ticker);
    List<Call> calls = new ArrayList<>(AdminCalls.of(operations, door));
    calls.addAll(
        OverrideCalls.of(
            new Overriding(
                overrides.overlay(), this::applyOverrides, () -> current.quotas().idle()),
            operations,
            door));
    calls.addAll(decisionDoor.calls());
    return calls;
  }

  private Optional<Address> opened(QuotaFile file) throws ListenException, TlsException {
    try {
      return decisionDoor.open(gateway, file);
    } catch (ListenException | TlsException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private Operations.Running running() {
    Revision now = current;
    return new Operations.Running(
        nodeId, now.number(), now.loadedAt(), now.file(), now.quotas().tree());
  }

  /** Says how the file is read again, for those who ask for it by the admin address. */
  void reloadsBy(Supplier<Reload> reader) {
    reloading = Optional.of(reader);
  }

  /** Looks again at what is not in the quota file: the admin token, and the log's own file. */
  void lookAgain() {
    adminToken.ifPresent(AdminToken::readAgain);
    decisionDoor.readAgain();
    decisions.reopen();
  }

  /** Where requests are taken. */
  Address listen() {
    return gateway.listen();
  }

  /** Where health and metrics are shown. */
  Address admin() {
    return gateway.admin();
  }

  /** Where the decision API is by itself; empty where it is on the admin address alone. */
  Optional<Address> decideAt() {
    return decideAt;
  }

  /** What is served by now. */
  QuotaFile file() {
    return current.file();
  }

  /** Serves by another version of the file from now on; usage is kept. Answers its number. */
  synchronized long use(QuotaFile file) {
    Revision next = revision(current.number() + 1, file);
    limiter.use(next.serving().policy());
    current = next;
    metrics.use(next.quotas().tree(), nodeId, next.number());
    metrics.keepUpstreams(file.upstreams().keySet());
    adminToken.ifPresent(AdminToken::readAgain);
    decisionDoor.readAgain();
    DecisionLogs.change(decisions, file.log());
    return next.number();
  }

  private static Instant now() {
    Ticker clock = Ticker.system();
    long micros = clock.wallMicros(clock.monotonicNanos());
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.MILLIS);
  }

  /** Counts a version of the file that could not be used. */
  void refused() {
    metrics.configRefused();
  }

  /** Takes no more requests and finishes those under way; answers how many were cut off. */
  long drain(Duration atMost) {
    long cut = gateway.drain(atMost);
    counting.close();
    decisions.close();
    return cut;
  }

  @Override
  public void close() {
    gateway.close();
    counting.close();
    decisions.close();
  }
}
