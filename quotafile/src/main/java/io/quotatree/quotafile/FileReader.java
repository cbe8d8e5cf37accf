package io.quotatree.quotafile;

import io.quotatree.core.policy.ApiName;
import io.quotatree.quotafile.QuotaFile.Decide;
import io.quotatree.quotafile.QuotaFile.Guard;
import io.quotatree.quotafile.QuotaFile.Route;
import io.quotatree.quotafile.QuotaFile.Server;
import io.quotatree.quotafile.QuotaFile.Tls;
import io.quotatree.quotafile.QuotaFile.Upstream;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Nearest;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Makes a quota file of a YAML tree. */
final class FileReader {

  private final Problems problems;
  private final Fields file;

  private FileReader(Fields file, Problems problems) {
    this.file = file;
    this.problems = problems;
  }

  /** The file that a tree describes; of use only where the problems have no errors. */
  static QuotaFile read(String name, Yaml root, Problems problems) {
    Fields fields = FileFormat.FILE.read(root, problems);
    FileReader reader = new FileReader(fields, problems);
    Server server = reader.server();
    Identity identity = reader.identity();
    Map<String, Upstream> upstreams = reader.upstreams();
    List<Located<Fields>> written = fields.value(FileFormat.ROUTES, List.of());
    List<Route> routes = reader.routes(written);
    Fields quotas = fields.value(FileFormat.QUOTAS, Fields.none(root));
    TreeReader.Read tree =
        TreeReader.read(quotas, routes.stream().map(Route::match).toList(), problems);
    if (problems.sound()) {
      new FileCheck(problems).check(fields, tree);
    }
    Optional<Store> store =
        Optional.ofNullable(fields.value(StoreFormat.STORE))
            .flatMap(said -> StoreFormat.store(said, problems));
    return new QuotaFile(
        name,
        server,
        identity,
        routes,
        upstreams,
        store,
        reader.log(),
        QuotaBuilder.defaults(quotas.value(Format.DEFAULTS, Fields.none(root))),
        tree.tree());
  }

  private Server server() {
    Fields server = file.value(FileFormat.SERVER, Fields.none(file.at()));
    Address listen = server.value(FileFormat.LISTEN, Server.DEFAULT.listen());
    Address admin = server.value(FileFormat.ADMIN, Server.DEFAULT.admin());
    Located<Address> written = server.find(FileFormat.ADMIN);
    if (written != null && !admin.isLoopback() && !server.wrote(FileFormat.ADMIN_TOKEN)) {
      problems.error(
          written.at(),
          "`"
              + admin
              + "` can be reached from other machines; write `admin_token: env:QT_ADMIN_TOKEN` beside it, or `"
              + new Address("127.0.0.1", admin.port())
              + "`");
    }
    if (listen.port() == admin.port()
        && listen.port() != 0
        && (listen.isWildcard() || listen.host().equals(admin.host()))) {
      Located<Address> blamed = written == null ? server.find(FileFormat.LISTEN) : written;
      if (blamed != null) {
        problems.error(
            blamed.at(),
            "`listen` and `admin` have the same port " + admin.port() + "; write another one");
      }
    }
    return new Server(
        listen,
        admin,
        Optional.ofNullable(server.value(FileFormat.NODE_ID)),
        Optional.ofNullable(server.value(FileFormat.ADMIN_TOKEN)),
        Optional.ofNullable(server.value(FileFormat.TLS)).flatMap(FileReader::tls),
        Optional.ofNullable(server.value(FileFormat.GUARD))
            .map(FileReader::guard)
            .orElse(Guard.NONE),
        decide(server, listen, admin),
        server.value(FileFormat.DATA, Server.DEFAULT_DATA));
  }

  private Optional<Decide> decide(Fields server, Address listen, Address admin) {
    Located<Fields> written = server.find(FileFormat.DECIDE);
    Located<Address> at = written == null ? null : written.value().find(FileFormat.DECIDE_LISTEN);
    if (written == null || at == null) {
      return Optional.empty();
    }
    Fields tls = server.value(FileFormat.TLS);
    boolean certificates = tls != null && tls.wrote(FileFormat.TLS_CLIENT_CA);
    if (!certificates && !written.value().wrote(FileFormat.DECIDE_TOKENS)) {
      problems.error(
          written.at(),
          "nobody could use `decide`: no credential is configured; write `tokens: decide-tokens.yaml` in it, or `client_ca` in `tls`");
    }
    tellSamePort("listen", listen, at);
    tellSamePort("admin", admin, at);
    if (!at.value().isLoopback() && !server.wrote(FileFormat.TLS)) {
      problems.warning(
          at.at(),
          "tokens cross the network in the clear; write `tls` beside `decide`, or `"
              + new Address("127.0.0.1", at.value().port())
              + "`");
    }
    return Optional.of(
        new Decide(
            at.value(), Optional.ofNullable(written.value().value(FileFormat.DECIDE_TOKENS))));
  }

  private void tellSamePort(String name, Address other, Located<Address> decide) {
    Address address = decide.value();
    if (address.port() == other.port()
        && address.port() != 0
        && (address.isWildcard() || other.isWildcard() || address.host().equals(other.host()))) {
      problems.error(
          decide.at(),
          "`decide` and `"
              + name
              + "` have the same port "
              + address.port()
              + "; write another one");
    }
  }

  /** Empty where a file is not named, which was told. */
  private static Optional<Tls> tls(Fields tls) {
    String cert = tls.value(FileFormat.TLS_CERT);
    String key = tls.value(FileFormat.TLS_KEY);
    return cert == null || key == null
        ? Optional.empty()
        : Optional.of(new Tls(cert, key, Optional.ofNullable(tls.value(FileFormat.TLS_CLIENT_CA))));
  }

  private static Guard guard(Fields guard) {
    return new Guard(
        Optional.ofNullable(guard.value(FileFormat.GUARD_RATE)),
        count(guard, FileFormat.GUARD_IN_FLIGHT),
        count(guard, FileFormat.GUARD_CONNECTIONS));
  }

  private static OptionalInt count(Fields fields, Key<Long> key) {
    Long written = fields.value(key);
    return written == null ? OptionalInt.empty() : OptionalInt.of(Math.toIntExact(written));
  }

  private Optional<Log> log() {
    Fields log = file.value(FileFormat.LOG);
    String decisions = log == null ? null : log.value(FileFormat.DECISIONS);
    if (log == null || decisions == null) {
      return Optional.empty();
    }
    return Optional.of(
        new Log(
            decisions,
            log.value(FileFormat.ALLOWED, Log.USUAL_ALLOWED_PER_MILLION),
            log.value(FileFormat.HASH_USERS, false) ? Log.Users.HASHED : Log.Users.NAMED));
  }

  private Identity identity() {
    Fields identity = file.value(FileFormat.IDENTITY, Fields.none(file.at()));
    Map<String, Yaml> seen = new HashMap<>();
    List<Identity.Source> users = sources(identity, FileFormat.USER_FROM, seen);
    return new Identity(
        sources(identity, FileFormat.CALLER_FROM, new HashMap<>()),
        users,
        // What makes a user proven must not also say that clients make it up.
        sources(identity, FileFormat.UNPROVEN_FROM, seen),
        sources(identity, FileFormat.PLAN_FROM, new HashMap<>()),
        identity.value(FileFormat.TRUSTED_PROXIES, List.of()).stream()
            .map(Located::value)
            .toList());
  }

  private List<Identity.Source> sources(
      Fields identity, Key<List<Located<Identity.Source>>> key, Map<String, Yaml> seen) {
    List<Identity.Source> sources = new ArrayList<>();
    for (Located<Identity.Source> source : identity.value(key, List.of())) {
      String same =
          source.value() instanceof Identity.Header
              ? source.value().toString().toLowerCase(Locale.ROOT)
              : source.value().toString();
      Yaml first = seen.putIfAbsent(same, source.at());
      if (first != null) {
        problems.error(
            source.at(),
            "`"
                + source.value()
                + "` is already at "
                + first.line()
                + ":"
                + first.column()
                + "; keep one of them");
      }
      sources.add(source.value());
    }
    return sources;
  }

  private Map<String, Upstream> upstreams() {
    Map<String, Upstream> upstreams = new LinkedHashMap<>();
    for (Located<Fields> upstream : file.value(FileFormat.UPSTREAMS, List.of())) {
      upstreams.put(
          upstream.name(),
          new Upstream(
              upstream.value().value(FileFormat.TARGETS, List.of()).stream()
                  .map(Located::value)
                  .toList(),
              upstream.value().value(FileFormat.TIMEOUT, Upstream.DEFAULT_TIMEOUT)));
    }
    return upstreams;
  }

  private List<Route> routes(List<Located<Fields>> written) {
    Located<List<Located<Fields>>> upstreams = file.find(FileFormat.UPSTREAMS);
    Set<String> known =
        upstreams != null && upstreams.at() instanceof Yaml.Mapping mapping
            ? mapping.names()
            : Set.of();
    List<Route> routes = new ArrayList<>();
    List<Located<ApiName>> matches = new ArrayList<>();
    for (Located<Fields> route : written) {
      Located<ApiName> match = route.value().find(RouteFormat.MATCH);
      Located<String> upstream = route.value().find(RouteFormat.UPSTREAM);
      if (upstream != null
          && !known.contains(upstream.value())
          && !(upstreams == null && file.wrote(FileFormat.UPSTREAMS))) {
        problems.error(
            upstream.at(),
            "the upstream `"
                + upstream.value()
                + "` is not in `upstreams`; "
                + (known.isEmpty() ? "write it there" : Nearest.advice(upstream.value(), known)));
      }
      if (match != null) {
        tellCovered(match, matches);
        matches.add(match);
        routes.add(
            new Route(
                match.value().text(),
                upstream == null ? "" : upstream.value(),
                match.at().line(),
                RouteFormat.terms(route.value())));
      }
    }
    return routes;
  }

  private void tellCovered(Located<ApiName> match, List<Located<ApiName>> before) {
    for (Located<ApiName> earlier : before) {
      if (earlier.value().covers(match.value())) {
        problems.error(
            match.at(),
            "`"
                + match.value().text()
                + "` can never match: all of it goes to `"
                + earlier.value().text()
                + "` at "
                + earlier.at().line()
                + ":"
                + earlier.at().column()
                + "; put it before that one, or leave it out");
        return;
      }
    }
  }
}
