package io.quotatree.quotafile;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.policy.QuotaTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The test itself makes each look, so nothing here depends on time. */
class WatchedFileTest {

  private static final int UNTIL_AT_REST = 12;

  @TempDir private Path folder;

  private final List<Reload> told = new ArrayList<>();
  private Path path;
  private WatchedFile watched;

  @BeforeEach
  void watch() throws IOException {
    path = folder.resolve("quotatree.yaml");
    Files.writeString(path, quotas("10/s"));
    watched = watching(path);
  }

  private WatchedFile watching(Path file) throws IOException {
    return new WatchedFile(file, ((Reading.Sound) QuotaFiles.read(file)).file(), told::add);
  }

  private static String quotas(String node) {
    return "quotas:\n  node: " + node + "\n";
  }

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      watched.look();
    }
  }

  private static String node(Reload reload) {
    assertThat(reload).isInstanceOf(Reload.Taken.class);
    QuotaTree tree = ((Reload.Taken) reload).file().quotas();
    return Trees.words(tree.node().fleet());
  }

  @Test
  void a_file_that_does_not_change_is_not_told() {
    look(50);
    assertThat(told).isEmpty();
  }

  @Test
  void a_file_written_in_place_is_taken_at_the_second_look() throws IOException {
    look(UNTIL_AT_REST);
    Files.writeString(path, quotas("20/s"));
    look(1);
    assertThat(told).isEmpty();
    look(1);
    assertThat(told).hasSize(1);
    assertThat(node(told.get(0))).isEqualTo("sliding_window 20/s");
    look(50);
    assertThat(told).hasSize(1);
  }

  @Test
  void a_file_replaced_by_rename_is_taken_again_and_again() throws IOException {
    for (int round = 1; round <= 50; round++) {
      Path next = folder.resolve("next.yaml");
      Files.writeString(next, quotas(100 + round + "/s"));
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      look(round % 2 == 0 ? 2 : UNTIL_AT_REST + 2);
      assertThat(told).hasSize(round);
      assertThat(node(told.get(round - 1))).isEqualTo("sliding_window " + (100 + round) + "/s");
    }
  }

  @Test
  void a_link_that_moves_is_followed_again_and_again() throws IOException {
    // As Kubernetes mounts a ConfigMap: file -> ..data/file, ..data -> a folder for each version.
    Path mount = Files.createDirectory(folder.resolve("mount"));
    Path first = Files.createDirectory(mount.resolve("..v0"));
    Files.writeString(first.resolve("quotatree.yaml"), quotas("10/s"));
    Files.createSymbolicLink(mount.resolve("..data"), Path.of("..v0"));
    Path link =
        Files.createSymbolicLink(mount.resolve("quotatree.yaml"), Path.of("..data/quotatree.yaml"));
    watched = watching(link);
    look(UNTIL_AT_REST);
    for (int round = 1; round <= 20; round++) {
      Path version = Files.createDirectory(mount.resolve("..v" + round));
      Files.writeString(version.resolve("quotatree.yaml"), quotas(10 + round + "/s"));
      // The same size and time as before: only the link tells.
      Files.setLastModifiedTime(version.resolve("quotatree.yaml"), FileTime.fromMillis(0));
      Files.createSymbolicLink(mount.resolve("..tmp"), version.getFileName());
      Files.move(
          mount.resolve("..tmp"),
          mount.resolve("..data"),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
      look(2);
      assertThat(told).hasSize(round);
      assertThat(node(told.get(round - 1))).isEqualTo("sliding_window " + (10 + round) + "/s");
      look(UNTIL_AT_REST);
    }
  }

  @Test
  void a_change_within_the_coarseness_of_file_times_is_seen() throws IOException {
    FileTime time = Files.getLastModifiedTime(path);
    look(3);
    Files.writeString(path, quotas("20/s"));
    Files.setLastModifiedTime(path, time);
    look(2);
    assertThat(told).hasSize(1);
    Files.writeString(path, quotas("30/s"));
    Files.setLastModifiedTime(path, time);
    look(2);
    assertThat(told).hasSize(2);
  }

  @Test
  void a_half_written_file_is_not_told() throws IOException {
    String whole = "quotas:\n  caller:\n    default: 10/s\n    overrides: { a: 20/s }\n";
    Files.writeString(path, "");
    look(1);
    Files.writeString(path, whole.substring(0, 40));
    look(1);
    Files.writeString(path, whole);
    look(2);
    assertThat(told).hasSize(1);
    assertThat(told.get(0)).isInstanceOf(Reload.Taken.class);
  }

  @Test
  void a_file_that_rests_half_written_is_an_error_until_it_is_whole() throws IOException {
    Files.writeString(path, "quotas: { node: ");
    look(5);
    assertThat(told).hasSize(1);
    assertThat(told.get(0)).isInstanceOf(Reload.Refused.class);
    Files.writeString(path, quotas("20/s"));
    look(2);
    assertThat(node(told.get(1))).isEqualTo("sliding_window 20/s");
  }

  @Test
  void a_file_that_never_rests_is_taken_when_it_is_right() throws IOException {
    for (int i = 1; i <= 4; i++) {
      Files.writeString(path, quotas(10 + i + "/s"));
      look(1);
    }
    assertThat(told).isNotEmpty();
    assertThat(node(told.get(0))).isEqualTo("sliding_window 13/s");
  }

  @Test
  void a_file_that_never_rests_and_is_never_right_is_told() throws IOException {
    for (int i = 1; i <= 10; i++) {
      Files.writeString(path, quotas("0/s") + "#".repeat(i));
      look(1);
    }
    assertThat(told).hasSize(1);
    assertThat(told.get(0)).isInstanceOf(Reload.Refused.class);
  }

  @Test
  void a_faulty_file_is_told_once_and_going_back_is_told_too() throws IOException {
    Files.writeString(path, quotas("0/s"));
    look(50);
    assertThat(told).hasSize(1);
    assertThat(((Reload.Refused) told.get(0)).errors())
        .singleElement()
        .asString()
        .isEqualTo(path + ":2:9: `0/s` grants nothing; write `blocked`");
    Files.writeString(path, quotas("10/s"));
    look(50);
    assertThat(told).hasSize(2);
    assertThat(((Reload.Taken) told.get(1)).difference().isEmpty()).isTrue();
  }

  @Test
  void a_file_that_is_gone_is_told_once_and_its_return_too() throws IOException {
    Files.delete(path);
    look(50);
    assertThat(told).hasSize(1);
    assertThat(((Reload.Refused) told.get(0)).errors().get(0).text()).contains("gone");
    Files.writeString(path, quotas("10/s"));
    look(50);
    assertThat(told).hasSize(2);
    assertThat(told.get(1)).isInstanceOf(Reload.Taken.class);
  }

  @Test
  void a_file_that_is_gone_for_one_look_is_not_told() throws IOException {
    Files.delete(path);
    look(1);
    Files.writeString(path, quotas("10/s"));
    look(5);
    assertThat(told).isEmpty();
  }

  @Test
  void another_text_that_says_the_same_is_not_told_but_moved_lines_are() throws IOException {
    Files.writeString(path, quotas("10/s") + "# the end\n");
    look(5);
    assertThat(told).isEmpty();
    Files.writeString(path, "# the beginning\n" + quotas("10/s"));
    look(5);
    assertThat(told).hasSize(1);
    assertThat(((Reload.Taken) told.get(0)).difference().isEmpty()).isTrue();
    assertThat(((Reload.Taken) told.get(0)).file().quotas().node().fleet())
        .extracting(quota -> quota.origin().line())
        .isEqualTo(3);
  }

  @Test
  void a_reload_on_demand_reads_at_once() throws IOException {
    Files.writeString(path, quotas("20/s"));
    assertThat(node(watched.reloadNow())).isEqualTo("sliding_window 20/s");
    assertThat(told).hasSize(1);
    look(50);
    assertThat(told).hasSize(1);
    assertThat(watched.reloadNow())
        .isInstanceOfSatisfying(
            Reload.Taken.class, taken -> assertThat(taken.difference().isEmpty()).isTrue());
  }

  @Test
  void a_difference_is_to_what_is_in_force() throws IOException {
    Files.writeString(path, quotas("20/s"));
    look(2);
    Files.writeString(path, quotas("0/s"));
    look(2);
    Files.writeString(path, quotas("30/s"));
    look(2);
    assertThat(((Reload.Taken) told.get(2)).difference().changes())
        .containsExactly("node: sliding_window 20/s → sliding_window 30/s");
  }

  @Test
  void the_thread_of_its_own_sees_changes() throws Exception {
    BlockingQueue<Reload> arrived = new LinkedBlockingQueue<>();
    try (WatchedFile own =
        new WatchedFile(path, ((Reading.Sound) QuotaFiles.read(path)).file(), arrived::add)) {
      own.start();
      Files.writeString(path, quotas("20/s"));
      Reload reload = arrived.poll(1, TimeUnit.MINUTES);
      assertThat(reload).isNotNull();
      assertThat(node(reload)).isEqualTo("sliding_window 20/s");
    }
  }

  @Test
  void a_listener_that_fails_does_not_end_the_looking() throws Exception {
    BlockingQueue<Reload> arrived = new LinkedBlockingQueue<>();
    BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
    Thread.UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
    try (WatchedFile own =
        new WatchedFile(
            path,
            ((Reading.Sound) QuotaFiles.read(path)).file(),
            reload -> {
              arrived.add(reload);
              throw new IllegalStateException("a listener's mistake");
            })) {
      own.start();
      Files.writeString(path, quotas("20/s"));
      assertThat(arrived.poll(1, TimeUnit.MINUTES)).isNotNull();
      assertThat(uncaught.poll(1, TimeUnit.MINUTES)).hasMessage("a listener's mistake");
      Files.writeString(path, quotas("30/s"));
      assertThat(arrived.poll(1, TimeUnit.MINUTES)).isNotNull();
      assertThat(uncaught.poll(1, TimeUnit.MINUTES)).isNotNull();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(usual);
    }
  }
}
