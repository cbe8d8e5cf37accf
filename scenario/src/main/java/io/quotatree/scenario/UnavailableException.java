package io.quotatree.scenario;

/** The ledger of a scenario could not be asked, so nothing can be said of the scenario. */
public final class UnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnavailableException(Step.Send step) {
    super("the ledger gave no answer to the request at " + step.heading().at());
  }
}
