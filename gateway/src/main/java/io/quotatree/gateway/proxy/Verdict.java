package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Decision;
import io.quotatree.http.Answer;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Identity;
import java.util.List;

/** What became of a request at the gateway. */
sealed interface Verdict {

  /**
   * It goes no further.
   *
   * @param answer what it gets instead
   */
  record TurnedAway(Answer answer) implements Verdict {}

  /**
   * It may go upstream; here is all that the gateway knows of it.
   *
   * @param decision what allowed it; it may hold permits in flight
   * @param fields what its answer tells of quotas
   * @param upstream where it goes
   * @param uri the path and query to forward
   * @param host the host that the client asked for; empty where it named none
   * @param identity who sent it
   * @param peerAddress the address at the other end of its connection; empty where unknown
   * @param requestId what logs on both sides call it
   */
  record Admitted(
      Decision decision,
      List<HeaderField> fields,
      Upstream upstream,
      String uri,
      String host,
      Identity identity,
      String peerAddress,
      String requestId)
      implements Verdict {}
}
