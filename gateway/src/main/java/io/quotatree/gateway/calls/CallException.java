package io.quotatree.gateway.calls;

import io.quotatree.http.Answer;
import io.quotatree.http.Problem;

/** A request that a call cannot serve, with the answer that tells why. */
public final class CallException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Answer answer;

  /** A request that is answered otherwise. */
  public CallException(Answer answer) {
    super(answer.status() + ": " + answer.body(), null, false, false);
    this.answer = answer;
  }

  /**
   * A request that is answered with a problem.
   *
   * @param message what is wrong and what to write instead, fit for the client
   */
  public static CallException of(int status, String message) {
    return new CallException(Problem.of(status, message));
  }

  /** What the client gets. */
  public Answer answer() {
    return answer;
  }
}
