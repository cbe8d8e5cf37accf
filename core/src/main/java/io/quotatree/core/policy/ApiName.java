package io.quotatree.core.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The name of an api: {@code METHOD /path}, or {@code /path} for every method.
 *
 * <p>A path may hold {@code {name}} for one whole segment and end in {@code /**} for the rest, the
 * bare path too. HEAD counts as GET. Names are ordered by how specific they are.
 */
public final class ApiName {

  /**
   * The more specific first: a path without {@code {}} and {@code **}; then more literal
   * characters; then fewer {@code {}}; then {@code {}} over {@code **}; then with method over
   * without.
   */
  public static final Comparator<ApiName> MOST_SPECIFIC_FIRST =
      Comparator.<ApiName>comparingInt(name -> name.isLiteral() ? 0 : 1)
          .thenComparing(Comparator.comparingInt(ApiName::literalCharacters).reversed())
          .thenComparingInt(ApiName::parameters)
          .thenComparingInt(name -> name.open ? 1 : 0)
          .thenComparingInt(name -> name.method == null ? 1 : 0);

  private static final String REST = "**";
  private static final String PARAMETER = "{}";

  private final String text;
  private final @Nullable String method;
  private final List<String> segments;
  private final boolean open;

  private ApiName(String text, @Nullable String method, List<String> segments, boolean open) {
    this.text = text;
    this.method = method;
    this.segments = List.copyOf(segments);
    this.open = open;
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException with what is wrong and what to write instead
   */
  public static ApiName parse(String text) {
    String trimmed = text.strip();
    int space = trimmed.indexOf(' ');
    String path = space < 0 ? trimmed : trimmed.substring(space).strip();
    @Nullable String method = space < 0 ? null : method(trimmed.substring(0, space), text);
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(
          "`" + text + "` is no api name; write `METHOD /path`, or `/path` for every method");
    }
    boolean open = path.equals("/" + REST) || path.endsWith("/" + REST);
    String closed = open ? path.substring(0, path.length() - REST.length() - 1) : path;
    return new ApiName(trimmed, method, segments(closed, text), open);
  }

  private static String method(String written, String text) {
    for (int i = 0; i < written.length(); i++) {
      char c = written.charAt(i);
      if ((c < 'A' || c > 'Z') && c != '-') {
        throw new IllegalArgumentException(
            "`"
                + written
                + "` in `"
                + text
                + "` is no method; write it in upper case, as `"
                + written.toUpperCase(Locale.ROOT)
                + " /path`");
      }
    }
    // One text for all names of a method: requests' methods are compared with it often.
    return countedAs(written).intern();
  }

  /** The method that a request counts as: HEAD is GET. */
  static String countedAs(String method) {
    return method.equals("HEAD") ? "GET" : method;
  }

  private static List<String> segments(String path, String text) {
    List<String> segments = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      if (segment.startsWith("{") && segment.endsWith("}") && segment.length() > 2) {
        segments.add(PARAMETER);
      } else if (segment.indexOf('{') >= 0 || segment.indexOf('}') >= 0) {
        throw new IllegalArgumentException(
            "`" + segment + "` in `" + text + "`: {name} stands for one whole segment");
      } else if (segment.indexOf('*') >= 0) {
        throw new IllegalArgumentException(
            "`"
                + segment
                + "` in `"
                + text
                + "`; write {name} for one segment, or end in /** for the rest");
      } else if (!segment.isEmpty()) {
        segments.add(segment);
      }
    }
    return canonical(segments, text);
  }

  private static List<String> canonical(List<String> segments, String text) {
    List<String> canonical = new ArrayList<>();
    for (String segment : segments) {
      if (segment.equals(PARAMETER)) {
        canonical.add(segment);
        continue;
      }
      String spelled;
      try {
        spelled = CanonicalPath.of("/" + CanonicalPath.escaped(segment));
      } catch (BadPathException e) {
        throw new IllegalArgumentException(
            "`" + text + "`: " + e.getMessage() + "; write the path as it is once decoded", e);
      }
      if (spelled.equals("/")) {
        throw new IllegalArgumentException(
            "`"
                + segment
                + "` in `"
                + text
                + "` is no segment; write the path that remains without it");
      }
      canonical.add(spelled.substring(1));
    }
    return canonical;
  }

  /** The name as it was written. */
  public String text() {
    return text;
  }

  /** Its method, HEAD being GET; null for every method. */
  public @Nullable String method() {
    return method;
  }

  List<String> segments() {
    return segments;
  }

  /** Whether it ends in {@code /**}. */
  public boolean isOpen() {
    return open;
  }

  /** Whether one path alone fits it. */
  public boolean isLiteral() {
    return !open && parameters() == 0;
  }

  static boolean isParameter(String segment) {
    return segment.equals(PARAMETER);
  }

  private int parameters() {
    return (int) segments.stream().filter(ApiName::isParameter).count();
  }

  /**
   * A parameter's slash is literal, that of a closing {@code /**} is not: {@code /a/{x}} before
   * {@code /a/**}.
   */
  private int literalCharacters() {
    int characters = 0;
    for (String segment : segments) {
      characters += 1 + (isParameter(segment) ? 0 : segment.length());
    }
    return characters;
  }

  /** Whether a request of this method and canonical path fits. */
  public boolean fits(String requestMethod, String canonicalPath) {
    if (method != null && !method.equals(countedAs(requestMethod))) {
      return false;
    }
    int at = 0;
    // By index: an iterator is 32 bytes for every request.
    for (int i = 0; i < segments.size(); i++) {
      String segment = segments.get(i);
      if (at >= canonicalPath.length() - 1) {
        return false;
      }
      int end = canonicalPath.indexOf('/', at + 1);
      end = end < 0 ? canonicalPath.length() : end;
      boolean same =
          isParameter(segment)
              || (end - at - 1 == segment.length() && canonicalPath.startsWith(segment, at + 1));
      if (!same) {
        return false;
      }
      at = end;
    }
    return open || at >= canonicalPath.length() - (at == 0 ? 1 : 0);
  }

  /** Whether every request that fits the other name fits this one. */
  public boolean covers(ApiName other) {
    if (method != null && !method.equals(other.method)) {
      return false;
    }
    if (segments.size() > other.segments.size()) {
      return false;
    }
    if (!open && (other.open || segments.size() != other.segments.size())) {
      return false;
    }
    for (int i = 0; i < segments.size(); i++) {
      if (!isParameter(segments.get(i)) && !segments.get(i).equals(other.segments.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether some request fits both. */
  public boolean meets(ApiName other) {
    if (method != null && other.method != null && !method.equals(other.method)) {
      return false;
    }
    int shared = Math.min(segments.size(), other.segments.size());
    for (int i = 0; i < shared; i++) {
      String mine = segments.get(i);
      String theirs = other.segments.get(i);
      if (!isParameter(mine) && !isParameter(theirs) && !mine.equals(theirs)) {
        return false;
      }
    }
    return segments.size() == other.segments.size()
        || (segments.size() < other.segments.size() ? open : other.open);
  }

  /**
   * One text for all spellings of a name: two names have the same exactly if the same requests fit
   * them.
   */
  public String canonical() {
    String whole = open ? (segments.isEmpty() ? "" : path()) + "/" + REST : path();
    return method == null ? whole : method + " " + whole;
  }

  /** The path as far as it is closed; of a literal name the one path that fits it. */
  String path() {
    return "/" + String.join("/", segments);
  }

  @Override
  public String toString() {
    return text;
  }
}
