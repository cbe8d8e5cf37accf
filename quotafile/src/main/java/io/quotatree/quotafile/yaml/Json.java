package io.quotatree.quotafile.yaml;

import java.util.LinkedHashMap;
import java.util.Map;

/** JSON objects as maps that keep their order, so that what is printed is the same each time. */
final class Json {

  private Json() {}

  static Map<String, Object> object(String key, Object value) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put(key, value);
    return object;
  }

  static Map<String, Object> object(String key, Object value, String key2, Object value2) {
    Map<String, Object> object = object(key, value);
    object.put(key2, value2);
    return object;
  }

  static Map<String, Object> object(
      String key, Object value, String key2, Object value2, String key3, Object value3) {
    Map<String, Object> object = object(key, value, key2, value2);
    object.put(key3, value3);
    return object;
  }
}
