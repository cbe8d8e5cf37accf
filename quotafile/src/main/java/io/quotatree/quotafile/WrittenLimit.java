package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Nearest;
import io.quotatree.quotafile.yaml.Section;
import io.quotatree.quotafile.yaml.Shape;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What stands behind {@code limit}, as it was written. */
sealed interface WrittenLimit {

  Shape.Words WORDS =
      new Shape.Words("a limit", "`100/min`, `[10/s, 1000/h]`, `unlimited` or `blocked`");

  /** {@code unlimited} or {@code blocked}, which take nothing over. */
  enum Word implements WrittenLimit {
    UNLIMITED,
    BLOCKED;

    static Optional<Word> of(String text) {
      return Arrays.stream(values()).filter(word -> word.toString().equals(text)).findFirst();
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Rates that must all hold.
   *
   * @param items at least one, unless one was wrong
   */
  record Items(List<Item> items) implements WrittenLimit {
    public Items {
      items = List.copyOf(items);
    }
  }

  /**
   * One rate, and what is said of it alone.
   *
   * @param at where the rate stands
   * @param rate the rate
   * @param own how it is counted; empty where it is no mapping
   */
  record Item(Yaml at, WrittenRate rate, Fields own) {

    boolean isMapping() {
      return own.at() instanceof Yaml.Mapping;
    }
  }

  /** A rate alone. */
  static Shape<Item> bareItem() {
    return WrittenRate.shape().as((rate, at) -> new Item(at, rate, Fields.none(at)));
  }

  /** A rate or a list of rates. */
  static Shape<WrittenLimit> rates() {
    return Shape.either(
        new Shape.Words("a rate or a list of rates", "`100/min` or `[10/s, 1000/h]`"),
        bareItem().as((item, at) -> new Items(List.of(item))),
        listOf(bareItem()));
  }

  /** A rate, a word, or a list of rates and of mappings with a rate. */
  static Shape<WrittenLimit> limits(Section section, Key<WrittenRate> rate) {
    Shape<WrittenLimit> alone =
        Shape.<Object>parsed(
                WORDS,
                WrittenRate.schema("unlimited|blocked"),
                text -> Word.of(text).<Object>map(word -> word).orElseGet(() -> rateNotWord(text)))
            .as(
                (read, at) ->
                    read instanceof Word word
                        ? word
                        : new Items(List.of(new Item(at, (WrittenRate) read, Fields.none(at)))));
    Shape<Item> item = section.shapeOr(rate).as((fields, at) -> item(fields, rate));
    return Shape.either(WORDS, alone, listOf(item));
  }

  private static Shape<WrittenLimit> listOf(Shape<Item> item) {
    return Shape.list(item, 1)
        .as((items, at) -> new Items(items.stream().map(found -> found.value()).toList()));
  }

  private static @Nullable Item item(Fields fields, Key<WrittenRate> key) {
    Located<WrittenRate> rate = fields.find(key);
    return rate == null ? null : new Item(rate.at(), rate.value(), fields);
  }

  private static WrittenRate rateNotWord(String text) {
    if (!text.isEmpty() && Character.isDigit(text.charAt(0))) {
      return WrittenRate.parse(text);
    }
    Optional<String> near =
        Nearest.of(text, Arrays.stream(Word.values()).map(Word::toString).toList());
    if (near.isPresent()) {
      throw new IllegalArgumentException(
          "`" + text + "` is not a limit; write `" + near.get() + "`");
    }
    return WrittenRate.parse(text);
  }
}
