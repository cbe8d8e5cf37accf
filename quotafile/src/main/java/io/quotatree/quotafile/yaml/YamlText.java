package io.quotatree.quotafile.yaml;

import io.quotatree.quotafile.yaml.Yaml.Quoting;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.Event.ID;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML 1.2 text into a {@link Yaml} tree. Beyond YAML's own rules it refuses a key that
 * appears twice (also one that a merge key brings), tags, a second document, and what is too big:
 * text, depth and the number of values, aliases counted in full.
 */
public final class YamlText {

  /** The largest file. */
  public static final int MAX_BYTES = 8_000_000;

  private static final int MAX_DEPTH = 50;
  private static final int MAX_VALUES = 500_000;
  private static final String TEXT_TAG = "tag:yaml.org,2002:str";
  private static final String MERGE = "<<";

  private final Problems problems;
  private final Iterator<Event> events;
  private final Map<String, Anchored> anchors = new HashMap<>();
  private int values;

  /**
   * A value with a name, and how many values it holds, itself included; its value is null until it
   * has ended.
   */
  private record Anchored(@Nullable Yaml value, int values) {}

  /** Ends the reading of a text that cannot be read to its end; it has been told why. */
  private static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable() {
      super(null, null, false, false);
    }
  }

  private YamlText(String text, Problems problems) {
    this.problems = problems;
    this.events =
        new Parse(LoadSettings.builder().setCodePointLimit(MAX_BYTES).build())
            .parseString(text)
            .iterator();
  }

  /**
   * The value that a file's bytes, in UTF-8, describe; empty where they cannot be read. Problems
   * can have errors also where there is a value.
   */
  public static Optional<Yaml> read(byte[] bytes, Problems problems) {
    if (bytes.length > MAX_BYTES) {
      tellTooLong(problems);
      return Optional.empty();
    }
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    String text = out.flip().toString();
    if (result.isError()) {
      tell(problems, text, text.length(), "a byte that is not UTF-8; save the file as UTF-8");
      return Optional.empty();
    }
    return read(text, problems);
  }

  /**
   * The value that a text describes; empty where it cannot be read. Problems can have errors also
   * where there is a value.
   */
  public static Optional<Yaml> read(String text, Problems problems) {
    String body = text.startsWith("\uFEFF") ? text.substring(1) : text;
    if (body.length() > MAX_BYTES) {
      tellTooLong(problems);
      return Optional.empty();
    }
    int strange = SyntaxErrors.strangeCharacter(body);
    if (strange >= 0) {
      tell(
          problems,
          body,
          strange,
          String.format(
              "the character U+%04X cannot stand in YAML; write it as an escape in double quotes",
              body.codePointAt(strange)));
      return Optional.empty();
    }
    try {
      return new YamlText(body, problems).document();
    } catch (Unreadable e) {
      return Optional.empty();
    } catch (YamlEngineException e) {
      SyntaxErrors.tell(e, problems);
      return Optional.empty();
    }
  }

  private static void tellTooLong(Problems problems) {
    problems.error(
        1,
        1,
        "a file of more than "
            + MAX_BYTES
            + " bytes; write patterns and defaults instead of so many lines");
  }

  private static void tell(Problems problems, String text, int index, String what) {
    int lineStart = text.lastIndexOf('\n', index - 1) + 1;
    int line = 1 + (int) text.substring(0, lineStart).chars().filter(c -> c == '\n').count();
    problems.error(line, 1 + text.codePointCount(lineStart, index), what);
  }

  private Optional<Yaml> document() {
    Event event = events.next();
    while (event.getEventId() == ID.StreamStart) {
      event = events.next();
    }
    if (event.getEventId() == ID.StreamEnd) {
      problems.error(1, 1, "the file is empty; write what it is to say");
      return Optional.empty();
    }
    Yaml root = value(events.next(), 1);
    Event after = events.next();
    while (after.getEventId() == ID.DocumentEnd) {
      after = events.next();
    }
    if (after.getEventId() != ID.StreamEnd) {
      problems.error(
          line(after),
          column(after),
          "a second document begins here; write one, without `---` between");
    }
    return Optional.of(root);
  }

  private Yaml value(Event event, int depth) {
    if (depth > MAX_DEPTH) {
      throw unreadable(event, "values nested deeper than " + MAX_DEPTH + "; write them flatter");
    }
    if (event instanceof AliasEvent alias) {
      return aliased(alias);
    }
    int before = values;
    count(event, 1);
    String anchor = ((NodeEvent) event).getAnchor().map(a -> a.getValue()).orElse(null);
    if (anchor != null) {
      anchors.put(anchor, new Anchored(null, 0));
    }
    Yaml value;
    if (event instanceof ScalarEvent scalar) {
      value = scalar(scalar);
    } else {
      refuseTag(event, ((CollectionStartEvent) event).getTag());
      value =
          event.getEventId() == ID.SequenceStart ? sequence(event, depth) : mapping(event, depth);
    }
    if (anchor != null) {
      anchors.put(anchor, new Anchored(value, values - before));
    }
    return value;
  }

  private Yaml aliased(AliasEvent alias) {
    String name = alias.getAlias().getValue();
    Anchored anchored = anchors.get(name);
    if (anchored == null) {
      throw unreadable(
          alias,
          "the alias `*"
              + name
              + "` has no anchor above it; write `&"
              + name
              + "` before the value it stands for, or put a text that begins with * in quotes");
    }
    if (anchored.value() == null) {
      throw unreadable(
          alias, "the alias `*" + name + "` stands inside its own anchor; write the value out");
    }
    count(alias, anchored.values());
    return anchored.value();
  }

  private void count(Event at, int more) {
    values += more;
    if (values > MAX_VALUES) {
      throw unreadable(
          at, "more than " + MAX_VALUES + " values, aliases counted in full; write fewer");
    }
  }

  private Yaml.Scalar scalar(ScalarEvent event) {
    Optional<String> tag = event.getTag();
    boolean text = tag.isPresent() && (tag.get().equals(TEXT_TAG) || tag.get().equals("!"));
    if (!text) {
      refuseTag(event, tag);
    }
    Quoting quoting = event.isPlain() && !text ? Quoting.PLAIN : Quoting.QUOTED;
    return new Yaml.Scalar(event.getValue(), quoting, line(event), column(event));
  }

  private void refuseTag(Event event, Optional<String> tag) {
    if (tag.isPresent()) {
      problems.error(
          line(event),
          column(event),
          "the tag `" + tag.get() + "` means nothing here; write the value without a tag");
    }
  }

  private Yaml sequence(Event start, int depth) {
    List<Yaml> items = new ArrayList<>();
    for (Event event = events.next(); event.getEventId() != ID.SequenceEnd; event = events.next()) {
      items.add(value(event, depth + 1));
    }
    return new Yaml.Sequence(items, line(start), column(start));
  }

  private Yaml mapping(Event start, int depth) {
    Map<String, Yaml.Entry> entries = new LinkedHashMap<>();
    List<Yaml.Entry> merges = new ArrayList<>();
    for (Event event = events.next(); event.getEventId() != ID.MappingEnd; event = events.next()) {
      Yaml key = value(event, depth + 1);
      Yaml value = value(events.next(), depth + 1);
      if (!(key instanceof Yaml.Scalar name)) {
        problems.error(key, key.words() + " as a key; write a text");
      } else if (name.text().equals(MERGE) && name.quoting() == Quoting.PLAIN) {
        merges.add(new Yaml.Entry(name, value));
      } else {
        put(entries, new Yaml.Entry(name, value));
      }
    }
    for (Yaml.Entry merge : merges) {
      merge(entries, merge);
    }
    return new Yaml.Mapping(List.copyOf(entries.values()), line(start), column(start));
  }

  private void put(Map<String, Yaml.Entry> entries, Yaml.Entry entry) {
    Yaml.Entry first = entries.putIfAbsent(entry.key().text(), entry);
    if (first != null) {
      problems.error(
          entry.key(),
          "duplicate key "
              + entry.key().words()
              + ", already at "
              + place(first.key())
              + "; keep one of them");
    }
  }

  private void merge(Map<String, Yaml.Entry> entries, Yaml.Entry merge) {
    List<Yaml> sources =
        merge.value() instanceof Yaml.Sequence list ? list.items() : List.of(merge.value());
    for (Yaml source : sources) {
      if (!(source instanceof Yaml.Mapping mapping)) {
        problems.error(
            merge.key(), "`<<` brings " + source.words() + "; write the alias of a mapping");
        continue;
      }
      for (Yaml.Entry entry : mapping.entries()) {
        Yaml.Entry first = entries.putIfAbsent(entry.key().text(), entry);
        if (first != null) {
          problems.error(
              merge.key(),
              "duplicate key "
                  + entry.key().words()
                  + ": `<<` brings that of "
                  + place(entry.key())
                  + ", and it is already at "
                  + place(first.key())
                  + "; keep one of them");
        }
      }
    }
  }

  private static String place(Yaml at) {
    return at.line() + ":" + at.column();
  }

  private Unreadable unreadable(Event at, String text) {
    problems.error(line(at), column(at), text);
    return new Unreadable();
  }

  private static int line(Event event) {
    return event.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }

  private static int column(Event event) {
    return event.getStartMark().map(Mark::getColumn).orElse(0) + 1;
  }
}
