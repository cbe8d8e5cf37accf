package io.quotatree.quotafile;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Where a request's identity comes from; of each list the first source that is present wins.
 *
 * @param caller sources of the caller
 * @param user sources of the user that somebody vouches for
 * @param unproven sources of ids that clients make up
 * @param plan sources of the user's plan
 * @param trustedProxies from these alone forwarded addresses and identity headers are believed
 */
public record Identity(
    List<Source> caller,
    List<Source> user,
    List<Source> unproven,
    List<Source> plan,
    List<Network> trustedProxies) {

  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** No identity: every request is of the anonymous caller. */
  public static final Identity NONE =
      new Identity(List.of(), List.of(), List.of(), List.of(), List.of());

  /** Copies the lists. */
  public Identity {
    caller = List.copyOf(caller);
    user = List.copyOf(user);
    unproven = List.copyOf(unproven);
    plan = List.copyOf(plan);
    trustedProxies = List.copyOf(trustedProxies);
  }

  /** A part of a request that holds a name. */
  public sealed interface Source {

    /** The name of the header field or cookie. */
    String name();
  }

  /**
   * A header field.
   *
   * @param name its name; case does not count
   */
  public record Header(String name) implements Source {
    @Override
    public String toString() {
      return "header:" + name;
    }
  }

  /**
   * A cookie.
   *
   * @param name its name; case counts
   */
  public record Cookie(String name) implements Source {
    @Override
    public String toString() {
      return "cookie:" + name;
    }
  }

  static Source source(String text) {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String name = text.substring(colon + 1);
    if (colon >= 0 && (kind.equals("header") || kind.equals("cookie"))) {
      if (!TOKEN.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "`" + name + "` is no name of a " + kind + "; write letters, digits and `-`");
      }
      return kind.equals("header") ? new Header(name) : new Cookie(name);
    }
    throw new IllegalArgumentException(
        "`" + text + "` is no source of names; write `\"header:NAME\"` or `\"cookie:NAME\"`");
  }
}
