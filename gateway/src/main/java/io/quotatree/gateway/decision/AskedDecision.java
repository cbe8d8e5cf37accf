package io.quotatree.gateway.decision;

import io.quotatree.core.limit.Rate;
import io.quotatree.core.policy.BadPathException;
import io.quotatree.core.policy.CanonicalPath;
import io.quotatree.core.policy.ClientAddress;
import io.quotatree.core.policy.Request;
import io.quotatree.core.ticket.Tickets;
import io.quotatree.gateway.calls.CallException;
import io.quotatree.gateway.calls.JsonFields;
import io.quotatree.http.IdentityReader;
import io.quotatree.quotafile.yaml.Durations;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;

/**
 * What one decision is asked about, read and checked whole.
 *
 * @param request the request
 * @param target method and canonical path, for logs
 * @param hold how long its permits in flight are held
 */
record AskedDecision(Request request, String target, Duration hold) {

  private static final List<String> KNOWN =
      List.of("caller", "user", "plan", "method", "path", "cost", "hold", "attributes");
  private static final List<String> ATTRIBUTES = List.of("ip", "session");
  private static final int MAX_METHOD_CHARS = 32;
  private static final int MAX_PATH_CHARS = 4096;
  private static final int MAX_ADDRESS_CHARS = 64;
  private static final int MAX_HOLD_CHARS = 16;

  /**
   * Reads an object.
   *
   * @param place where it stands in the body: {@code [3].}, or nothing
   * @throws CallException that names the first field that is wrong
   */
  static AskedDecision read(JsonObject object, String place) {
    JsonFields fields = JsonFields.of(object, place, KNOWN);
    String caller = name(fields, "caller");
    String user = name(fields, "user");
    String plan = name(fields, "plan");
    String method = method(fields);
    String path = path(fields);
    Long cost = fields.whole("cost", 0, Rate.MAX_PERMITS).orElse(null);
    Duration hold = hold(fields, Tickets.USUAL_HOLD);
    JsonFields attributes =
        fields
            .object("attributes", ATTRIBUTES)
            .orElseGet(() -> JsonFields.of(new JsonObject(), "", ATTRIBUTES));
    Request request =
        new Request(
            caller,
            user,
            Request.Proof.PROVEN,
            plan,
            method,
            path,
            cost,
            address(attributes),
            name(attributes, "session"));
    return new AskedDecision(request, method + " " + CanonicalPath.of(path), hold);
  }

  private static String name(JsonFields fields, String field) {
    String name = fields.text(field, IdentityReader.MAX_NAME_CHARS).orElse("");
    for (int i = 0; i < name.length(); i++) {
      if (Character.isSurrogate(name.charAt(i)) && !isPaired(name, i)) {
        throw fields.wrong(field, "holds half a character", "whole ones");
      }
    }
    return name;
  }

  /** Half a character has no bytes of its own: two names with different ones would be one. */
  private static boolean isPaired(String name, int at) {
    return Character.isHighSurrogate(name.charAt(at))
        ? at + 1 < name.length() && Character.isLowSurrogate(name.charAt(at + 1))
        : at > 0 && Character.isHighSurrogate(name.charAt(at - 1));
  }

  private static String method(JsonFields fields) {
    String method = fields.required("method", MAX_METHOD_CHARS, "\"GET\"");
    if (!method.chars().allMatch(c -> (c >= 'A' && c <= 'Z') || c == '-' || c == '_')) {
      throw fields.wrong("method", "is not in upper case", "one such as \"GET\"");
    }
    return method;
  }

  private static String path(JsonFields fields) {
    String path = fields.required("path", MAX_PATH_CHARS, "\"/order/pay\"");
    if (path.indexOf('?') >= 0 || path.indexOf('#') >= 0) {
      throw fields.wrong("path", "has a query or fragment", "what stands before it");
    }
    try {
      CanonicalPath.of(path);
      return path;
    } catch (BadPathException e) {
      throw fields.wrong("path", "has no one reading: " + e.getMessage(), "it as it is sent");
    }
  }

  private static String address(JsonFields attributes) {
    String address = attributes.text("ip", MAX_ADDRESS_CHARS).orElse("");
    if (!address.isEmpty() && ClientAddress.parsed(address) == null) {
      throw attributes.wrong("ip", "is no address", "one such as \"192.0.2.1\" or \"2001:db8::1\"");
    }
    return address;
  }

  /** How long permits are to be held. */
  static Duration hold(JsonFields fields, Duration otherwise) {
    String text = fields.text("hold", MAX_HOLD_CHARS).orElse("");
    if (text.isEmpty()) {
      return otherwise;
    }
    Duration hold;
    try {
      hold = Durations.parse(text);
    } catch (IllegalArgumentException e) {
      throw fields.wrong("hold", "is no time", "1ms to 1h, such as \"60s\"");
    }
    if (hold.isZero() || hold.compareTo(Tickets.LONGEST_HOLD) > 0) {
      throw fields.wrong("hold", "is out of bounds", "1ms to 1h, such as \"60s\"");
    }
    return hold;
  }
}
