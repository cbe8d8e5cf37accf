package io.quotatree.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which web pages of other origins may read answers (the Fetch standard's CORS protocol).
 *
 * <p>A page is allowed by its origin; credentials are allowed with it, but not where every origin
 * is: {@code *} means what anybody may read. Immutable.
 */
public final class Cors {

  /** Every origin. */
  public static final String ANY = "*";

  /** What a page may read of an answer beside the fields that every page may. */
  public static final String EXPOSED =
      "Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining,"
          + " X-RateLimit-Reset, X-RateLimit-Scope, X-RateLimit-Key, grpc-status, grpc-message,"
          + " grpc-retry-pushback-ms";

  private static final HeaderField VARY = new HeaderField("Vary", "Origin");

  /** As long as browsers keep what a server says nothing of would be five seconds. */
  private static final HeaderField KEPT = new HeaderField("Access-Control-Max-Age", "600");

  private static final Pattern ORIGIN =
      Pattern.compile("https?://([a-z0-9._-]+|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");

  private static final Pattern NAMES = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z, -]{1,1000}");

  private final Set<String> origins;

  /**
   * A rule.
   *
   * @param origins as browsers write them, {@code https://shop.example}, or {@link #ANY}
   * @throws IllegalArgumentException if one of them is no origin
   */
  public Cors(Set<String> origins) {
    for (String origin : origins) {
      if (!origin.equals(ANY) && !ORIGIN.matcher(origin).matches()) {
        throw new IllegalArgumentException(
            "`" + origin + "` is no origin: write scheme and host, as `https://shop.example`");
      }
    }
    this.origins = Set.copyOf(origins);
  }

  /** Whether pages of an origin may read answers. */
  public boolean allows(@Nullable String origin) {
    return origin != null && (origins.contains(ANY) || origins.contains(origin));
  }

  /**
   * The fields that allow an origin to read an answer, {@code Vary} not among them; none where it
   * may not.
   */
  public List<HeaderField> allowing(@Nullable String origin) {
    if (origin == null || !allows(origin)) {
      return List.of();
    }
    if (!origins.contains(origin)) {
      return List.of(new HeaderField("Access-Control-Allow-Origin", ANY));
    }
    return List.of(
        new HeaderField("Access-Control-Allow-Origin", origin),
        new HeaderField("Access-Control-Allow-Credentials", "true"));
  }

  /** An answer of the gateway's own, readable by the page that asked for it. */
  public Answer readable(Answer answer, @Nullable String origin) {
    List<HeaderField> fields = new ArrayList<>(answer.fields());
    List<HeaderField> allowing = allowing(origin);
    fields.addAll(allowing);
    if (!allowing.isEmpty()) {
      fields.add(new HeaderField("Access-Control-Expose-Headers", EXPOSED));
    }
    fields.add(VARY);
    return new Answer(answer.status(), fields, answer.body());
  }

  /**
   * The answer to a preflight: 204, which without the fields that allow it tells a browser not to
   * send the request.
   *
   * @param method what the page wants to send
   * @param names the header fields that it wants to send; null for none
   */
  public Answer preflight(String origin, String method, @Nullable String names) {
    List<HeaderField> fields = new ArrayList<>(allowing(origin));
    if (!fields.isEmpty()) {
      if (NAMES.matcher(method).matches()) {
        fields.add(new HeaderField("Access-Control-Allow-Methods", method));
      }
      if (names != null && NAMES.matcher(names).matches()) {
        fields.add(new HeaderField("Access-Control-Allow-Headers", names));
      }
      fields.add(KEPT);
    }
    fields.add(
        new HeaderField(
            "Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"));
    return new Answer(204, fields, "");
  }
}
