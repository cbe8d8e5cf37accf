package io.quotatree.core.policy.overlay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.overlay.Overlay.Change;
import io.quotatree.core.policy.overlay.Overlay.Wanted;
import io.quotatree.core.time.ManualTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OverlayTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir private Path folder;

  private final ManualTicker ticker = new ManualTicker(START);

  private FileOverrideStore store() {
    return new FileOverrideStore(folder.resolve("data"), ticker);
  }

  private Overlay overlay() {
    return new Overlay(store(), ticker);
  }

  private static Wanted wanted(String caller, String quota, Duration lasting) {
    return new Wanted(OverridePlace.of(Layer.CALLER, caller), quota, lasting, "why");
  }

  private static Change set(Overlay overlay, Wanted... wanted) throws OverrideStoreException {
    return overlay.set(List.of(wanted), revision -> true, "me").orElseThrow();
  }

  /** Quotas of these tests are numbers of permits a second. */
  private static Quota read(TimedOverride override, OverridePlace place) {
    Rate rate = Rate.of(Long.parseLong(override.quota()), 1_000_000);
    return Quota.of(RateLimit.of(AlgorithmName.TOKEN_BUCKET, rate));
  }

  private static List<String> callers(Overlay overlay) {
    QuotaTree tree = overlay.over(QuotaTree.empty(), OverlayTest::read).tree();
    return tree.caller().overrides().stream().map(line -> line.pattern()).toList();
  }

  @Test
  void an_override_ends_when_its_time_is_over_though_nobody_looks_at_the_store()
      throws OverrideStoreException {
    Overlay overlay = overlay();
    set(overlay, wanted("a", "5", Duration.ofMinutes(1)), wanted("b", "5", Duration.ofHours(1)));
    ticker.advance(Duration.ofMinutes(1).minusMillis(1));
    assertThat(callers(overlay)).containsExactly("b", "a");
    assertThat(overlay.endOver()).isEmpty();
    ticker.advance(Duration.ofMillis(1));
    assertThat(callers(overlay)).containsExactly("b");
    assertThat(overlay.endOver()).extracting(TimedOverride::subject).containsExactly("a");
    assertThat(overlay.endOver()).isEmpty();
  }

  @Test
  void after_a_restart_those_are_known_that_have_not_ended_meanwhile()
      throws OverrideStoreException {
    set(overlay(), wanted("a", "5", Duration.ofMinutes(1)), wanted("b", "5", Duration.ofHours(1)));
    ticker.advance(Duration.ofMinutes(1));
    Overlay after = overlay();
    assertThat(callers(after)).isEmpty();
    assertThat(after.look()).isPresent();
    assertThat(callers(after)).containsExactly("b");
    assertThat(after.known().all().get(0).until()).isEqualTo(START.plus(Duration.ofHours(1)));
    assertThat(after.look()).isEmpty();
  }

  @Test
  void a_quota_in_force_says_that_it_is_an_override_and_until_when() throws OverrideStoreException {
    Overlay overlay = overlay();
    set(overlay, wanted("a", "5", Duration.ofMinutes(1)));
    QuotaTree tree = overlay.over(QuotaTree.empty(), OverlayTest::read).tree();
    Quota quota = requireNonNull(tree.caller().overrides().get(0).quota());
    assertThat(quota.origin().place()).isEqualTo("override of caller a");
    assertThat(quota.origin().until()).contains(START.plus(Duration.ofMinutes(1)));
  }

  @Test
  void one_that_cannot_be_read_is_idle_and_the_others_hold() throws OverrideStoreException {
    Overlay overlay = overlay();
    set(overlay, wanted("a", "0", Duration.ofMinutes(1)), wanted("b", "5", Duration.ofMinutes(1)));
    Overlay.Laid laid = overlay.over(QuotaTree.empty(), OverlayTest::read);
    assertThat(laid.tree().caller().overrides()).hasSize(1);
    assertThat(laid.idle()).hasSize(1);
    assertThat(laid.idle().get(0).override().subject()).isEqualTo("a");
    assertThat(laid.idle().get(0).why()).contains("a rate of 0 permits");
  }

  /** Somebody looks while a change is stored; he is answered what was before, and slowly. */
  private final class SlowToLook implements OverrideStore {
    private final OverrideStore store = store();
    private boolean isChanging;

    @Override
    public Stored read() throws OverrideStoreException {
      Stored found = store.read();
      if (isChanging) {
        isChanging = false;
        looked.complete(found);
        changed.join();
      }
      return found;
    }

    @Override
    public Optional<Stored> replace(long revision, List<TimedOverride> all)
        throws OverrideStoreException {
      ticker.advance(Duration.ofNanos(1000));
      isChanging = true;
      looking.complete(true);
      looked.join();
      ticker.advance(Duration.ofNanos(1000));
      return store.replace(revision, all);
    }

    @Override
    public boolean isFirst(String fact, Instant until) throws OverrideStoreException {
      return store.isFirst(fact, until);
    }
  }

  private final CompletableFuture<Boolean> looking = new CompletableFuture<>();
  private final CompletableFuture<OverrideStore.Stored> looked = new CompletableFuture<>();
  private final CompletableFuture<Boolean> changed = new CompletableFuture<>();

  @Test
  void whoever_looks_while_an_override_is_set_does_not_end_it() throws Exception {
    Overlay overlay = new Overlay(new SlowToLook(), ticker);
    CompletableFuture<Optional<Change>> look =
        looking.thenApplyAsync(
            now -> {
              try {
                return overlay.look();
              } catch (OverrideStoreException e) {
                throw new AssertionError(e);
              }
            });
    set(overlay, wanted("a", "5", Duration.ofHours(1)));
    changed.complete(true);
    assertThat(look.join()).isEmpty();
    assertThat(callers(overlay)).containsExactly("a");
  }

  @Test
  void two_that_share_a_store_lose_no_change_of_the_other() throws OverrideStoreException {
    Overlay one = overlay();
    Overlay two = overlay();
    set(one, wanted("a", "5", Duration.ofMinutes(1)));
    set(two, wanted("b", "6", Duration.ofMinutes(1)));
    assertThat(one.look()).isPresent();
    assertThat(one.known()).isEqualTo(two.known());
    assertThat(one.known().all()).extracting(TimedOverride::subject).containsExactly("a", "b");
  }

  private static List<String> takenOut(Overlay overlay) throws OverrideStoreException {
    return overlay.takeOutEnded().stream().map(TimedOverride::subject).toList();
  }

  @Test
  void of_those_that_share_a_store_one_takes_out_what_has_ended() throws OverrideStoreException {
    Overlay one = overlay();
    Overlay two = overlay();
    set(one, wanted("a", "5", Duration.ofMinutes(1)), wanted("b", "5", Duration.ofHours(1)));
    assertThat(two.look()).isPresent();
    assertThat(takenOut(one)).isEmpty();
    ticker.advance(Duration.ofMinutes(1));
    assertThat(one.endOver()).hasSize(1);
    assertThat(two.endOver()).hasSize(1);
    assertThat(takenOut(two)).containsExactly("a");
    assertThat(takenOut(one)).isEmpty();
    assertThat(takenOut(two)).isEmpty();
    assertThat(one.look()).isPresent();
    assertThat(one.known()).isEqualTo(two.known());
    assertThat(store().read().overrides().all()).hasSize(1);
  }

  @Test
  void whoever_changes_overrides_takes_out_what_has_ended_by_the_way()
      throws OverrideStoreException {
    Overlay one = overlay();
    Overlay two = overlay();
    set(one, wanted("a", "5", Duration.ofMinutes(1)));
    ticker.advance(Duration.ofMinutes(1));
    set(two, wanted("b", "5", Duration.ofMinutes(1)));
    assertThat(takenOut(one)).isEmpty();
    assertThat(takenOut(two)).containsExactly("a");
  }

  @Test
  void one_that_ended_while_nobody_ran_is_taken_out_at_the_next_start()
      throws OverrideStoreException {
    set(overlay(), wanted("a", "5", Duration.ofMinutes(1)));
    ticker.advance(Duration.ofDays(1));
    assertThat(takenOut(overlay())).containsExactly("a");
    assertThat(takenOut(overlay())).isEmpty();
  }

  @Test
  void overrides_of_a_callers_api_are_one_whatever_its_parameters_are_called()
      throws OverrideStoreException {
    Overlay overlay = overlay();
    Duration hour = Duration.ofHours(1);
    set(
        overlay,
        new Wanted(OverridePlace.of(Layer.API, "a|GET /u/{id}"), "5", hour, ""),
        new Wanted(OverridePlace.of(Layer.API, "b|GET /u/{id}"), "5", hour, ""));
    set(overlay, new Wanted(OverridePlace.of(Layer.API, "a|GET /u/{name}"), "6", hour, ""));
    // As it was called first: that is how its counter is called.
    assertThat(overlay.known().all())
        .extracting(one -> one.subject() + " " + one.quota())
        .containsExactly("b|GET /u/{id} 5", "a|GET /u/{id} 6");
    assertThat(overlay.known().find(Layer.API, "a|GET /u/{x}")).isPresent();
    assertThat(overlay.end(Layer.API, "a|GET /u/{y}", revision -> true)).isPresent();
    assertThat(overlay.known().all())
        .extracting(TimedOverride::subject)
        .containsExactly("b|GET /u/{id}");
  }

  @Test
  void a_change_of_a_revision_that_will_not_do_changes_nothing() throws OverrideStoreException {
    Overlay overlay = overlay();
    long before = set(overlay, wanted("a", "5", Duration.ofMinutes(1))).after().revision();
    long now = set(overlay, wanted("a", "6", Duration.ofMinutes(1))).after().revision();
    assertThat(now).isGreaterThan(before);
    List<Wanted> late = List.of(wanted("a", "7", Duration.ofMinutes(1)));
    assertThat(overlay.set(late, revision -> revision == before, "me")).isEmpty();
    assertThat(overlay.end(Layer.CALLER, "a", revision -> revision == before)).isEmpty();
    assertThat(overlay.known().all()).extracting(TimedOverride::quota).containsExactly("6");
    assertThat(overlay.set(late, revision -> revision == now, "me")).isPresent();
  }

  @Test
  void ending_one_leaves_the_others() throws OverrideStoreException {
    Overlay overlay = overlay();
    set(overlay, wanted("a", "5", Duration.ofHours(1)), wanted("b", "5", Duration.ofHours(1)));
    Change change = overlay.end(Layer.CALLER, "a", revision -> true).orElseThrow();
    assertThat(change.before().find(Layer.CALLER, "a")).isPresent();
    assertThat(change.after().find(Layer.CALLER, "a")).isEmpty();
    assertThat(callers(overlay)).containsExactly("b");
    Change none = overlay.end(Layer.CALLER, "a", revision -> true).orElseThrow();
    assertThat(none.after()).isEqualTo(none.before());
  }

  @Test
  void too_many_are_refused_and_none_of_them_is_set() throws OverrideStoreException {
    Overlay overlay = overlay();
    set(overlay, wanted("last", "5", Duration.ofHours(1)));
    List<Wanted> many =
        IntStream.range(0, Overrides.MOST)
            .mapToObj(i -> wanted("app-" + i, "5", Duration.ofHours(1)))
            .toList();
    assertThatThrownBy(() -> overlay.set(many, revision -> true, "me"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 1000");
    assertThat(callers(overlay)).containsExactly("last");
    ticker.advance(Duration.ofHours(1));
    assertThat(overlay.set(many, revision -> true, "me")).isPresent();
  }

  @Test
  void a_file_that_was_cut_short_is_told_and_stays_as_it_is()
      throws IOException, OverrideStoreException {
    Overlay overlay = overlay();
    set(overlay, wanted("a", "5", Duration.ofHours(1)), wanted("b", "5", Duration.ofHours(1)));
    Path file = store().file();
    String whole = Files.readString(file);
    // Wherever a text ends before its end, that is seen; its last line break may be missing.
    for (int length = 0; length < whole.length() - 1; length++) {
      Files.writeString(file, whole.substring(0, length));
      assertThatThrownBy(overlay::look)
          .isInstanceOf(OverrideStoreException.class)
          .hasMessageContaining(file.toString())
          .hasMessageContaining("mend it, or move it away");
    }
    String broken = Files.readString(file);
    assertThatThrownBy(() -> set(overlay, wanted("c", "5", Duration.ofHours(1))))
        .isInstanceOf(OverrideStoreException.class);
    assertThat(Files.readString(file)).isEqualTo(broken);
    assertThat(callers(overlay)).containsExactly("b", "a");
  }

  @Test
  void whatever_is_written_is_read_again() {
    TimedOverride odd =
        new TimedOverride(
            Layer.API,
            "GET /\u00fc\t\\t",
            "\"a\\nb\"\r\n",
            START,
            START.plusMillis(1),
            "\\",
            "\ud83d\ude00 \u2028 \u0085 end 1\nend 0");
    String text = OverrideText.write(List.of(odd, odd));
    assertThat(text.lines().filter(line -> line.startsWith("api"))).hasSize(2);
    assertThat(OverrideText.read(text)).containsExactly(odd, odd);
  }

  @Test
  void nothing_is_made_where_nothing_is_set() throws OverrideStoreException {
    Overlay overlay = overlay();
    assertThat(overlay.look()).isEqualTo(Optional.empty());
    assertThat(folder.resolve("data")).doesNotExist();
  }
}
