package io.quotatree.quotafile;

import static io.quotatree.quotafile.yaml.Key.optional;
import static io.quotatree.quotafile.yaml.Key.required;

import io.quotatree.core.policy.ApiName;
import io.quotatree.quotafile.QuotaFile.Terms;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Shape;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The table of keys of a route, and what they come to. */
final class RouteFormat {

  static final Key<ApiName> MATCH = required("match", Names.API_NAME, "The paths, as an api name.");

  static final Key<String> UPSTREAM =
      required("upstream", Shape.text("the name of an upstream", "`orders`"), "Who answers them.");

  private static final String HEADER_PATTERN = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
  private static final Pattern HEADER = Pattern.compile(HEADER_PATTERN);

  private static final Key<List<Located<String>>> HEADERS =
      optional(
          "headers",
          Shape.list(
              Shape.text(
                  new Shape.Words("the name of a header", "`Content-Type`"),
                  HEADER_PATTERN,
                  RouteFormat::header),
              1),
          "Header fields that a request must have, with a value.");

  private static final Key<List<Located<List<Located<String>>>>> QUERY =
      optional(
          "query",
          Shape.map(
              Shape.text("the name of a query parameter", "`type`"),
              Shape.list(Shape.text("a value", "`enabled`"), 1)),
          "Query parameters that a request must have, each with the values that it may have.");

  private static final Key<Fields> REQUIRE =
      optional(
          "require",
          Format.section("require", List.of(HEADERS, QUERY)).shape(),
          "What a request must bring; else it is answered with 400 and nothing is charged.");

  static final Key<List<Located<Long>>> REFUND_ON =
      optional(
          "refund_on",
          Shape.list(Shape.count(200, 599), 1),
          "Statuses of the upstream's that give a request's permits back; default: none.");

  private static final String ORIGIN_PATTERN =
      "^(\\*|https?://([a-z0-9._-]+|\\[[0-9a-f:.]+\\])(:[0-9]{1,5})?)$";
  private static final Pattern ORIGIN = Pattern.compile(ORIGIN_PATTERN);

  private static final Key<List<Located<String>>> ORIGINS =
      required(
          "origins",
          Shape.list(
              Shape.text(
                  new Shape.Words("an origin", "`\"https://shop.example\"`"),
                  ORIGIN_PATTERN,
                  RouteFormat::origin),
              1),
          "Whose web pages may read answers, as browsers write them; `*` for all, without cookies.");

  private static final Key<Fields> CORS =
      optional(
          "cors",
          Format.section("cors", List.of(ORIGINS)).shape(),
          "Lets web pages read answers and refusals; the gateway then answers preflights itself.");

  static final List<Key<?>> KEYS = List.of(MATCH, UPSTREAM, REQUIRE, REFUND_ON, CORS);

  private RouteFormat() {}

  private static String header(String text) {
    if (!HEADER.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "`" + text + "` is no name of a header; write one such as `Content-Type`");
    }
    return text;
  }

  private static String origin(String text) {
    if (!ORIGIN.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` is no origin; write scheme and host in lower case, without a path, such as `https://shop.example`, or `*` for all");
    }
    return text;
  }

  /** What a route wants and allows besides leading to its upstream. */
  static Terms terms(Fields route) {
    Fields require = route.value(REQUIRE, Fields.none(route.at()));
    Map<String, List<String>> query = new LinkedHashMap<>();
    for (Located<List<Located<String>>> parameter : require.value(QUERY, List.of())) {
      query.put(parameter.name(), values(parameter.value()));
    }
    Fields cors = route.value(CORS, Fields.none(route.at()));
    return new Terms(
        values(require.value(HEADERS, List.of())),
        query,
        Set.copyOf(
            route.value(REFUND_ON, List.of()).stream().map(s -> s.value().intValue()).toList()),
        new LinkedHashSet<>(values(cors.value(ORIGINS, List.of()))));
  }

  private static <T> List<T> values(List<Located<T>> located) {
    return located.stream().map(Located::value).toList();
  }

  /** Tells what would give permits back to those who cause failures or look for what is not. */
  static void tellOddRefunds(Fields route, Problems problems) {
    for (Located<Long> status : route.value(REFUND_ON, List.of())) {
      if (status.value() == 404) {
        problems.warning(
            status.at(),
            "whoever asks for paths that are not there gets the permits back, so no quota slows a search for them down; leave 404 out");
      } else if (status.value() >= 500) {
        problems.warning(
            status.at(),
            "an upstream that fails gives the permits back, so its quotas do not slow callers down when it needs it most; leave "
                + status.value()
                + " out");
      }
    }
  }
}
