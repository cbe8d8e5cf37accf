package io.quotatree.quotafile;

import io.quotatree.core.policy.BadPathException;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.Request;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which quotas apply to a request, from which line of the file, and in which order they are asked.
 * Made of texts, numbers and lists alone, so that any JSON writer prints it.
 *
 * @param file the file's name
 * @param method the request's method
 * @param path its path as quotas see it: canonical
 * @param caller its caller; {@code anonymous} where it has none
 * @param user its user; empty where it has none
 * @param plan its user's plan; empty where it has none
 * @param route the route that takes it; null where the file has no routes, or none takes it
 * @param api the api that it belongs to, or the match of its route where no line names one
 * @param cost the permits that it takes from every limit
 * @param quotas the quotas in the order in which they are asked; empty where no route takes it
 * @param notes what a reader might not expect, in sentences
 */
public record Explanation(
    String file,
    String method,
    String path,
    String caller,
    String user,
    String plan,
    @Nullable Taken route,
    String api,
    long cost,
    List<Asked> quotas,
    List<String> notes) {

  /** Copies the lists. */
  public Explanation {
    quotas = List.copyOf(quotas);
    notes = List.copyOf(notes);
  }

  /**
   * A route that takes a request.
   *
   * @param match its match
   * @param upstream who answers
   * @param line its line in the file
   */
  public record Taken(String match, String upstream, int line) {

    private Map<String, Object> asMap() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("match", match);
      all.put("upstream", upstream);
      all.put("line", line);
      return all;
    }
  }

  /**
   * A quota that is asked.
   *
   * @param turn its turn, from 1
   * @param layer its layer
   * @param subject whose quota it is
   * @param allowance {@code limited}, {@code unlimited} per time, or {@code blocked}
   * @param limits its limits in the order in which they are asked, that on requests in flight last
   * @param accounting {@code strict} or {@code loose}
   * @param enforcement {@code enforced} or {@code shadow}
   * @param place where it was written in the tree: {@code caller.overrides.app-a}
   * @param line its line in the file
   * @param column its column in the file
   * @param until when it ends by itself, as an override does; empty where it does not
   */
  public record Asked(
      int turn,
      String layer,
      String subject,
      String allowance,
      List<Counted> limits,
      String accounting,
      String enforcement,
      String place,
      int line,
      int column,
      Optional<Instant> until) {
    /** Copies the list. */
    public Asked {
      limits = List.copyOf(limits);
    }

    private Map<String, Object> asMap() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("turn", turn);
      all.put("layer", layer);
      all.put("subject", subject);
      all.put("allowance", allowance);
      all.put("limits", limits.stream().map(Counted::asMap).toList());
      all.put("accounting", accounting);
      all.put("enforcement", enforcement);
      all.put("place", place);
      all.put("line", line);
      all.put("column", column);
      until.ifPresent(end -> all.put("until", end.toString()));
      return all;
    }
  }

  /**
   * A limit of a quota.
   *
   * @param limit the rate, {@code 100/min}, or {@code 50 in flight}
   * @param algorithm how it is counted: {@code token_bucket}, say, or {@code concurrency}
   * @param details what is unusual in how it is counted: {@code burst 20}; else empty
   * @param permits permits of a period, or requests in flight
   * @param capacity the most that it ever holds
   */
  public record Counted(
      String limit, String algorithm, String details, long permits, long capacity) {

    Map<String, Object> asMap() {
      Map<String, Object> all = new LinkedHashMap<>();
      all.put("limit", limit);
      all.put("algorithm", algorithm);
      all.put("details", details);
      all.put("permits", permits);
      all.put("capacity", capacity);
      return all;
    }
  }

  /**
   * Explains a request.
   *
   * @param file the file
   * @param policy its quotas, compiled for the gateway that is asked about
   * @param request the request
   * @throws BadPathException if the request's path has no canonical form, so that it is a 400
   */
  public static Explanation of(QuotaFile file, Policy policy, Request request) {
    return new Explainer(file, policy, request).explain();
  }

  /** The explanation for programs: maps, lists and values, ready for any JSON writer. */
  public Map<String, @Nullable Object> asMap() {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    all.put("file", file);
    all.put("method", method);
    all.put("path", path);
    all.put("caller", caller);
    all.put("user", user);
    all.put("plan", plan);
    all.put("route", route == null ? null : route.asMap());
    all.put("api", api);
    all.put("cost", cost);
    all.put("quotas", quotas.stream().map(Asked::asMap).toList());
    all.put("notes", notes);
    return all;
  }

  /** The explanation for people, in lines. */
  public String text() {
    return new ExplanationText(this).toString();
  }
}
