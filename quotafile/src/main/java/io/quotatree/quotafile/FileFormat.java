package io.quotatree.quotafile;

import static io.quotatree.quotafile.yaml.Key.optional;
import static io.quotatree.quotafile.yaml.Key.required;

import io.quotatree.core.limit.Rate;
import io.quotatree.quotafile.yaml.Durations;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Section;
import io.quotatree.quotafile.yaml.Shape;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The table of keys of a whole file: what stands around the quotas, whose own table is {@link
 * Format}.
 */
final class FileFormat {

  /** How targets are spoken to: HTTP/1.1, and HTTP/2 in the clear and over TLS. */
  private static final Set<String> SCHEMES = Set.of("http", "https", "h2c", "h2");

  private static final int MOST_AT_ONCE = 1_000_000_000;

  static final Key<Address> LISTEN =
      optional("listen", Address.SHAPE, "Where the gateway listens; default: 0.0.0.0:8080.");

  static final Key<Address> ADMIN =
      optional(
          "admin",
          Address.SHAPE,
          "Where health, metrics and the admin API are; off the loopback it needs `admin_token`; default: 127.0.0.1:9090.");

  static final Key<Secret> ADMIN_TOKEN =
      optional(
          "admin_token",
          Secret.SHAPE,
          "Where the secret is that users of `admin` present, as env:NAME or file:PATH; never the secret itself.");

  static final Key<String> NODE_ID =
      optional(
          "node_id",
          Shape.text("a name", "`gateway-01`"),
          "This gateway's name; default: the host name.");

  static final Key<String> TLS_CERT =
      required(
          "cert",
          Shape.text("the path of a file", "`server.crt`"),
          "The certificate in PEM, with those that lead to its authority; read again when it changes.");

  static final Key<String> TLS_KEY =
      required(
          "key",
          Shape.text("the path of a file", "`server.key`"),
          "Its private key in PEM, without a password.");

  static final Key<String> TLS_CLIENT_CA =
      optional(
          "client_ca",
          Shape.text("the path of a file", "`clients.crt`"),
          "The authorities of clients in PEM; then each client needs a certificate of theirs.");

  static final Key<Fields> TLS =
      optional(
          "tls",
          Format.section("tls", List.of(TLS_CERT, TLS_KEY, TLS_CLIENT_CA)).shape(),
          "What TLS is spoken by on `listen`; default: it is in the clear.");

  static final Key<Address> DECIDE_LISTEN =
      required("listen", Address.SHAPE, "Where the decision API is, for others than operators.");

  static final Key<String> DECIDE_TOKENS =
      optional(
          "tokens",
          Shape.text("a file", "`decide-tokens.yaml`"),
          "A file of salted hashes of the tokens that admit to it, `NAME: sha256:SALT:HASH` each.");

  static final Key<Fields> DECIDE =
      optional(
          "decide",
          Format.section("decide", List.of(DECIDE_LISTEN, DECIDE_TOKENS)).shape(),
          "The decision API on an address of its own; it needs `tokens`, or `tls.client_ca`; default: only on `admin`.");

  static final Key<Rate> GUARD_RATE =
      optional(
          "rate",
          Shape.parsed(
              new Shape.Words("a rate", "`20k/s`"), WrittenRate.schema(""), FileFormat::guardRate),
          "Requests per time.");

  static final Key<Long> GUARD_IN_FLIGHT =
      optional("in_flight", Shape.count(1, MOST_AT_ONCE), "Requests at the same time.");

  static final Key<Long> GUARD_CONNECTIONS =
      optional(
          "connections", Shape.count(1, MOST_AT_ONCE), "Connections of clients at the same time.");

  static final Key<Fields> GUARD =
      optional(
          "guard",
          Format.section("guard", List.of(GUARD_RATE, GUARD_IN_FLIGHT, GUARD_CONNECTIONS)).shape(),
          "What the gateway takes as a whole, before all else; what is over it gets a 503.");

  static final Key<String> DATA =
      optional(
          "data",
          Shape.text("the path of a folder", "`./quotatree-data`"),
          "Where the gateway keeps what it is to remember, such as overrides; default: quotatree-data.");

  static final Key<Fields> SERVER =
      optional(
          "server",
          Format.section(
                  "server", List.of(LISTEN, ADMIN, ADMIN_TOKEN, DECIDE, NODE_ID, DATA, TLS, GUARD))
              .shape(),
          "Where to listen.");

  private static final Shape<Identity.Source> SOURCE =
      Shape.text(
          new Shape.Words("a source of names", "`\"header:X-App-Id\"` or `\"cookie:sid\"`"),
          "^(header|cookie):[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
          Identity::source);

  static final Key<List<Located<Identity.Source>>> CALLER_FROM =
      source("caller", "The calling application.");
  static final Key<List<Located<Identity.Source>>> USER_FROM = source("user", "The end user.");
  static final Key<List<Located<Identity.Source>>> UNPROVEN_FROM =
      source("unproven", "Ids that clients make up.");
  static final Key<List<Located<Identity.Source>>> PLAN_FROM = source("plan", "The user's plan.");

  static final Key<List<Located<Network>>> TRUSTED_PROXIES =
      optional(
          "trusted_proxies",
          Shape.list(Network.SHAPE, 0),
          "From these alone forwarded addresses and identity headers are believed; default: none.");

  static final Key<Fields> IDENTITY =
      optional(
          "identity",
          Format.section(
                  "identity",
                  List.of(CALLER_FROM, USER_FROM, UNPROVEN_FROM, PLAN_FROM, TRUSTED_PROXIES))
              .shape(),
          "Where a request's identity comes from; of each list the first that is present wins.");

  static final Key<List<Located<Fields>>> ROUTES =
      optional(
          "routes",
          Shape.list(Format.section("route", RouteFormat.KEYS).shape(), 1),
          "Which upstream serves a path; the first that fits wins, and none is a 404.");

  static final Key<List<Located<URI>>> TARGETS =
      required(
          "targets",
          Shape.list(
              Shape.text(
                  new Shape.Words("an address of a service", "`\"http://127.0.0.1:9001\"`"),
                  "^(https?|h2c?)://[^/]+/?$",
                  FileFormat::target),
              1),
          "Where it runs; they take turns.");

  static final Key<Duration> TIMEOUT =
      optional(
          "timeout",
          Durations.shape(Duration.ofMillis(1), Duration.ofDays(1)),
          "How long an answer may take; default: 60s.");

  static final Key<List<Located<Fields>>> UPSTREAMS =
      optional(
          "upstreams",
          Shape.map(
              Shape.text("a name", "`orders`"),
              Format.section("upstream", List.of(TARGETS, TIMEOUT)).shape()),
          "The services behind the gateway.");

  static final Key<String> DECISIONS =
      required(
          "decisions",
          Shape.text("a file or stdout", "`decisions.jsonl` or `stdout`"),
          "Where decisions are written to, as JSON lines: a file, or stdout.");

  static final Key<Integer> ALLOWED =
      optional(
          "allowed",
          Log.SHARE,
          "The share of allowed requests that is written down, besides all refusals; default: 1%.");

  static final Key<Boolean> HASH_USERS =
      optional(
          "hash_users",
          Shape.flag(),
          "Write salted hashes of users' ids and addresses; default: false.");

  static final Key<Fields> LOG =
      optional(
          "log",
          Format.section("log", List.of(DECISIONS, ALLOWED, HASH_USERS)).shape(),
          "What is written down of decisions; default: nothing.");

  static final Key<Fields> QUOTAS =
      required("quotas", Format.QUOTAS.shape(), "The tree of quotas.");

  static final Section FILE =
      Format.section(
          "file", List.of(SERVER, IDENTITY, ROUTES, UPSTREAMS, StoreFormat.STORE, LOG, QUOTAS));

  private FileFormat() {}

  private static Key<List<Located<Identity.Source>>> source(String name, String doc) {
    return optional(name, Shape.list(SOURCE, 1), doc);
  }

  /** A rate with its period; what else stands for a quota has no meaning here. */
  private static Rate guardRate(String text) {
    try {
      return WrittenRate.parse(text).with(null);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "`" + text + "` is not a rate; write requests per period, 1 or more, such as `20k/s`", e);
    }
  }

  private static URI target(String text) {
    try {
      URI uri = URI.create(text);
      boolean web = uri.getScheme() != null && SCHEMES.contains(uri.getScheme());
      boolean bare =
          uri.getRawPath() == null || uri.getRawPath().isEmpty() || uri.getRawPath().equals("/");
      if (web
          && bare
          && uri.getHost() != null
          && uri.getRawQuery() == null
          && uri.getRawUserInfo() == null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(notTarget(text), e);
    }
    throw new IllegalArgumentException(notTarget(text));
  }

  private static String notTarget(String text) {
    return "`"
        + text
        + "` is no address of a service; write scheme, host and port alone, such as `http://127.0.0.1:9001`, or `h2c://…` for HTTP/2";
  }
}
