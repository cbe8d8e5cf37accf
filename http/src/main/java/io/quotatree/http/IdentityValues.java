package io.quotatree.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The values that one request carries at identity sources. */
final class IdentityValues {

  private static final String DIGEST_PREFIX = "sha256-";

  private final RequestHeaders headers;

  IdentityValues(RequestHeaders headers) {
    this.headers = headers;
  }

  /**
   * The value of the first source that is present; empty for none.
   *
   * @throws BadIdentityException if that source has several values: which one the upstream believes
   *     is unknown
   */
  String believed(List<IdentitySource> sources) {
    for (IdentitySource source : sources) {
      List<String> values = distinct(source);
      if (values.size() > 1) {
        throw new BadIdentityException(
            "the "
                + source.text().replace(':', ' ')
                + " says "
                + values.size()
                + " different identities: send one");
      }
      if (!values.isEmpty()) {
        return bounded(values.get(0));
      }
    }
    return "";
  }

  /** The first value of the first source that is present; empty for none. */
  String madeUp(List<IdentitySource> sources) {
    for (IdentitySource source : sources) {
      List<String> values = distinct(source);
      if (!values.isEmpty()) {
        return bounded(values.get(0));
      }
    }
    return "";
  }

  private List<String> distinct(IdentitySource source) {
    List<String> values = new ArrayList<>(1);
    if (source instanceof IdentitySource.Header header) {
      for (String line : headers.lines(header.name())) {
        addDistinct(values, trimmed(line));
      }
    } else {
      for (String line : headers.lines("Cookie")) {
        addCookies(values, line, source.name());
      }
    }
    return values;
  }

  /** Reads {@code a=1; b="2"}; a pair without {@code =} and whatever else is odd is passed over. */
  private static void addCookies(List<String> values, String line, String name) {
    int start = 0;
    while (start <= line.length()) {
      int end = line.indexOf(';', start);
      end = end < 0 ? line.length() : end;
      int equals = line.indexOf('=', start);
      if (equals >= 0 && equals < end && trimmed(line.substring(start, equals)).equals(name)) {
        addDistinct(values, unquoted(trimmed(line.substring(equals + 1, end))));
      }
      start = end + 1;
    }
  }

  private static void addDistinct(List<String> values, String value) {
    if (!value.isEmpty() && !values.contains(value)) {
      values.add(value);
    }
  }

  private static String unquoted(String value) {
    int last = value.length() - 1;
    return last >= 1 && value.charAt(0) == '"' && value.charAt(last) == '"'
        ? value.substring(1, last)
        : value;
  }

  static String trimmed(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isBlank(text.charAt(start))) {
      start++;
    }
    while (end > start && isBlank(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static String bounded(String raw) {
    String value = utf8(raw);
    if (value.length() <= IdentityReader.MAX_NAME_CHARS && !value.startsWith(DIGEST_PREFIX)) {
      return value;
    }
    return DIGEST_PREFIX + HexFormat.of().formatHex(Sha256.of(value));
  }

  /**
   * Servers hand out header octets as characters up to 255. Where those octets are UTF-8, they are
   * read as such; else the text stays what the server made of it.
   */
  private static String utf8(String raw) {
    boolean ascii = true;
    for (int i = 0; i < raw.length(); i++) {
      if (raw.charAt(i) > 0xFF) {
        return raw;
      }
      ascii &= raw.charAt(i) < 0x80;
    }
    if (ascii) {
      return raw;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(raw.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException notUtf8) {
      return raw;
    }
  }
}
