package io.quotatree.gateway.proxy;

import io.quotatree.core.time.Ticker;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Watches that something moves: after too long a time without progress it gives up. It watches
 * again if then something else is expected.
 *
 * <p>Progress is noted often and costs one reading of the clock; who looks whether there was some
 * is the loop's {@link Vigil}. Used on one event loop.
 */
final class Patience {

  static final Ticker CLOCK = Ticker.system();

  private final Vigil vigil;
  private final Runnable atEnd;
  private long limitNanos;
  private long movedNanos;
  private boolean watched;
  private boolean stopped;

  /** Its neighbours in the vigil, which alone touches them. */
  @Nullable Patience before;

  @Nullable Patience after;

  /** A watch that runs the given action when it gives up. */
  Patience(Vigil vigil, Runnable atEnd) {
    this.vigil = vigil;
    this.atEnd = atEnd;
  }

  /** From now on waits so long for progress. */
  void expectWithin(long millis) {
    if (stopped) {
      return;
    }
    limitNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    progress();
    vigil.knows(millis);
    if (!watched) {
      watched = true;
      vigil.add(this);
    }
  }

  /** Something moved. */
  void progress() {
    movedNanos = CLOCK.monotonicNanos();
  }

  /** Nothing is waited for any more. */
  void stop() {
    stopped = true;
    if (watched) {
      watched = false;
      vigil.remove(this);
    }
  }

  void endIfOver(long nowNanos) {
    if (nowNanos - movedNanos >= limitNanos) {
      watched = false;
      vigil.remove(this);
      atEnd.run();
    }
  }
}
