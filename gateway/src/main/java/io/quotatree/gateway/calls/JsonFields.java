package io.quotatree.gateway.calls;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object, read strictly: a wrong one is told by its name, with what to write
 * instead. A field that is null counts as left out.
 */
public final class JsonFields {

  private final JsonObject object;
  private final String place;

  private JsonFields(JsonObject object, String place) {
    this.object = object;
    this.place = place;
  }

  /**
   * The fields of an object.
   *
   * @param place where it stands in the body, to be written before its fields' names: {@code [3].}
   * @param known the names that it may have
   * @throws CallException if it has another one
   */
  public static JsonFields of(JsonObject object, String place, List<String> known) {
    for (String name : object.fieldNames()) {
      if (!known.contains(name)) {
        throw CallException.of(
            400,
            "`"
                + place
                + name
                + "` is not known here; write "
                + (known.isEmpty() ? "{}" : "one of " + String.join(", ", known)));
      }
    }
    return new JsonFields(object, place);
  }

  /**
   * A text; empty where it is left out.
   *
   * @param mostChars the longest that it may be
   */
  public Optional<String> text(String name, int mostChars) {
    Object value = object.getValue(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof String text)) {
      throw wrong(name, "is no text", "a text such as \"app-a\"");
    }
    if (text.length() > mostChars) {
      throw wrong(
          name, "has " + text.length() + " characters", "a text of " + mostChars + " at most");
    }
    return Optional.of(text);
  }

  /**
   * A text that has to be there.
   *
   * @param example what to write, for whoever left it out
   */
  public String required(String name, int mostChars, String example) {
    return text(name, mostChars)
        .filter(text -> !text.isEmpty())
        .orElseThrow(() -> wrong(name, "is left out", example));
  }

  /** A whole number within bounds; empty where it is left out. */
  public Optional<Long> whole(String name, long least, long most) {
    Object value = object.getValue(name);
    if (value == null) {
      return Optional.empty();
    }
    Long number = wholeOf(value);
    if (number == null || number < least || number > most) {
      throw wrong(
          name, "is no whole number within bounds", "a whole number from " + least + " to " + most);
    }
    return Optional.of(number);
  }

  private static @Nullable Long wholeOf(Object value) {
    return value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : null;
  }

  /** True or false; empty where it is left out. */
  public Optional<Boolean> flag(String name) {
    Object value = object.getValue(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof Boolean flag)) {
      throw wrong(name, "is no flag", "true or false");
    }
    return Optional.of(flag);
  }

  /** The fields of an object within this one; empty where it is left out. */
  public Optional<JsonFields> object(String name, List<String> known) {
    Object value = object.getValue(name);
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof JsonObject inner)) {
      throw wrong(name, "is no object", "an object with " + String.join(", ", known));
    }
    return Optional.of(of(inner, place + name + ".", known));
  }

  /**
   * What to throw of a field that is wrong.
   *
   * @param what is wrong: {@code is no duration}
   * @param instead what to write: {@code 60s}
   */
  public CallException wrong(String name, String what, String instead) {
    return CallException.of(400, "`" + place + name + "` " + what + "; write " + instead);
  }
}
