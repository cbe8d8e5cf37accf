package io.quotatree.bench.redis;

import io.quotatree.bench.load.Names;
import java.util.List;

/** The keys of a request's four counters, for limiters that know flat keys alone. */
final class FlatKeys {

  private FlatKeys() {}

  static List<String> of(Names names) {
    return List.of(
        "node", "caller:" + names.caller(), "user:" + names.userKey(), "api:" + names.path());
  }
}
