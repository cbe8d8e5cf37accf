package io.quotatree.gateway.proxy;

import io.quotatree.core.ledger.Later;
import io.vertx.core.Context;
import org.jspecify.annotations.Nullable;

/**
 * The way back from a ledger's thread to an event loop, once for one decision.
 *
 * <p>It may be told before anybody says what comes next: the loop is busy with whoever will say it,
 * and looks only afterwards.
 */
public final class Hop implements Later {

  private final Context loop;

  /** Written and read on the loop alone. */
  private @Nullable Runnable next;

  /** A way back to an event loop. */
  public Hop(Context loop) {
    this.loop = loop;
  }

  /** Says what is done on the loop when the answer is there; on the loop, right after asking. */
  public void then(Runnable action) {
    next = action;
  }

  @Override
  public void answered() {
    loop.runOnContext(
        v -> {
          if (next != null) {
            next.run();
          }
        });
  }
}
