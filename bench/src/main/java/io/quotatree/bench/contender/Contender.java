package io.quotatree.bench.contender;

import io.quotatree.bench.load.Names;

/**
 * A limiter that is measured.
 *
 * <p>{@link #decide} is what is timed; it is safe for use by several threads, each with a scratch
 * of its own. All else is called by one thread, before.
 *
 * @param <R> a request, made beforehand
 * @param <S> what a thread keeps from decision to decision
 */
public interface Contender<R, S> {

  /** Makes the request of some names; all strings that a decision needs are made here. */
  R request(Names names);

  /** Reads a request's strings, as whoever took it from a socket just did; any number. */
  int read(R request);

  /** What a thread keeps. */
  S scratch();

  /** Decides a request and charges it; true if it is allowed. */
  boolean decide(R request, S scratch);

  /** Uses up the quota of a request's user for longer than anything is measured. */
  default void putInDebt(R request) {}

  /** Ends putting users in debt. */
  default void debtsMade() {}

  /** Does what it wants done about once a second by a thread that decides nothing. */
  default void tidy() {}

  /** Meets a request's subjects so that they stay live while others are measured. */
  default void meet(R request, S scratch) {
    decide(request, scratch);
  }
}
