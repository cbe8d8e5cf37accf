package io.quotatree.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The number that one state of the quotas has in the whole fleet; later states have greater ones.
 * The store gives it out, so gateways that reload the same file within a minute agree, whatever
 * their clocks say.
 */
final class Revision {

  /** Older than all that the store gives out. */
  static final Revision FORGOTTEN = new Revision(new byte[Fingerprint.BYTES], 1);

  private static final long UNKNOWN = 0;

  final byte[] fingerprint;

  /** Written once, by the store's thread; a stale reader asks the store again, and no harm done. */
  private volatile long number;

  /** The question under way; guarded by this object's monitor. */
  private @Nullable CompletableFuture<Long> asked;

  private Revision(byte[] fingerprint, long number) {
    this.fingerprint = fingerprint;
    this.number = number;
  }

  static Revision of(Object tree) {
    return new Revision(Fingerprint.of(tree), UNKNOWN);
  }

  boolean isKnown() {
    return number != UNKNOWN;
  }

  /** The number; only once it is known. */
  long number() {
    return number;
  }

  /** The number, or that of the oldest quotas as long as it is not known. */
  long numberOrOldest() {
    return isKnown() ? number : FORGOTTEN.number;
  }

  /** The number, which the store is asked for if nobody did yet. */
  synchronized CompletableFuture<Long> asked(Supplier<CompletionStage<Long>> question) {
    CompletableFuture<Long> underWay = asked;
    if (underWay != null) {
      return underWay;
    }
    CompletableFuture<Long> answer = new CompletableFuture<>();
    asked = answer;
    question
        .get()
        .whenComplete(
            (given, failure) -> {
              if (failure == null) {
                number = given;
                answer.complete(given);
              } else {
                forget();
                answer.completeExceptionally(failure);
              }
            });
    return answer;
  }

  /** The store gave no answer: whoever comes next asks again. */
  private synchronized void forget() {
    asked = null;
  }
}
