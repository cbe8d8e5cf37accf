package io.quotatree.http;

import java.util.Objects;

/** One place in a request where a part of its identity may stand. */
public sealed interface IdentitySource {

  /** The header's or cookie's name. */
  String name();

  /** The source as quota files write it: {@code header:X-App-Id}, {@code cookie:sid}. */
  String text();

  /**
   * Reads a source as quota files write it.
   *
   * @throws IllegalArgumentException if it is neither {@code header:NAME} nor {@code cookie:NAME},
   *     or NAME is no name that a request could carry
   */
  static IdentitySource parse(String text) {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String name = colon < 0 ? "" : text.substring(colon + 1);
    return switch (kind) {
      case "header" -> new Header(name);
      case "cookie" -> new Cookie(name);
      default ->
          throw new IllegalArgumentException(
              "identity source `" + text + "`: write header:NAME or cookie:NAME");
    };
  }

  /**
   * A header field.
   *
   * @param name its name; case does not count
   */
  record Header(String name) implements IdentitySource {
    /** Refuses what no header is called. */
    public Header {
      requireToken("header", name);
    }

    @Override
    public String text() {
      return "header:" + name;
    }
  }

  /**
   * A cookie.
   *
   * @param name its name; case counts
   */
  record Cookie(String name) implements IdentitySource {
    /** Refuses what no cookie is called. */
    public Cookie {
      requireToken("cookie", name);
    }

    @Override
    public String text() {
      return "cookie:" + name;
    }
  }

  private static void requireToken(String kind, String name) {
    Objects.requireNonNull(name, "name");
    if (name.isEmpty() || !name.chars().allMatch(IdentitySource::isTokenChar)) {
      throw new IllegalArgumentException(
          "identity source `"
              + kind
              + ":"
              + name
              + "`: a name is letters, digits and !#$%&'*+-.^_`|~ alone");
    }
  }

  private static boolean isTokenChar(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }
}
