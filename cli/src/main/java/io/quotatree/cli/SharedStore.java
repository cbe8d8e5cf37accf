package io.quotatree.cli;

import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.ledger.ScenarioStore;
import java.io.UncheckedIOException;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The store that {@code --store} names, found among those that are on the class path: nothing of
 * them is loaded before. It is closed, and what was made in it deleted, when the command is
 * interrupted too.
 */
final class SharedStore implements AutoCloseable {

  private final ScenarioStore store;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread atInterrupt = new Thread(this::interrupt, "quotatree-store");
  private final Runnable telling;

  /** Set before it is closed by an interrupt, so whoever fails after that knows why. */
  private volatile boolean interrupted;

  private SharedStore(ScenarioStore store, Runnable telling) {
    this.store = store;
    this.telling = telling;
  }

  /**
   * Opens a store.
   *
   * @param address as the user wrote it; it may hold a password, so no message repeats it
   * @param telling tells the user that the command was interrupted
   */
  static SharedStore open(String address, Runnable telling) {
    for (ScenarioStore.Opener opener : ServiceLoader.load(ScenarioStore.Opener.class)) {
      if (opener.opens(address)) {
        SharedStore opened = new SharedStore(open(opener, address), telling);
        Runtime.getRuntime().addShutdownHook(opened.atInterrupt);
        return opened;
      }
    }
    throw new CommandException(
        "--store names no store that is known here; write redis://HOST:PORT, redis-sentinel://HOST:PORT/0#MASTER, or a cluster's nodes separated by commas");
  }

  private static ScenarioStore open(ScenarioStore.Opener opener, String address) {
    try {
      return opener.open(address);
    } catch (IllegalArgumentException | UncheckedIOException e) {
      throw new CommandException("--store: " + reason(e), e);
    }
  }

  private static String reason(RuntimeException e) {
    Throwable told = e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
    return String.valueOf(told.getMessage());
  }

  Ledger empty() {
    return store.empty();
  }

  /** Whether the command is being ended by a signal: the store then answers no more. */
  boolean isInterrupted() {
    return interrupted;
  }

  /** The process ends when this is done. */
  private void interrupt() {
    interrupted = true;
    closeOnce();
    telling.run();
  }

  private void closeOnce() {
    if (closed.compareAndSet(false, true)) {
      store.close();
    }
  }

  @Override
  public void close() {
    closeOnce();
    try {
      Runtime.getRuntime().removeShutdownHook(atInterrupt);
    } catch (IllegalStateException e) {
      // It is under way.
      return;
    }
  }
}
