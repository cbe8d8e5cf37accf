package io.quotatree.http;

import io.quotatree.core.policy.Request;
import io.quotatree.core.policy.Request.Proof;
import java.util.Locale;
import java.util.Objects;

/**
 * Who sent a request, as far as it can be believed.
 *
 * @param caller the calling application; empty for none
 * @param user the end user; empty for none
 * @param proof whether the user is to be believed; {@code PROVEN} where there is none
 * @param plan the user's plan; empty for none
 * @param address the client's address in its canonical spelling; empty where unknown
 * @param session the value of the first present cookie among the unproven sources; empty for none
 * @param peer whether whoever sent it is a trusted proxy
 * @param strip the headers to remove before the request is forwarded
 */
public record Identity(
    String caller,
    String user,
    Proof proof,
    String plan,
    String address,
    String session,
    Peer peer,
    StripRule strip) {

  /** Refuses missing parts. */
  public Identity {
    Objects.requireNonNull(caller, "caller");
    Objects.requireNonNull(user, "user");
    Objects.requireNonNull(proof, "proof");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(session, "session");
    Objects.requireNonNull(peer, "peer");
    Objects.requireNonNull(strip, "strip");
  }

  /**
   * The request to decide about, of its api's cost.
   *
   * @param method in any case: a method in another case must not escape the quota of its api
   * @param path as it was sent, without query
   */
  public Request request(String method, String path) {
    return new Request(
        caller, user, proof, plan, method.toUpperCase(Locale.ROOT), path, null, address, session);
  }

  /** For logs: without the session, whose value is a secret. */
  @Override
  public String toString() {
    return "Identity[caller="
        + caller
        + ", user="
        + user
        + ", proof="
        + proof
        + ", plan="
        + plan
        + ", address="
        + address
        + ", peer="
        + peer
        + "]";
  }

  /** Who is at the other end of the connection. */
  public enum Peer {
    /** A proxy that may speak for others. */
    TRUSTED,
    /** Anybody. */
    UNTRUSTED
  }
}
