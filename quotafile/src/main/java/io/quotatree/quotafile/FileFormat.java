package io.quotatree.quotafile;

import static io.quotatree.quotafile.yaml.Key.optional;
import static io.quotatree.quotafile.yaml.Key.required;

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

  static final Key<Address> LISTEN =
      optional("listen", Address.SHAPE, "Where the gateway listens; default: 0.0.0.0:8080.");

  static final Key<Address> ADMIN =
      optional(
          "admin",
          Address.SHAPE,
          "Where metrics and health are, on the loopback; default: 127.0.0.1:9090.");

  static final Key<String> NODE_ID =
      optional(
          "node_id",
          Shape.text("a name", "`gateway-01`"),
          "This gateway's name; default: the host name.");

  static final Key<Fields> SERVER =
      optional(
          "server",
          Format.section("server", List.of(LISTEN, ADMIN, NODE_ID)).shape(),
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

  static final Key<Fields> QUOTAS =
      required("quotas", Format.QUOTAS.shape(), "The tree of quotas.");

  static final Section FILE =
      Format.section("file", List.of(SERVER, IDENTITY, ROUTES, UPSTREAMS, QUOTAS));

  private FileFormat() {}

  private static Key<List<Located<Identity.Source>>> source(String name, String doc) {
    return optional(name, Shape.list(SOURCE, 1), doc);
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
