package io.quotatree.quotafile.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What may stand as a value: how it is read, what to say where something else stands, and its JSON
 * Schema. Immutable.
 */
public final class Shape<T> {

  private static final String PERMITS_PATTERN = "^[0-9][0-9_]*[kM]?$";

  private static final Set<String> TRUE = Set.of("true", "True", "TRUE");
  private static final Set<String> FALSE = Set.of("false", "False", "FALSE");

  private final Words words;
  private final Map<String, Object> schema;
  private final List<Section> sections;
  private final Reader<T> reader;

  /** Reads a value; what is wrong is told, and then there is no value. */
  @FunctionalInterface
  interface Reader<T> {
    @Nullable T read(Yaml at, Problems problems);
  }

  /**
   * A shape in words.
   *
   * @param what what it is: {@code a rate}
   * @param example what to write: {@code `100/min`}
   */
  public record Words(String what, String example) {

    /** The first example without its quotes. */
    String bareExample() {
      int end = example.indexOf('`', 1);
      return end < 0 ? example : example.substring(1, end);
    }

    /** What to say where something else stands. */
    String wrong(Yaml at) {
      if (at instanceof Yaml.Scalar scalar && scalar.empty()) {
        return "nothing is written here; write " + what + ", such as " + example;
      }
      return at.words() + " is not " + what + "; write " + example;
    }
  }

  Shape(Words words, Map<String, Object> schema, List<Section> sections, Reader<T> reader) {
    this.words = words;
    this.schema = schema;
    this.sections = List.copyOf(sections);
    this.reader = reader;
  }

  /** Reads a value of this shape; null where it is wrong, which is told. */
  public @Nullable T read(Yaml at, Problems problems) {
    return reader.read(at, problems);
  }

  /** This shape in words. */
  public Words words() {
    return words;
  }

  /** Its JSON Schema, with references to the sections it uses. */
  Map<String, Object> schema() {
    return schema;
  }

  /** The sections that it uses itself. */
  List<Section> sections() {
    return sections;
  }

  /** This shape, read further; where the reading gives nothing, it was told why. */
  public <R> Shape<R> as(BiFunction<T, Yaml, @Nullable R> further) {
    return new Shape<>(
        words,
        schema,
        sections,
        (at, problems) -> {
          T read = reader.read(at, problems);
          return read == null ? null : further.apply(read, at);
        });
  }

  /** Any value, kept as it is written, to be read later. */
  public static Shape<Yaml> kept(Words words, Map<String, Object> schema) {
    return new Shape<>(words, schema, List.of(), (at, problems) -> at);
  }

  /** A scalar of one shape, or a list of another. */
  public static <T> Shape<T> either(Words words, Shape<T> scalar, Shape<T> list) {
    List<Section> sections = new ArrayList<>(scalar.sections);
    sections.addAll(list.sections);
    return new Shape<>(
        words,
        JsonSchema.anyOf(scalar.schema, list.schema),
        sections,
        (at, problems) -> {
          if (at instanceof Yaml.Scalar) {
            return scalar.read(at, problems);
          }
          if (at instanceof Yaml.Sequence) {
            return list.read(at, problems);
          }
          problems.error(at, words.wrong(at));
          return null;
        });
  }

  /** Any text; a number is taken as it is written. */
  public static Shape<String> text(String what, String example) {
    return parsed(
        new Words(what, example),
        Json.object("type", List.of("string", "number", "boolean")),
        UnaryOperator.identity());
  }

  /**
   * A text of some form.
   *
   * @param pattern the form as a regular expression of JSON Schema; may be wider than what is read
   * @param parser reads it, or throws IllegalArgumentException with what is wrong and what to write
   *     instead
   */
  public static <T> Shape<T> text(Words words, String pattern, Function<String, T> parser) {
    return parsed(words, JsonSchema.text(pattern), parser);
  }

  /**
   * A single value, read by a parser that throws IllegalArgumentException with what is wrong and
   * what to write instead.
   */
  public static <T> Shape<T> parsed(
      Words words, Map<String, Object> schema, Function<String, T> parser) {
    return new Shape<>(
        words,
        schema,
        List.of(),
        (at, problems) -> {
          if (!(at instanceof Yaml.Scalar scalar) || scalar.empty()) {
            problems.error(at, words.wrong(at));
            return null;
          }
          try {
            return parser.apply(scalar.text());
          } catch (IllegalArgumentException e) {
            problems.error(at, String.valueOf(e.getMessage()));
            return null;
          }
        });
  }

  /** {@code true} or {@code false}. */
  public static Shape<Boolean> flag() {
    Words words = new Words("true or false", "`true` or `false`");
    return new Shape<>(
        words,
        Json.object("type", "boolean"),
        List.of(),
        (at, problems) -> {
          if (at instanceof Yaml.Scalar scalar && scalar.quoting() == Yaml.Quoting.PLAIN) {
            if (TRUE.contains(scalar.text())) {
              return true;
            }
            if (FALSE.contains(scalar.text())) {
              return false;
            }
          }
          problems.error(at, words.wrong(at));
          return null;
        });
  }

  /** A whole number between two bounds, with {@code _} for reading and {@code k} or {@code M}. */
  public static Shape<Long> count(long least, long most) {
    Words words =
        new Words("a whole number from " + least + " to " + most, "`" + Math.max(least, 1) + "`");
    Map<String, Object> integer = JsonSchema.integer(least, most);
    Map<String, Object> text = JsonSchema.text(PERMITS_PATTERN);
    return parsed(
        words,
        JsonSchema.anyOf(integer, text),
        written -> {
          Long number = Numbers.whole(written);
          if (number == null) {
            throw new IllegalArgumentException(
                "`" + written + "` is not a whole number; write one from " + least + " to " + most);
          }
          if (number < least || number > most) {
            throw new IllegalArgumentException(
                "`" + written + "` is out of bounds; write " + words.what());
          }
          return number;
        });
  }

  /** One of a few words. */
  public static <E> Shape<E> choice(List<E> choices, Function<E, String> word) {
    Map<String, E> byWord =
        choices.stream().collect(Collectors.toMap(word, c -> c, (a, b) -> a, LinkedHashMap::new));
    List<String> known = List.copyOf(byWord.keySet());
    return parsed(
        new Words("one of " + String.join(", ", known), "`" + known.get(0) + "`"),
        Json.object("enum", known),
        written -> {
          E choice = byWord.get(written);
          if (choice == null) {
            throw new IllegalArgumentException(
                "`" + written + "` is not known here; " + Nearest.advice(written, known));
          }
          return choice;
        });
  }

  /** A list of at least so many values of one shape; what is wrong is left out. */
  public static <T> Shape<List<Located<T>>> list(Shape<T> item, int least) {
    Words words = new Words("a list", "`[" + item.words().bareExample() + "]`");
    Map<String, Object> schema =
        Json.object("type", "array", "items", item.schema(), "minItems", least);
    return new Shape<>(
        words,
        schema,
        item.sections(),
        (at, problems) -> {
          if (!(at instanceof Yaml.Sequence sequence)) {
            problems.error(at, words.wrong(at));
            return null;
          }
          if (sequence.items().size() < least) {
            problems.error(
                at,
                "an empty list; write "
                    + item.words().what()
                    + ", such as "
                    + item.words().example());
            return null;
          }
          List<Located<T>> items = new ArrayList<>();
          for (Yaml value : sequence.items()) {
            T read = item.read(value, problems);
            if (read != null) {
              items.add(Located.keyless("", value, read));
            }
          }
          return List.copyOf(items);
        });
  }

  /**
   * Values of one shape under names of their author's choice, in the order of the file; what is
   * wrong is left out.
   */
  public static <T> Shape<List<Located<T>>> map(Shape<?> name, Shape<T> value) {
    Words words =
        new Words(
            "a mapping",
            "`" + name.words().bareExample() + ": " + value.words().bareExample() + "`");
    Map<String, Object> schema =
        Json.object(
            "type",
            "object",
            "propertyNames",
            name.schema(),
            "additionalProperties",
            value.schema());
    return new Shape<>(
        words,
        schema,
        value.sections(),
        (at, problems) -> {
          if (!(at instanceof Yaml.Mapping mapping)) {
            problems.error(at, words.wrong(at));
            return null;
          }
          List<Located<T>> entries = new ArrayList<>();
          for (Yaml.Entry entry : mapping.entries()) {
            boolean named = name.read(entry.key(), problems) != null;
            T read = value.read(entry.value(), problems);
            if (named && read != null) {
              entries.add(new Located<>(entry.key(), entry.value(), read));
            }
          }
          return List.copyOf(entries);
        });
  }
}
