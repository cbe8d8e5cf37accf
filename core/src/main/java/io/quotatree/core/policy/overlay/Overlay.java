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

  /**
   * What was found last, and the monotonic time then.
   *
   * @param overrides those that had not ended when somebody looked last
   */
  private record Known(Overrides overrides, Instant found, long foundNanos) {}

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
    this.known = new Known(Overrides.NONE, Instant.EPOCH, ticker.monotonicNanos());
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
    known = new Known(left, before.found(), before.foundNanos());
    return before.overrides().all().stream().filter(one -> !left.all().contains(one)).toList();
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
    return take(stored, askedNanos);
  }

  private synchronized Optional<Change> take(Stored stored, long askedNanos) {
    Known before = known;
    if (askedNanos < before.foundNanos()) {
      // Somebody has looked since, or changed something: this is older than what he found.
      return Optional.empty();
    }
    Overrides left = stored.overrides().at(stored.now());
    known = new Known(left, stored.now(), askedNanos);
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

  private Optional<Change> change(LongPredicate ifRevision, Edit edit)
      throws OverrideStoreException {
    for (int i = 0; i < MOST_TRIES; i++) {
      Stored found = store.read();
      if (!ifRevision.test(found.overrides().revision())) {
        return Optional.empty();
      }
      Overrides before = found.overrides().at(found.now());
      List<TimedOverride> after = edit.of(before, found.now());
      if (after.equals(before.all())) {
        return Optional.of(new Change(before, before));
      }
      // Refuses too many before they are stored.
      new Overrides(before.revision(), after);
      long askedNanos = ticker.monotonicNanos();
      Optional<Stored> stored = store.replace(found.overrides().revision(), after);
      if (stored.isPresent()) {
        take(stored.get(), askedNanos);
        return Optional.of(new Change(before, stored.get().overrides()));
      }
    }
    throw new OverrideStoreException(
        "others changed the overrides " + MOST_TRIES + " times in between; try again");
  }
}
