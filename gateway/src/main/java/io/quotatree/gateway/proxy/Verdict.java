package io.quotatree.gateway.proxy;

import io.quotatree.core.engine.Decision;
import io.quotatree.http.Answer;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Identity;
import io.quotatree.observe.log.LogLine;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What became of a request at the gateway. */
sealed interface Verdict {

  /**
   * It goes no further.
   *
   * @param answer what it gets instead
   */
  record TurnedAway(Answer answer) implements Verdict {}

  /**
   * A store is being asked; until it has answered the request waits.
   *
   * @param answered leads back to the event loop then
   * @param decided what became of it; asked there, once
   */
  record Undecided(Hop answered, Supplier<Verdict> decided) implements Verdict {}

  /**
   * It may go upstream; here is all that the gateway knows of it.
   *
   * @param decision what allowed it; it may hold permits in flight
   * @param fields what its answer tells of quotas
   * @param destination where it goes
   * @param identity who sent it
   * @param requestId what logs on both sides call it
   * @param line the line of the decision log that waits for the answer's status; null for none
   * @param home where the decision goes when the request is over; null for nowhere
   */
  record Admitted(
      Decision decision,
      List<HeaderField> fields,
      Destination destination,
      Identity identity,
      String requestId,
      @Nullable LogLine line,
      @Nullable Spares home)
      implements Verdict {

    Route route() {
      return destination.route();
    }

    Audience audience() {
      return destination.audience();
    }
  }

  /**
   * Where a request goes.
   *
   * @param route the route that takes it
   * @param uri the path and query to forward
   * @param host the host that the client asked for; empty where it named none
   * @param peerAddress the address at the other end of its connection; empty where unknown
   * @param audience who reads the gateway's own answers to it
   */
  record Destination(Route route, String uri, String host, String peerAddress, Audience audience) {}
}
