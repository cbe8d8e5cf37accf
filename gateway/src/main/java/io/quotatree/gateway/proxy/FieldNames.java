package io.quotatree.gateway.proxy;

import io.quotatree.http.QuotaReplies;
import io.vertx.core.http.HttpHeaders;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The names of the fields that are on most answers, as octets whose hash is known: a name that is a
 * string is hashed and turned into octets on each of them.
 */
final class FieldNames {

  private static final Map<String, CharSequence> KNOWN =
      QuotaReplies.fieldNames().stream()
          .collect(Collectors.toMap(Function.identity(), HttpHeaders::createOptimized));

  private FieldNames() {}

  static CharSequence of(String name) {
    return KNOWN.getOrDefault(name, name);
  }
}
