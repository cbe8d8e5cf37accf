package io.quotatree.gateway.calls;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * What was asked of a call.
 *
 * @param rest what follows in the path of a call that takes more, as it was sent; else empty
 * @param headers its header fields
 * @param query the parameters of its query
 * @param mediaType the media type of its body, in lower case; empty where none was named
 * @param body its body, whole; empty where there is none
 * @param from the address that it came from; empty where unknown
 * @param gone whether nobody waits for the answer any more; on the event loop
 */
public record Asked(
    String rest,
    MultiMap headers,
    MultiMap query,
    String mediaType,
    Buffer body,
    String from,
    BooleanSupplier gone) {

  /**
   * The body as JSON: an object, an array or a value.
   *
   * @throws CallException if it is none
   */
  public Object json() {
    try {
      Object value = Json.decodeValue(body);
      if (value != null) {
        return value;
      }
    } catch (DecodeException e) {
      throw CallException.of(400, "the body is no JSON: " + firstLine(e) + "; write an object");
    }
    throw CallException.of(400, "the body is null; write an object");
  }

  /**
   * The fields of a body that is an object; none where there is no body.
   *
   * @param known the names that it may have
   * @throws CallException if it is no object, or has other names
   */
  public JsonFields fields(String... known) {
    Object value = body.length() == 0 ? new JsonObject() : json();
    if (value instanceof JsonObject object) {
      return JsonFields.of(object, "", List.of(known));
    }
    throw CallException.of(400, "the body is no object; write one, such as {}");
  }

  /**
   * A parameter of the query; empty where there is none.
   *
   * @throws CallException if it is there twice
   */
  public Optional<String> parameter(String name) {
    List<String> values = query.getAll(name);
    if (values.size() > 1) {
      throw CallException.of(
          400, "the parameter `" + name + "` is there " + values.size() + " times; write one");
    }
    return values.stream().findFirst();
  }

  /**
   * Refuses parameters that nobody reads, which are mostly misspelt.
   *
   * @throws CallException if there is another one
   */
  public void knowsOnly(String... names) {
    Set<String> known = Set.of(names);
    for (String name : query.names()) {
      if (!known.contains(name)) {
        throw CallException.of(
            400,
            "the parameter `"
                + name
                + "` is not known here; write "
                + (names.length == 0 ? "none" : String.join(", ", names)));
      }
    }
  }

  private static String firstLine(DecodeException e) {
    String message = String.valueOf(e.getMessage());
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
