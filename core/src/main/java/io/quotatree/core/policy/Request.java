package io.quotatree.core.policy;

import io.quotatree.core.limit.Rate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a decision is made about.
 *
 * @param caller the calling application; empty for none
 * @param user the end user; empty for none
 * @param proof whether the user id is to be believed
 * @param plan the user's plan; empty for none
 * @param method the method in upper case
 * @param path the path as it was sent, without query; {@link CanonicalPath} tells which are refused
 * @param cost the cost that the request itself brings, 0 to 10^9; null for that of its api
 * @param address the client's address as text; empty where unknown
 * @param session what tells the client's session; empty for none
 */
public record Request(
    String caller,
    String user,
    Proof proof,
    String plan,
    String method,
    String path,
    @Nullable Long cost,
    String address,
    String session) {

  /** Refuses a cost that no request may have. */
  public Request {
    Objects.requireNonNull(caller, "caller");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(proof, "proof");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(session, "session");
    if (cost != null && (cost < 0 || cost > Rate.MAX_PERMITS)) {
      throw new IllegalArgumentException("a cost of " + cost + "; send 0 to " + Rate.MAX_PERMITS);
    }
  }

  /** A request of a proven user, of its api's cost. */
  public static Request of(String caller, String user, String method, String path) {
    return new Request(caller, user, Proof.PROVEN, "", method, path, null, "", "");
  }

  /** This request by a user of the given plan. */
  public Request withPlan(String changed) {
    return new Request(caller, user, proof, changed, method, path, cost, address, session);
  }

  /** This request with a cost of its own. */
  public Request withCost(long changed) {
    return new Request(caller, user, proof, plan, method, path, changed, address, session);
  }

  /** This request from the given address. */
  public Request withAddress(String changed) {
    return new Request(caller, user, proof, plan, method, path, cost, changed, session);
  }

  /** This request of the given session. */
  public Request withSession(String changed) {
    return new Request(caller, user, proof, plan, method, path, cost, address, changed);
  }

  /** This request by a user whose id the client made up. */
  public Request unproven() {
    return new Request(caller, user, Proof.UNPROVEN, plan, method, path, cost, address, session);
  }

  /** Whether a user id is to be believed. */
  public enum Proof {
    /** A gateway or a token vouches for it. */
    PROVEN,
    /** The client could have made it up. */
    UNPROVEN
  }
}
