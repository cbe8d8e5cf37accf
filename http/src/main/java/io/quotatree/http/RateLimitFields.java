package io.quotatree.http;

import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.ReplyStyle.Fields;
import io.quotatree.core.policy.ReplyStyle.Keys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The {@code RateLimit} and {@code RateLimit-Policy} fields of
 * draft-ietf-httpapi-ratelimit-headers, as structured fields (RFC 9651), and the older {@code
 * X-RateLimit-*}.
 */
final class RateLimitFields {

  private static final String POLICY = "RateLimit-Policy";
  private static final String STATE = "RateLimit";
  private static final String LIMIT = "X-RateLimit-Limit";
  private static final String REMAINING = "X-RateLimit-Remaining";
  private static final String RESET = "X-RateLimit-Reset";
  private static final String SCOPE = "X-RateLimit-Scope";
  private static final String KEY = "X-RateLimit-Key";

  /** The names of all of them. */
  static final List<String> NAMES = List.of(POLICY, STATE, LIMIT, REMAINING, RESET, SCOPE, KEY);

  private static final long SECOND_MICROS = 1_000_000;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final ReplyStyle style;

  RateLimitFields(ReplyStyle style) {
    this.style = style;
  }

  /** The fields of a refusal. Each {@code t} is the wait of its own limit. */
  List<HeaderField> refused(Refusal refusal, List<String> names, long wallMicros) {
    List<HeaderField> fields = new ArrayList<>(7);
    if (standard()) {
      List<String> policies = new ArrayList<>();
      List<String> states = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        LimitState limit = refusal.refusing().get(i);
        policies.add(policy(names.get(i), limit));
        states.add(state(names.get(i), limit, limit.retryAfter()));
      }
      fields.add(new HeaderField(POLICY, String.join(", ", policies)));
      fields.add(new HeaderField(STATE, String.join(", ", states)));
    }
    addLegacy(fields, refusal.told(), wallMicros);
    return fields;
  }

  /** The fields of an allowed answer. Its {@code t} is the time to the limit's reset. */
  List<HeaderField> allowed(LimitState limit, long wallMicros) {
    List<HeaderField> fields = new ArrayList<>(7);
    if (standard()) {
      String name = limit.policyName();
      fields.add(new HeaderField(POLICY, policy(name, limit)));
      fields.add(new HeaderField(STATE, state(name, limit, limit.reset())));
    }
    addLegacy(fields, limit, wallMicros);
    return fields;
  }

  private boolean standard() {
    return style.fields() == Fields.STANDARD || style.fields() == Fields.BOTH;
  }

  private void addLegacy(List<HeaderField> fields, LimitState limit, long wallMicros) {
    if (style.fields() != Fields.LEGACY && style.fields() != Fields.BOTH) {
      return;
    }
    fields.add(new HeaderField(LIMIT, Long.toString(limit.limitPermits())));
    fields.add(new HeaderField(REMAINING, Long.toString(limit.remainingPermits())));
    if (resets(limit)) {
      // Rounded up: whoever comes then does not come early.
      long resetSeconds = -Math.floorDiv(-(wallMicros + limit.reset().micros()), SECOND_MICROS);
      fields.add(new HeaderField(RESET, Long.toString(resetSeconds)));
    }
    if (style.keys() == Keys.SHOWN) {
      String layer = limit.layer().word();
      fields.add(new HeaderField(SCOPE, layer));
      fields.add(new HeaderField(KEY, visible(layer + ":" + limit.subject())));
    }
  }

  /** A blocked quota has no moment at which it would be whole again. */
  private static boolean resets(LimitState limit) {
    return limit.limitPermits() > 0 && !limit.reset().never();
  }

  private static String policy(String name, LimitState limit) {
    StringBuilder item = new StringBuilder(quoted(name)).append(";q=").append(limit.limitPermits());
    if (limit.limit().isPresent()) {
      long periodMicros = limit.limit().get().rate().periodMicros();
      if (periodMicros >= SECOND_MICROS) {
        // Rounded up: a client that spreads q over w then sends too little rather than too much.
        item.append(";w=").append(new Wait(periodMicros).seconds());
      }
    } else if (limit.limitPermits() > 0) {
      item.append(";qu=\"concurrent-requests\"");
    }
    return item.toString();
  }

  private static String state(String name, LimitState limit, Wait time) {
    String item = quoted(name) + ";r=" + limit.remainingPermits();
    return time.never() || limit.limitPermits() == 0 ? item : item + ";t=" + time.seconds();
  }

  /** A structured field's string. */
  private static String quoted(String text) {
    boolean plain = text.indexOf('\\') < 0 && text.indexOf('"') < 0;
    return '"' + (plain ? text : text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }

  private static boolean isVisible(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  /** Octets outside visible ASCII as %XX, as they already are in the names of callers and users. */
  private static String visible(String text) {
    if (isVisible(text)) {
      return text;
    }
    StringBuilder visible = new StringBuilder(text.length());
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
      if (octet >= ' ' && octet <= '~') {
        visible.append((char) octet);
      } else {
        visible.append('%').append(HEX.toHexDigits(octet));
      }
    }
    return visible.toString();
  }
}
