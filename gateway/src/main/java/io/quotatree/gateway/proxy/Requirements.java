package io.quotatree.gateway.proxy;

import io.vertx.core.MultiMap;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a route wants of each request before anything is counted. Immutable.
 *
 * @param headers header fields that must be there, with a value
 * @param query query parameters that must be there, and the values that each may have; one that is
 *     given several times must have such a value each time, since servers do not agree which counts
 */
public record Requirements(List<String> headers, Map<String, List<String>> query) {

  /** Nothing. */
  public static final Requirements NONE = new Requirements(List.of(), Map.of());

  /** Copies the collections. */
  public Requirements {
    Objects.requireNonNull(headers, "headers");
    headers = List.copyOf(headers);
    query = Map.copyOf(query);
  }

  /**
   * Says what a request lacks, all at once; null for nothing.
   *
   * @param query the question mark and what follows it; empty for none
   */
  @Nullable String lacking(MultiMap header, String query) {
    if (headers.isEmpty() && this.query.isEmpty()) {
      return null;
    }
    List<String> lacking = new ArrayList<>();
    for (String name : headers) {
      String value = header.get(name);
      if (value == null || value.isBlank()) {
        lacking.add("the header " + name + " is missing; send it");
      }
    }
    if (!this.query.isEmpty()) {
      List<Map.Entry<String, String>> parameters = parameters(query);
      this.query.forEach((name, values) -> lackingIn(parameters, name, values, lacking));
    }
    return lacking.isEmpty() ? null : String.join("; ", lacking);
  }

  private static void lackingIn(
      List<Map.Entry<String, String>> parameters,
      String name,
      List<String> values,
      List<String> lacking) {
    List<String> given =
        parameters.stream().filter(p -> p.getKey().equals(name)).map(Map.Entry::getValue).toList();
    if (given.isEmpty() || !values.containsAll(given)) {
      lacking.add(
          "the query parameter "
              + name
              + (given.isEmpty() ? " is missing" : " has a value that is not known here")
              + "; send one of "
              + String.join(", ", values));
    }
  }

  private static List<Map.Entry<String, String>> parameters(String query) {
    List<Map.Entry<String, String>> parameters = new ArrayList<>();
    String text = query.isEmpty() ? "" : query.substring(1);
    for (String pair : text.split("&", -1)) {
      int equals = pair.indexOf('=');
      parameters.add(
          Map.entry(
              decoded(equals < 0 ? pair : pair.substring(0, equals)),
              equals < 0 ? "" : decoded(pair.substring(equals + 1))));
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException("the query holds a percent sign that begins no escape");
    }
  }
}
