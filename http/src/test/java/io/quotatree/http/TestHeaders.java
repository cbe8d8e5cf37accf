package io.quotatree.http;

import java.util.ArrayList;
import java.util.List;

/** Header lines for tests; names without case, as servers look them up. */
final class TestHeaders {

  private TestHeaders() {}

  static RequestHeaders of(String... namesAndValues) {
    return name -> {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < namesAndValues.length; i += 2) {
        if (namesAndValues[i].equalsIgnoreCase(name)) {
          lines.add(namesAndValues[i + 1]);
        }
      }
      return lines;
    };
  }
}
