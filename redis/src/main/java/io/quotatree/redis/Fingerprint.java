package io.quotatree.redis;

import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What tells quotas from others in the whole fleet: gateways that read the same file have the same.
 *
 * <p>Facts are records, so all that is in a tree is found by their components. Maps and sets are
 * written in the order of their texts: their own differs from process to process.
 */
final class Fingerprint {

  static final int BYTES = 16;

  private Fingerprint() {}

  static byte[] of(Object facts) {
    StringBuilder text = new StringBuilder();
    write(facts, text);
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return Arrays.copyOf(hash, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static void write(@Nullable Object fact, StringBuilder out) {
    if (fact instanceof Optional<?> optional) {
      write(optional.orElse(null), out);
    } else if (fact instanceof Record record) {
      writeRecord(record, out);
    } else if (fact instanceof Map<?, ?> map) {
      writeAll(map.entrySet().stream().map(Fingerprint::text).sorted().toList(), out);
    } else if (fact instanceof List<?> list) {
      writeAll(list.stream().map(Fingerprint::text).toList(), out);
    } else if (fact instanceof Collection<?> set) {
      writeAll(set.stream().map(Fingerprint::text).sorted().toList(), out);
    } else if (fact instanceof Map.Entry<?, ?> entry) {
      writeAll(List.of(text(entry.getKey()), text(entry.getValue())), out);
    } else {
      writeText(String.valueOf(fact), out);
    }
  }

  private static String text(@Nullable Object fact) {
    StringBuilder out = new StringBuilder();
    write(fact, out);
    return out.toString();
  }

  /** With its length before it, so that no text can look like two. */
  private static void writeText(String text, StringBuilder out) {
    out.append(text.length()).append(':').append(text);
  }

  private static void writeAll(List<String> texts, StringBuilder out) {
    out.append('[');
    texts.forEach(text -> writeText(text, out));
    out.append(']');
  }

  private static void writeRecord(Record record, StringBuilder out) {
    writeText(record.getClass().getSimpleName(), out);
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        component.getAccessor().setAccessible(true);
        write(component.getAccessor().invoke(record), out);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(
            component.getName() + " of " + record.getClass().getName() + " cannot be read", e);
      }
    }
  }
}
