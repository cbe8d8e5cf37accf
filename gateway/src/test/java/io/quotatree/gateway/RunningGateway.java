package io.quotatree.gateway;

import io.quotatree.core.engine.Limiter;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.ticket.FleetTickets;
import io.quotatree.core.ticket.Tickets;
import io.quotatree.core.time.ManualTicker;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.admin.AdminHandler;
import io.quotatree.gateway.admin.BearerToken;
import io.quotatree.gateway.admin.Readiness;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.decision.DecisionCalls;
import io.quotatree.gateway.decision.DecisionHandler;
import io.quotatree.gateway.proxy.Idle;
import io.quotatree.gateway.proxy.ProxyHandler;
import io.quotatree.gateway.proxy.Route;
import io.quotatree.gateway.proxy.Serving;
import io.quotatree.gateway.proxy.Target;
import io.quotatree.gateway.proxy.UnderWay;
import io.quotatree.gateway.proxy.Upstream;
import io.quotatree.gateway.server.Address;
import io.quotatree.gateway.server.Gateway;
import io.quotatree.gateway.server.Guard;
import io.quotatree.gateway.server.ListenException;
import io.quotatree.gateway.server.Settings;
import io.quotatree.gateway.server.Tls;
import io.quotatree.gateway.server.TlsException;
import io.quotatree.http.AddressBlock;
import io.quotatree.http.IdentityConfig;
import io.quotatree.http.IdentityReader;
import io.quotatree.http.IdentitySource;
import io.quotatree.observe.GuardMetrics;
import io.quotatree.observe.Metrics;
import io.quotatree.observe.PrometheusPage;
import io.quotatree.observe.Readings;
import io.quotatree.observe.log.DecisionLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A gateway on free loopback ports, whose quotas run on a clock that the test moves. */
public final class RunningGateway implements AutoCloseable {

  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Identity as most gateways have it: headers, believed from this machine. */
  static final IdentityConfig TRUSTED =
      new IdentityConfig(
          List.of(IdentitySource.parse("header:X-App-Id")),
          List.of(IdentitySource.parse("header:X-User-Id")),
          List.of(),
          List.of(),
          List.of(AddressBlock.parse("127.0.0.0/8")));

  /** The same headers, believed from nobody. */
  static final IdentityConfig UNTRUSTED =
      new IdentityConfig(TRUSTED.caller(), TRUSTED.user(), List.of(), List.of(), List.of());

  static final int EVENT_LOOPS = 2;

  final ManualTicker ticker = new ManualTicker(START);
  final MemoryLedger ledger = new MemoryLedger();
  final PrometheusPage page = new PrometheusPage();
  final UnderWay underWay = new UnderWay();
  final DecisionLog decisions = new DecisionLog("gateway-01");
  final Metrics metrics;
  final Limiter limiter;
  final ProxyHandler.Parts parts;
  final Guard guard;
  final Gateway gateway;
  final Tickets tickets;

  /** Where the decision API is by itself; port 0 where it is not. */
  final Address decideAt;

  private volatile Serving serving;

  private RunningGateway(Setup setup) throws ListenException, TlsException {
    metrics =
        new Metrics(
            page.registry(), new Readings(ledger::subjects, ledger::overflows, underWay::requests));
    serving = serving(setup.tree, setup);
    limiter = new Limiter(serving.policy(), setup.decidedBy.apply(ledger), ticker);
    metrics.use(setup.tree, "gateway-01", 1);
    metrics.usageFrom(limiter::peek);
    Ticker shown = setup.shownTime == null ? ticker : setup.shownTime;
    parts =
        new ProxyHandler.Parts(
            () -> serving, limiter, shown, metrics, decisions, underWay, setup.idle);
    guard = new Guard(setup.bounds, ticker);
    tickets = limiter.tickets(setup.mostIds);
    List<Call> decisionCalls =
        new DecisionCalls(
                new DecisionCalls.Parts(
                    limiter,
                    new FleetTickets(tickets, Optional.empty(), () -> {}),
                    () -> serving.replies(),
                    shown,
                    metrics,
                    decisions))
            .calls();
    List<Call> calls = new ArrayList<>(setup.calls.apply(this));
    if (setup.decides) {
      calls.addAll(decisionCalls);
    }
    for (Guard.Bound bound : Guard.Bound.values()) {
      GuardMetrics.register(page.registry(), bound.word(), guard, g -> g.keptOutBy(bound));
    }
    gateway =
        Gateway.start(
            setup.settings(),
            guard,
            parts,
            new AdminHandler.Parts(
                () -> new Readiness(1, START, "memory"),
                PrometheusPage.CONTENT_TYPE,
                page::scrape,
                new AdminHandler.Door("gateway-01", setup.token),
                calls));
    decideAt =
        setup.credentials == null
            ? setup.admin
            : gateway.decideAt(new Address("127.0.0.1", 0), setup.credentials, decisionCalls);
  }

  private Serving serving(QuotaTree tree, Setup setup) {
    QuotaTree routed = tree.routes().isEmpty() ? tree.withRoutes(List.of("/**")) : tree;
    Route route = setup.route(metrics);
    return Serving.of(
        Policy.compile(routed, "gateway-01"),
        routed.routes().stream().map(match -> route).toList(),
        new IdentityReader(setup.identity));
  }

  static Setup of(QuotaTree tree) {
    return new Setup(tree);
  }

  /** Puts other quotas in force, as a reload does. */
  void reload(QuotaTree tree, Setup setup) {
    Serving next = serving(tree, setup);
    limiter.use(next.policy());
    serving = next;
  }

  int port() {
    return gateway.listen().port();
  }

  int adminPort() {
    return gateway.admin().port();
  }

  RawHttp connect() {
    return RawHttp.connect(port());
  }

  /** Waits until no request is under way any more. */
  void awaitQuiet() {
    Eventually.holds("no request under way", () -> underWay.requests() == 0);
  }

  @Override
  public void close() {
    gateway.close();
    decisions.close();
  }

  /** What a gateway is started with. */
  static final class Setup {
    private final QuotaTree tree;
    private IdentityConfig identity = TRUSTED;
    private List<Target> targets = List.of(target(1));
    private Duration timeout = Duration.ofSeconds(10);
    private Ticker watchedBy = Ticker.system();
    private UnaryOperator<Route> routed = UnaryOperator.identity();
    private Idle idle = new Idle(Duration.ofSeconds(10), Duration.ofSeconds(10));
    private Settings.Patience patience = Settings.Patience.USUAL;
    private Guard.Bounds bounds = new Guard.Bounds(null, Integer.MAX_VALUE, Integer.MAX_VALUE);
    private @Nullable Tls tls;
    private @Nullable Ticker shownTime;
    private Address admin = new Address("127.0.0.1", 0);
    private Optional<BearerToken> token = Optional.empty();
    private Function<RunningGateway, List<Call>> calls = started -> List.of();
    private boolean decides;
    private int mostIds = 10_000;

    /** With {@code -Dquotatree.late=true} all tests wait for their decisions. */
    private Function<Ledger, Ledger> decidedBy =
        Boolean.getBoolean("quotatree.late") ? LateLedger::new : memory -> memory;

    private DecisionHandler.@Nullable Credentials credentials;

    private Setup(QuotaTree tree) {
      this.tree = tree;
    }

    Setup to(int... ports) {
      return to(Duration.ofSeconds(10), ports);
    }

    Setup to(Duration timeout, int... ports) {
      this.timeout = timeout;
      return to(Arrays.stream(ports).mapToObj(Setup::target).toArray(Target[]::new));
    }

    Setup to(Target... changed) {
      targets = List.of(changed);
      return this;
    }

    /** The clock by which targets are left out. */
    Setup watchedBy(Ticker changed) {
      watchedBy = changed;
      return this;
    }

    /** What the routes want besides. */
    Setup routed(UnaryOperator<Route> changed) {
      routed = changed;
      return this;
    }

    private Route route(Metrics metrics) {
      return routed.apply(
          Route.to(
              new Upstream(
                  "orders",
                  targets,
                  timeout,
                  new Upstream.Watch(watchedBy, metrics.upstream("orders")))));
    }

    Setup identity(IdentityConfig changed) {
      identity = changed;
      return this;
    }

    Setup idle(Duration changed) {
      return idle(new Idle(changed, changed));
    }

    Setup idle(Idle changed) {
      idle = changed;
      return this;
    }

    Setup keepAlive(Duration changed) {
      return patience(changed, changed);
    }

    Setup patience(Duration idleConnection, Duration head) {
      patience = new Settings.Patience(idleConnection, head);
      return this;
    }

    Setup guard(Guard.Bounds changed) {
      bounds = changed;
      return this;
    }

    Setup tls(Tls added) {
      tls = added;
      return this;
    }

    private Settings settings() {
      Address anyPort = new Address("127.0.0.1", 0);
      Settings settings =
          Settings.on(anyPort, admin).withEventLoops(EVENT_LOOPS).withPatience(patience);
      return tls == null ? settings : settings.withTls(tls);
    }

    /** A clock for what answers show; the quotas keep the test's own. */
    Setup shownTime(Ticker changed) {
      shownTime = changed;
      return this;
    }

    /** An admin address that other machines could reach, with the token that it asks for. */
    Setup adminEverywhere(BearerToken asked) {
      admin = new Address("0.0.0.0", 0);
      token = Optional.of(asked);
      return this;
    }

    Setup calls(Call... shown) {
      return callsOf(started -> List.of(shown));
    }

    /** Calls that need the gateway's parts; it does not answer yet when they are made. */
    Setup callsOf(Function<RunningGateway, List<Call>> made) {
      calls = made;
      return this;
    }

    /** The decision API on the admin address, with so many ids. */
    Setup deciding(int most) {
      decides = true;
      mostIds = most;
      return this;
    }

    /** A ledger around that of the test. */
    Setup decidedBy(Function<Ledger, Ledger> made) {
      decidedBy = made;
      return this;
    }

    /** The decision API on an address of its own. */
    Setup decidingFor(DecisionHandler.Credentials admitted) {
      credentials = admitted;
      return this;
    }

    private static Target target(int port) {
      return new Target(Target.Transport.CLEAR, "127.0.0.1", port);
    }

    RunningGateway start() {
      try {
        return new RunningGateway(this);
      } catch (ListenException | TlsException e) {
        throw new AssertionError(e);
      }
    }
  }
}
