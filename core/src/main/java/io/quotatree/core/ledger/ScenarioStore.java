package io.quotatree.core.ledger;

/**
 * A shared store on which scenarios are run, in virtual time: each gets a ledger whose counters
 * nobody else sees. For one thread; {@link #close} may be called by another.
 */
public interface ScenarioStore extends AutoCloseable {

  /**
   * A ledger without any counters. Those of the ledger before are deleted. Where the store fails,
   * its decisions are unavailable.
   */
  Ledger empty();

  /** Deletes all counters that were made, and ends the connection. */
  @Override
  void close();

  /** Opens stores of one kind; found by {@link java.util.ServiceLoader}. */
  interface Opener {

    /** Whether this is the address of such a store. */
    boolean opens(String address);

    /**
     * Opens a store, and waits for it.
     *
     * @throws IllegalArgumentException if the address is malformed; the message repeats none of it
     * @throws java.io.UncheckedIOException if the store cannot be reached within a few seconds
     */
    ScenarioStore open(String address);
  }
}
