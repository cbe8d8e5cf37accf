package io.quotatree.quotafile.yaml;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A kind of mapping: which keys may stand in it. The one description of a format: it reads, tells
 * unknown keys with the nearest known one, and makes the JSON Schema. Immutable.
 */
public final class Section {

  private final String name;
  private final Map<String, Key<?>> keys = new LinkedHashMap<>();

  /** A section whose name is that of its definition in the schema. */
  public Section(String name, List<Key<?>> keys) {
    this.name = name;
    for (Key<?> key : keys) {
      if (this.keys.put(key.name(), key) != null) {
        throw new IllegalArgumentException("two keys `" + key.name() + "` in " + name);
      }
    }
  }

  /** A section and all that may stand in it. */
  public static List<Section> all(Section root) {
    Set<Section> all = new LinkedHashSet<>();
    Deque<Section> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      Section section = open.remove();
      if (all.add(section)) {
        section.keys().forEach(key -> open.addAll(key.shape().sections()));
      }
    }
    return List.copyOf(all);
  }

  /** Its name in the schema. */
  public String name() {
    return name;
  }

  /** Its keys in their order. */
  public List<Key<?>> keys() {
    return List.copyOf(keys.values());
  }

  /** This section as the shape of a value. */
  public Shape<Fields> shape() {
    return new Shape<>(
        new Shape.Words("a mapping", "`" + example() + "`"),
        reference(),
        List.of(this),
        this::read);
  }

  /**
   * This section, or the value of one of its keys that then stands for a mapping with that key
   * alone: {@code 100/min} for {@code { limit: 100/min }}.
   */
  public <T> Shape<Fields> shapeOr(Key<T> key) {
    Map<String, Object> schema = JsonSchema.anyOf(key.shape().schema(), reference());
    List<Section> sections = new ArrayList<>(key.shape().sections());
    sections.add(this);
    return new Shape<>(
        key.shape().words(),
        schema,
        sections,
        (at, problems) ->
            at instanceof Yaml.Mapping ? read(at, problems) : alone(key, at, problems));
  }

  private static <T> Fields alone(Key<T> key, Yaml at, Problems problems) {
    T value = key.shape().read(at, problems);
    if (value == null) {
      return new Fields(at, Map.of(), Set.of(key));
    }
    return new Fields(at, Map.of(key, Located.keyless(key.name(), at, value)), Set.of());
  }

  /** Reads a mapping; what is wrong in it is told and left out. */
  public Fields read(Yaml at, Problems problems) {
    Map<Key<?>, Located<?>> values = new HashMap<>();
    Set<Key<?>> broken = new HashSet<>();
    if (!(at instanceof Yaml.Mapping mapping)) {
      problems.error(at, new Shape.Words("a mapping", "`" + example() + "`").wrong(at));
      return new Fields(at, Map.of(), Set.copyOf(keys.values()));
    }
    for (Yaml.Entry entry : mapping.entries()) {
      Key<?> key = keys.get(entry.key().text());
      if (key == null) {
        problems.error(
            entry.key(),
            "unknown key "
                + entry.key().words()
                + "; "
                + Nearest.advice(entry.key().text(), keys.keySet()));
      } else {
        Object value = key.shape().read(entry.value(), problems);
        if (value == null) {
          broken.add(key);
        } else {
          values.put(key, new Located<>(entry.key(), entry.value(), value));
        }
      }
    }
    for (Key<?> key : keys.values()) {
      if (key.isRequired() && !values.containsKey(key) && !broken.contains(key)) {
        problems.error(
            at,
            "no `"
                + key.name()
                + "`; write `"
                + key.name()
                + ": "
                + key.shape().words().bareExample()
                + "`");
        broken.add(key);
      }
    }
    return new Fields(at, values, broken);
  }

  private String example() {
    return "{ " + keys.keySet().iterator().next() + ": … }";
  }

  private Map<String, Object> reference() {
    return Json.object("$ref", "#/$defs/" + name);
  }

  /** The section's definition in JSON Schema. */
  Map<String, Object> schema() {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (Key<?> key : keys.values()) {
      Map<String, Object> property = new LinkedHashMap<>();
      property.put("description", key.doc());
      property.putAll(key.shape().schema());
      properties.put(key.name(), property);
      if (key.isRequired()) {
        required.add(key.name());
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put("additionalProperties", false);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    return schema;
  }
}
