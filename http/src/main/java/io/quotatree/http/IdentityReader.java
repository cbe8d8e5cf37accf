package io.quotatree.http;

import io.quotatree.core.policy.Request.Proof;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a request who sent it.
 *
 * <p>A peer that is no trusted proxy speaks for itself alone: its caller, user and plan headers and
 * cookies are not looked at, its {@code X-Forwarded-For} neither, and its address is that of its
 * socket. A trusted proxy speaks for its clients. {@code unproven} sources are read from anybody.
 *
 * <p>Values are trimmed; an empty one is an absent one. Octets that are UTF-8 are read as such. A
 * caller, user, plan or session of over {@link #MAX_NAME_CHARS} characters is replaced by {@code
 * sha256-} and the SHA-256 of it, and so is a shorter one that begins with {@code sha256-}, so that
 * no name can pass for another's. Names are otherwise compared as they are: case counts, and the
 * composed and decomposed forms of a letter differ.
 *
 * <p>Immutable, and safe for use by several threads.
 */
public final class IdentityReader {

  /** The longest name that is kept as it is. */
  public static final int MAX_NAME_CHARS = 256;

  private final IdentityConfig config;
  private final List<IdentitySource> sessionCookies;
  private final ForwardedFor forwardedFor;
  private final StripRule stripTrusted;
  private final StripRule stripUntrusted;

  /** A reader for one configuration; make it once, not for each request. */
  public IdentityReader(IdentityConfig config) {
    this.config = config;
    this.sessionCookies =
        config.unproven().stream().filter(IdentitySource.Cookie.class::isInstance).toList();
    this.forwardedFor = new ForwardedFor(config.trustedProxies());
    this.stripTrusted = new StripRule(config, Identity.Peer.TRUSTED);
    this.stripUntrusted = new StripRule(config, Identity.Peer.UNTRUSTED);
  }

  /**
   * Reads the identity of one request.
   *
   * @param headers the request's header lines
   * @param peerAddress the address at the other end of the socket, as a literal without port; null
   *     or empty where there is none, and then the peer is not trusted
   * @throws BadIdentityException if a trusted proxy sends different values in one header or cookie
   *     that names the caller, the user or the plan
   */
  public Identity read(RequestHeaders headers, @Nullable String peerAddress) {
    ForwardedFor.Found from = forwardedFor.find(headers, peerAddress);
    IdentityValues values = new IdentityValues(headers);
    boolean trusted = from.peer() == Identity.Peer.TRUSTED;
    String caller = trusted ? values.believed(config.caller()) : "";
    String user = trusted ? values.believed(config.user()) : "";
    String plan = trusted ? values.believed(config.plan()) : "";
    Proof proof = Proof.PROVEN;
    if (user.isEmpty()) {
      user = values.madeUp(config.unproven());
      proof = user.isEmpty() ? Proof.PROVEN : Proof.UNPROVEN;
    }
    return new Identity(
        caller,
        user,
        proof,
        plan,
        from.address(),
        values.madeUp(sessionCookies),
        from.peer(),
        trusted ? stripTrusted : stripUntrusted);
  }
}
