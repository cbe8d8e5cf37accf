package io.quotatree.bench.worker;

import io.quotatree.bench.contender.Contender;
import io.quotatree.bench.load.Load;

/**
 * A thread's requests, handed out piece by piece; making a piece is never timed.
 *
 * <p>Most jobs walk round and round through one array that all threads share, each from a place of
 * its own; where users are to be new, each piece is made anew.
 */
final class Feed<R> {

  /** So few that what was read of them still is in a core's own cache when they are decided. */
  static final int PIECE = 512;

  private final Contender<R, ?> contender;
  private final Load load;
  private final Object[] requests;
  private final boolean isNew;
  private int at;

  /** A feed of an array whose length is a multiple of {@link #PIECE}. */
  Feed(Contender<R, ?> contender, Load load, Object[] shared, int from) {
    this.contender = contender;
    this.load = load;
    this.isNew = load.job().isOfNewUsers();
    this.requests = isNew ? new Object[PIECE] : shared;
    this.at = from;
  }

  /**
   * Makes ready the next piece: so many requests from {@link #from} on. Their strings are read, as
   * requests are that came from a socket a moment ago.
   *
   * @return what was read; kept by the caller, so that no compiler leaves the reading out
   */
  long next() {
    if (isNew) {
      for (int i = 0; i < PIECE; i++) {
        requests[i] = contender.request(load.newUser());
      }
      at = 0;
    } else {
      at = (at + PIECE) % requests.length;
    }
    long read = 0;
    for (int i = at; i < at + PIECE; i++) {
      read += contender.read(request(i));
    }
    return read;
  }

  int from() {
    return at;
  }

  @SuppressWarnings("unchecked")
  R request(int index) {
    return (R) requests[index];
  }
}
