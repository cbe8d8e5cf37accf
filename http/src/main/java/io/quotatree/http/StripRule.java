package io.quotatree.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Which of a request's headers must not reach the upstream, because whoever sent them may not say
 * them.
 *
 * <p>From an untrusted peer: the headers that name caller, user and plan, {@code X-Forwarded-*},
 * {@code Forwarded}, {@code X-Real-IP} and {@code X-Quotatree-*}. Names are compared without case
 * and with {@code _} as {@code -}: a CGI or WSGI upstream sees {@code X_User_Id} and {@code
 * X-User-Id} as one. From a trusted proxy only such look-alikes of identity headers go, since
 * proxies pass them on unseen.
 *
 * <p>Immutable.
 */
public final class StripRule {

  private static final List<String> CLAIMS = List.of("forwarded", "x-real-ip");
  private static final String X_FORWARDED = "x-forwarded-";
  private static final String X_QUOTATREE = "x-quotatree-";

  private final Identity.Peer peer;
  private final Set<String> written;
  private final Set<String> folded;

  /**
   * Whether no name without an underscore can be meant, so that most names are done with at once.
   */
  private final boolean underscoresAlone;

  StripRule(IdentityConfig config, Identity.Peer peer) {
    this.peer = peer;
    this.written = new TreeSet<>();
    this.folded = new TreeSet<>();
    Stream.of(config.caller(), config.user(), config.plan())
        .flatMap(List::stream)
        .filter(IdentitySource.Header.class::isInstance)
        .map(source -> source.name().toLowerCase(Locale.ROOT))
        .forEach(
            name -> {
              written.add(name);
              folded.add(fold(name));
            });
    this.underscoresAlone = peer == Identity.Peer.TRUSTED && written.containsAll(folded);
  }

  /** Whether a request's header of this name is to be removed before the request is forwarded. */
  public boolean covers(String headerName) {
    if (underscoresAlone && headerName.indexOf('_') < 0) {
      return false;
    }
    String lower = headerName.toLowerCase(Locale.ROOT);
    String name = fold(lower);
    if (peer == Identity.Peer.TRUSTED && (written.contains(lower) || !isLookAlike(lower, name))) {
      return false;
    }
    return folded.contains(name)
        || CLAIMS.contains(name)
        || name.startsWith(X_FORWARDED)
        || name.startsWith(X_QUOTATREE);
  }

  /** Whether a name is spelled otherwise than a proxy spells what it means to say. */
  private boolean isLookAlike(String lower, String name) {
    return folded.contains(name) || !lower.equals(name);
  }

  private static String fold(String lower) {
    return lower.replace('_', '-');
  }
}
