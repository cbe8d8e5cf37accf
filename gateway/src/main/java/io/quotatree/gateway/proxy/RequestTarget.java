package io.quotatree.gateway.proxy;

import java.util.Locale;

/**
 * The target of a request line, taken apart as RFC 9112, section 3.2, says.
 *
 * @param authority the authority of an absolute target; empty for a target that is only a path
 * @param path the path as it was sent; it begins with a slash
 * @param query the question mark and what follows it, as it was sent; empty for none
 */
record RequestTarget(String authority, String path, String query) {

  /**
   * Takes a target apart.
   *
   * @throws BadRequestException for a target that is neither a path nor an absolute http URI, or
   *     holds characters that no URI may have: servers read those in different ways
   */
  static RequestTarget parse(String target) {
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') {
        throw new BadRequestException(
            String.format(
                "the request target holds byte 0x%02X at position %d; write it as %%%02X",
                (int) c, i, (int) c));
      }
    }
    if (target.startsWith("/")) {
      return split("", target);
    }
    int authorityStart = afterScheme(target);
    int pathStart = authorityStart;
    while (pathStart < target.length() && "/?".indexOf(target.charAt(pathStart)) < 0) {
      pathStart++;
    }
    String authority = target.substring(authorityStart, pathStart);
    if (authority.isEmpty()) {
      throw new BadRequestException("the request target is an absolute URI without a host");
    }
    String rest = target.substring(pathStart);
    return split(authority, rest.startsWith("/") ? rest : "/" + rest);
  }

  private static int afterScheme(String target) {
    String start = target.substring(0, Math.min(8, target.length())).toLowerCase(Locale.ROOT);
    if (start.startsWith("http://")) {
      return 7;
    }
    if (start.startsWith("https://")) {
      return 8;
    }
    throw new BadRequestException(
        "the request target is neither a path that begins with / nor an absolute http URI");
  }

  private static RequestTarget split(String authority, String pathAndQuery) {
    int question = pathAndQuery.indexOf('?');
    return question < 0
        ? new RequestTarget(authority, pathAndQuery, "")
        : new RequestTarget(
            authority, pathAndQuery.substring(0, question), pathAndQuery.substring(question));
  }
}
