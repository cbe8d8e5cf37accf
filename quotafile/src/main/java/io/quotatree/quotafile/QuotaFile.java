package io.quotatree.quotafile;

import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Enforcement;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.policy.QuotaTree;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * All that a quota file says. Immutable.
 *
 * @param name the file's name as it was given
 * @param server where the gateway listens
 * @param identity where a request's identity comes from
 * @param routes which upstream serves a path, the first that fits winning; empty where the file has
 *     none
 * @param upstreams the services behind, by name, in the order of the file
 * @param store where usage is counted; empty for this process's memory
 * @param log what is written down of decisions; empty for nothing
 * @param defaults what holds where a quota does not say
 * @param quotas the quotas, with inheritance worked out
 */
public record QuotaFile(
    String name,
    Server server,
    Identity identity,
    List<Route> routes,
    Map<String, Upstream> upstreams,
    Optional<Store> store,
    Optional<Log> log,
    Defaults defaults,
    QuotaTree quotas) {

  /** Copies the collections. */
  public QuotaFile {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(server, "server");
    Objects.requireNonNull(identity, "identity");
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(log, "log");
    Objects.requireNonNull(defaults, "defaults");
    Objects.requireNonNull(quotas, "quotas");
    routes = List.copyOf(routes);
    upstreams = Collections.unmodifiableMap(new LinkedHashMap<>(upstreams));
  }

  /**
   * Where the gateway listens. A change of it needs a restart.
   *
   * @param listen for requests
   * @param admin for health, metrics and the admin API
   * @param nodeId the gateway's name; empty for the host's
   * @param adminToken where the secret is that users of {@code admin} present; empty for none, on
   *     the loopback alone
   * @param tls the files that TLS is spoken by on {@code listen}; empty for none
   * @param guard the bounds of the gateway as a whole
   * @param decide the decision API on an address of its own; empty for none
   * @param data the folder of what the gateway keeps by itself, a relative path beginning at the
   *     working directory
   */
  public record Server(
      Address listen,
      Address admin,
      Optional<String> nodeId,
      Optional<Secret> adminToken,
      Optional<Tls> tls,
      Guard guard,
      Optional<Decide> decide,
      String data) {

    /** Where a gateway keeps things that nobody says a place for. */
    public static final String DEFAULT_DATA = "quotatree-data";

    /** All addresses for requests, the loopback for the rest. */
    public static final Server DEFAULT =
        new Server(
            new Address("0.0.0.0", 8080),
            new Address("127.0.0.1", 9090),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Guard.NONE,
            Optional.empty(),
            DEFAULT_DATA);
  }

  /**
   * What holds where a quota does not say, so that a quota that is written elsewhere means the same
   * as in the file.
   *
   * @param period of rates that are bare numbers; empty: they are an error
   * @param algorithm of all quotas; empty: each kind has its usual one
   * @param accounting of all quotas
   * @param enforcement of all quotas
   */
  public record Defaults(
      Optional<Duration> period,
      Optional<AlgorithmName> algorithm,
      Accounting accounting,
      Enforcement enforcement) {

    /** Of a file that says nothing. */
    public static final Defaults NONE =
        new Defaults(Optional.empty(), Optional.empty(), Accounting.STRICT, Enforcement.ENFORCED);
  }

  /**
   * The decision API on an address of its own.
   *
   * @param listen where
   * @param tokens the file of the tokens that admit to it, a relative path beginning at the working
   *     directory; empty where client certificates do
   */
  public record Decide(Address listen, Optional<String> tokens) {}

  /**
   * The files, in PEM, that TLS is spoken by. A relative path begins at the working directory.
   *
   * @param cert the certificate, with those that lead to its authority
   * @param key its private key
   * @param clientCa the authorities whose certificates clients need; empty: they need none
   */
  public record Tls(String cert, String key, Optional<String> clientCa) {}

  /**
   * The bounds of a gateway as a whole; each may be missing.
   *
   * @param rate of requests
   * @param inFlight requests at the same time
   * @param connections of clients at the same time
   */
  public record Guard(Optional<Rate> rate, OptionalInt inFlight, OptionalInt connections) {

    /** No bounds. */
    public static final Guard NONE =
        new Guard(Optional.empty(), OptionalInt.empty(), OptionalInt.empty());
  }

  /**
   * Paths and the service that answers them.
   *
   * @param match an api name: {@code /path/**} or {@code METHOD /path}
   * @param upstream the name of the upstream
   * @param line the route's line in the file
   * @param terms what it wants and allows besides
   */
  public record Route(String match, String upstream, int line, Terms terms) {}

  /**
   * What a route wants of requests, and what it allows.
   *
   * @param headers header fields that a request must have
   * @param query query parameters that a request must have, with the values that each may have
   * @param refundOn the upstream's statuses that give the permits back
   * @param origins whose web pages may read answers; empty where that is the upstream's affair
   */
  public record Terms(
      List<String> headers,
      Map<String, List<String>> query,
      Set<Integer> refundOn,
      Set<String> origins) {

    /** None. */
    public static final Terms NONE = new Terms(List.of(), Map.of(), Set.of(), Set.of());

    /** Copies the collections. */
    public Terms {
      headers = List.copyOf(headers);
      query = Collections.unmodifiableMap(new LinkedHashMap<>(query));
      refundOn = Set.copyOf(refundOn);
      origins = Collections.unmodifiableSet(new LinkedHashSet<>(origins));
    }
  }

  /**
   * A service behind the gateway.
   *
   * @param targets where it runs, at least one; they take turns
   * @param timeout how long an answer may take
   */
  public record Upstream(List<URI> targets, Duration timeout) {

    /** How long an answer may take where nothing is said. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    /** Copies the list. */
    public Upstream {
      targets = List.copyOf(targets);
    }
  }
}
