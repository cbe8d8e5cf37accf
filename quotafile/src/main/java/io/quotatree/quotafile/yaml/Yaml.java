package io.quotatree.quotafile.yaml;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A YAML value and where it begins in its file. Immutable; an aliased value stands where its anchor
 * does.
 */
public sealed interface Yaml {

  /** Its line, from 1. */
  int line();

  /** Its column, from 1. */
  int column();

  /** What it is, in words: {@code a mapping}, {@code the text `x`}. */
  String words();

  /** How a scalar was written; only a plain one can be a number, a flag or nothing. */
  enum Quoting {
    /** Without quotes. */
    PLAIN,
    /** In quotes, or as a block of text. */
    QUOTED
  }

  /**
   * A single value.
   *
   * @param text its text without quotes
   * @param quoting how it was written
   * @param line its line, from 1
   * @param column its column, from 1
   */
  record Scalar(String text, Quoting quoting, int line, int column) implements Yaml {

    private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

    private static final int LONGEST_QUOTE = 60;

    /** Whether nothing was written: an empty value or {@code null}. */
    public boolean empty() {
      return quoting == Quoting.PLAIN && NOTHING.contains(text);
    }

    @Override
    public String words() {
      if (empty()) {
        return "nothing";
      }
      return "`"
          + (text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE) + "…" : text)
          + "`";
    }
  }

  /**
   * A list.
   *
   * @param items its values in order
   * @param line its line, from 1
   * @param column its column, from 1
   */
  record Sequence(List<Yaml> items, int line, int column) implements Yaml {
    /** Copies the list. */
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String words() {
      return "a list";
    }
  }

  /**
   * Values by key, in the order of the file; each key once.
   *
   * @param entries keys and values
   * @param line its line, from 1
   * @param column its column, from 1
   */
  record Mapping(List<Entry> entries, int line, int column) implements Yaml {
    /** Copies the list. */
    public Mapping {
      entries = List.copyOf(entries);
    }

    /** The entry of a key; null where there is none. Takes time in proportion to the size. */
    public @Nullable Entry entry(String key) {
      for (Entry entry : entries) {
        if (entry.key().text().equals(key)) {
          return entry;
        }
      }
      return null;
    }

    /** The keys in the order of the file. */
    public Set<String> names() {
      Set<String> names = new LinkedHashSet<>();
      entries.forEach(entry -> names.add(entry.key().text()));
      return names;
    }

    @Override
    public String words() {
      return "a mapping";
    }
  }

  /**
   * A key and its value.
   *
   * @param key the key
   * @param value its value
   */
  record Entry(Scalar key, Yaml value) {}
}
