package io.quotatree.quotafile.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON Schema, draft 2020-12, of a section and all that may stand in it. */
public final class JsonSchema {

  private JsonSchema() {}

  /** The schema of one or the other. */
  public static Map<String, Object> anyOf(Map<String, Object> one, Map<String, Object> other) {
    return Json.object("anyOf", List.of(one, other));
  }

  /** The schema of a text of some form. */
  public static Map<String, Object> text(String pattern) {
    return Json.object("type", "string", "pattern", pattern);
  }

  /** The schema of a whole number between two bounds. */
  public static Map<String, Object> integer(long least, long most) {
    return Json.object("type", "integer", "minimum", least, "maximum", most);
  }

  /** The schema as maps, lists and values, ready for any JSON writer. */
  public static Map<String, Object> of(Section root, String title) {
    Map<String, Object> definitions = new LinkedHashMap<>();
    for (Section section : Section.all(root)) {
      if (definitions.put(section.name(), section.schema()) != null) {
        throw new IllegalArgumentException("two sections `" + section.name() + "`");
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", title);
    schema.put("$ref", "#/$defs/" + root.name());
    schema.put("$defs", definitions);
    return schema;
  }
}
