package io.quotatree.core.policy.overlay;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Origin;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.overlay.OverrideStore.Stored;
import io.quotatree.core.time.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * The overrides of a gateway: what is known of them, until when they hold, and a file's quotas with
 * them.
 *
 * <p>Nothing here is in force by itself. Whoever serves by a tree lays the overrides over it, and
 * does so again whenever {@link #endOver} or {@link #look} says that they changed, or a call of his
 * changed them. Overrides end by the clock of their store: from the last look on they do so by the
 * monotonic clock of this process, whether the store can be asked or not.
 *
 * <p>Safe for use by several threads. All but {@link #known}, {@link #over} and {@link #endOver}
 * wait for the store.
 */
public final class Overlay {

  /**
   * How often a change is tried again that another one came before; each time some other gateway
   * got further.
   */
  private static final int MOST_TRIES = 20;

  private final OverrideStore store;
  private final Ticker ticker;

  /** Replaced under this object's monitor; read by anybody. */
  private volatile Known known;

  /** Whether the store may have some that have ended; as long as nobody looked, it may. */
  private volatile boolean mayHaveEnded = true;

  /** Those that were taken out of the store here, and not told yet; guarded by this object. */
  private final List<TimedOverride> takenOut = new ArrayList<>();

  /**
   * What was found last, and the monotonic time then.
   *
   * @param overrides those that had not ended when somebody looked last
   * @param sinceNanos whoever asked before this may have been answered something older
   */
  private record Known(Overrides overrides, Instant found, long foundNanos, long sinceNanos) {}

  /** Reads the quota of an override; there is one for each way in which quotas are written. */
  @FunctionalInterface
  public interface QuotaReader {
    /**
     * The quota that an override stands for.
     *
     * @param place what it is set for
     * @throws IllegalArgumentException if it is none, with what is wrong
     */
    Quota read(TimedOverride override, OverridePlace place);
  }

  /**
   * An override that is to be set.
   *
   * @param place what it is set for
   * @param quota the quota, as it is written
   * @param lasting how long it holds
   * @param reason why; empty for no reason
   */
  public record Wanted(OverridePlace place, String quota, Duration lasting, String reason) {}

  /**
   * A change that was made.
   *
   * @param before all overrides before it
   * @param after all overrides after it
   */
  public record Change(Overrides before, Overrides after) {}

  /**
   * A tree with overrides in it.
   *
   * @param tree the quotas in force
   * @param idle overrides that the tree has no place for, or cannot have, with the reason
   */
  public record Laid(QuotaTree tree, List<Idle> idle) {
    /** Copies the list. */
    public Laid {
      idle = List.copyOf(idle);
    }
  }

  /** An override that is not in force, and why. */
  public record Idle(TimedOverride override, String why) {}

  /** An overlay that knows of no override until it looks. */
  public Overlay(OverrideStore store, Ticker ticker) {
    this.store = store;
    this.ticker = ticker;
    long nowNanos = ticker.monotonicNanos();
    this.known = new Known(Overrides.NONE, Instant.EPOCH, nowNanos, nowNanos);
  }

  /** The overrides that have not ended, as far as the last look showed. */
  public Overrides known() {
    Known now = known;
    return now.overrides().at(timeOf(now));
  }

  private Instant timeOf(Known found) {
    return found.found().plusNanos(ticker.monotonicNanos() - found.foundNanos());
  }

  /**
   * A file's quotas with the overrides in them. Those that the file has no place for are idle.
   *
   * @param reader reads the quotas as that file does
   */
  public Laid over(QuotaTree tree, QuotaReader reader) {
    List<Idle> idle = new ArrayList<>();
    QuotaTree changed = tree;
    for (TimedOverride override : known().all()) {
      try {
        OverridePlace place = OverridePlace.of(override.layer(), override.subject());
        Quota quota = reader.read(override, place);
        changed =
            place.with(
                changed, quota.withOrigin(Origin.override(override.words(), override.until())));
      } catch (IllegalArgumentException e) {
        idle.add(new Idle(override, String.valueOf(e.getMessage())));
      }
    }
    return new Laid(changed, idle);
  }

  /**
   * Forgets overrides that have ended.
   *
   * @return those that did since the last time
   */
  public synchronized List<TimedOverride> endOver() {
    Known before = known;
    Overrides left = before.overrides().at(timeOf(before));
    known = new Known(left, before.found(), before.foundNanos(), before.sinceNanos());
    List<TimedOverride> ended = without(before.overrides(), left);
    mayHaveEnded |= !ended.isEmpty();
    return ended;
  }

  private static List<TimedOverride> without(Overrides some, Overrides others) {
    return some.all().size() == others.all().size()
        ? List.of()
        : some.all().stream().filter(one -> !others.all().contains(one)).toList();
  }

  /**
   * Takes overrides that have ended out of the store. Of all that share it each of them is taken
   * out by one, so whoever is answered them may tell of it.
   *
   * @return those that were taken out here since the last time, by other changes too
   * @throws OverrideStoreException if nobody can say; they are answered at the next time
   */
  public List<TimedOverride> takeOutEnded() throws OverrideStoreException {
    if (mayHaveEnded) {
      // Before it is read: what ends after that is seen the next time.
      mayHaveEnded = false;
      try {
        Optional<Change> unused = change(revision -> true, (found, now) -> found.all());
      } catch (OverrideStoreException e) {
        mayHaveEnded = true;
        throw e;
      }
    }
    synchronized (this) {
      List<TimedOverride> taken = List.copyOf(takenOut);
      takenOut.clear();
      return taken;
    }
  }

  /**
   * Looks at what is stored.
   *
   * @return the change, if there is one
   * @throws OverrideStoreException if nobody can say; what is known stays as it is
   */
  public Optional<Change> look() throws OverrideStoreException {
    // Asked outside of the monitor: a store that is slow must not hold up who ends overrides.
    long askedNanos = ticker.monotonicNanos();
    Stored stored = store.read();
    return take(stored, askedNanos, askedNanos);
  }

  private synchronized Optional<Change> take(Stored stored, long askedNanos, long sinceNanos) {
    Known before = known;
    if (sinceNanos < before.sinceNanos()) {
      // Somebody has looked since, or changed something: this is older than what he found.
      return Optional.empty();
    }
    Overrides left = stored.overrides().at(stored.now());
    known = new Known(left, stored.now(), askedNanos, sinceNanos);
    mayHaveEnded |= left.all().size() < stored.overrides().all().size();
    return left.equals(before.overrides())
        ? Optional.empty()
        : Optional.of(new Change(before.overrides(), left));
  }

  /**
   * Sets overrides, all or none, in place of those of the same subjects.
   *
   * @param ifRevision whether the revision that they would be set on will do
   * @param by who sets them
   * @return the change; empty where the revision would not do
   * @throws OverrideStoreException if they could not be stored, or nobody can say whether they were
   * @throws IllegalArgumentException if there would be too many, or one is too long
   */
  public Optional<Change> set(List<Wanted> wanted, LongPredicate ifRevision, String by)
      throws OverrideStoreException {
    return change(
        ifRevision,
        (found, now) -> found.with(wanted.stream().map(one -> timed(one, now, by)).toList()));
  }

  private static TimedOverride timed(Wanted wanted, Instant now, String by) {
    Instant since = now.truncatedTo(ChronoUnit.MILLIS);
    return new TimedOverride(
        wanted.place().layer(),
        wanted.place().subject(),
        wanted.quota(),
        since,
        since.plus(wanted.lasting()),
        by,
        wanted.reason());
  }

  /**
   * Whether this is the first gateway of those that share the store to ask so of an override.
   *
   * @param fact what is to be told of it, the same words at all gateways
   * @throws OverrideStoreException if nobody can say
   */
  public boolean isFirstToTell(String fact, TimedOverride override) throws OverrideStoreException {
    return store.isFirst(
        override.words() + " of " + override.since() + " " + fact, override.until());
  }

  /**
   * Ends an override.
   *
   * @return the change, which changes nothing where there is no such override; empty where the
   *     revision would not do
   * @throws OverrideStoreException if that could not be stored, or nobody can say whether it was
   */
  public Optional<Change> end(Layer layer, String subject, LongPredicate ifRevision)
      throws OverrideStoreException {
    return change(ifRevision, (found, now) -> found.without(layer, subject));
  }

  /** What is to be there in place of what was found. */
  private interface Edit {
    List<TimedOverride> of(Overrides found, Instant now);
  }

  private synchronized void takenOut(List<TimedOverride> ended) {
    takenOut.addAll(ended);
  }

  private Optional<Change> change(LongPredicate ifRevision, Edit edit)
      throws OverrideStoreException {
    for (int i = 0; i < MOST_TRIES; i++) {
      Stored found = store.read();
      if (!ifRevision.test(found.overrides().revision())) {
        return Optional.empty();
      }
      Overrides before = found.overrides().at(found.now());
      List<TimedOverride> after = edit.of(before, found.now());
      if (after.equals(found.overrides().all())) {
        return Optional.of(new Change(before, before));
      }
      // Refuses too many before they are stored.
      new Overrides(before.revision(), after);
      long askedNanos = ticker.monotonicNanos();
      Optional<Stored> stored = store.replace(found.overrides().revision(), after);
      if (stored.isPresent()) {
        takenOut(without(found.overrides(), before));
        // Who asked while it was being changed may have been answered what was there before.
        take(stored.get(), askedNanos, ticker.monotonicNanos());
        return Optional.of(new Change(before, stored.get().overrides()));
      }
    }
    throw new OverrideStoreException(
        "others changed the overrides " + MOST_TRIES + " times in between; try again");
  }
}
