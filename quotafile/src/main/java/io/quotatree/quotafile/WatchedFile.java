package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A quota file that is read again when it changes: written in place, replaced by another, or
 * reached through a link that moves, as Kubernetes does it. Four looks a second find each of these,
 * on every file system; notices of the operating system miss links and network disks.
 *
 * <p>A change is taken once two looks in a row see the same content, so that a file which is being
 * written is not taken by halves; one that never comes to rest is taken as soon as it is right.
 * What is wrong is told once, and the next content is looked at afresh.
 *
 * <p>Safe for several threads. The listener is called by one thread at a time, in order.
 */
public final class WatchedFile implements AutoCloseable {

  private static final long LOOK_MILLIS = 250;

  /**
   * After so many looks at unchanged attributes they are believed: some file systems tell two
   * seconds as one time.
   */
  private static final int LOOKS_UNTIL_QUIET = 10;

  /**
   * Content that changes from look to look is taken when it is right from the third look on, and
   * told wrong from the tenth.
   */
  private static final int RESTLESS_LOOKS = 3;

  private static final int WRONG_LOOKS = 10;

  private static final byte[] NOTHING = {};

  private final Path path;
  private final Consumer<Reload> listener;
  private QuotaFile inForce;
  private boolean refused;

  /** The content that was last taken or refused. */
  private @Nullable Content told;

  /** The content of the last look, where it is not the one that was told. */
  private @Nullable Content seen;

  private @Nullable Attributes attributes;
  private int quietLooks;
  private int restlessLooks;
  private @Nullable ScheduledExecutorService looking;
  private @Nullable Future<?> looks;

  /** What tells most changes without reading the content. */
  private record Attributes(Path real, long size, FileTime modified, @Nullable Object key) {}

  /** What was found at the path: its bytes, or why there are none. */
  private static final class Content {
    final byte[] bytes;
    final String failure;

    Content(byte[] bytes, String failure) {
      this.bytes = bytes;
      this.failure = failure;
    }

    boolean isSame(@Nullable Content other) {
      return other != null && failure.equals(other.failure) && Arrays.equals(bytes, other.bytes);
    }
  }

  /**
   * Makes a file watched; it is first looked at after {@link #start}.
   *
   * @param path where the file is
   * @param inForce what it said when it was read
   * @param listener is told of each change
   */
  public WatchedFile(Path path, QuotaFile inForce, Consumer<Reload> listener) {
    this.path = path;
    this.inForce = inForce;
    this.listener = listener;
  }

  /** Begins to look at the file, on a thread of its own that does not keep the process alive. */
  public synchronized void start() {
    if (looking == null) {
      looking = Executors.newSingleThreadScheduledExecutor(WatchedFile::thread);
      looks =
          looking.scheduleWithFixedDelay(this::lookOrTell, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** Ends the looking. */
  @Override
  public synchronized void close() {
    if (looks != null) {
      looks.cancel(false);
    }
    if (looking != null) {
      looking.shutdown();
    }
  }

  /** Reads the file now, whether it changed or not, and tells the listener what came of it. */
  public synchronized Reload reloadNow() {
    Content content = content();
    Reload reload = reload(content);
    tell(reload, content);
    return reload;
  }

  /** Looks at the file once, and tells the listener where it changed. */
  synchronized void look() {
    Attributes now = attributes();
    quietLooks = now != null && now.equals(attributes) ? quietLooks + 1 : 0;
    attributes = now;
    if (quietLooks >= LOOKS_UNTIL_QUIET && seen == null) {
      return;
    }
    Content content = content();
    if (content.isSame(told)) {
      atRest();
      return;
    }
    boolean rests = content.isSame(seen);
    seen = content;
    restlessLooks++;
    if (!rests && restlessLooks < RESTLESS_LOOKS) {
      return;
    }
    Reload reload = reload(content);
    if (rests || reload instanceof Reload.Taken || restlessLooks >= WRONG_LOOKS) {
      if (isNews(reload)) {
        tell(reload, content);
      } else {
        told = content;
        atRest();
      }
    }
  }

  private void atRest() {
    seen = null;
    restlessLooks = 0;
  }

  /** Another text that says the same, places included, is none. */
  private boolean isNews(Reload reload) {
    return refused || !(reload instanceof Reload.Taken taken && taken.file().equals(inForce));
  }

  private void tell(Reload reload, Content content) {
    told = content;
    atRest();
    refused = reload instanceof Reload.Refused;
    if (reload instanceof Reload.Taken taken) {
      inForce = taken.file();
    }
    listener.accept(reload);
  }

  private Reload reload(Content content) {
    if (!content.failure.isEmpty()) {
      return new Reload.Refused(
          List.of(new Problem(Problem.Severity.ERROR, path.toString(), 1, 1, content.failure)));
    }
    Reading reading = QuotaFiles.read(path.toString(), content.bytes);
    if (reading instanceof Reading.Sound sound) {
      return new Reload.Taken(
          sound.file(), sound.warnings(), Difference.between(inForce, sound.file()));
    }
    return new Reload.Refused(((Reading.Faulty) reading).errors());
  }

  private static String unreadable(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "the file is gone; put it back (what it said stays in force)";
    }
    return "the file cannot be read ("
        + e
        + "); see to its permissions (what it said stays in force)";
  }

  private Content content() {
    try {
      return new Content(QuotaFiles.bytes(path), "");
    } catch (IOException e) {
      return new Content(NOTHING, unreadable(e));
    }
  }

  private @Nullable Attributes attributes() {
    try {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      return new Attributes(
          path.toRealPath(), found.size(), found.lastModifiedTime(), found.fileKey());
    } catch (IOException e) {
      // What cannot be looked at is read, and the reading says what is wrong.
      return null;
    }
  }

  private void lookOrTell() {
    try {
      look();
    } catch (RuntimeException e) {
      // A listener's mistake must not end the looking; it goes where uncaught ones go.
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }

  private static Thread thread(Runnable looks) {
    Thread thread = new Thread(looks, "quotatree-file");
    thread.setDaemon(true);
    return thread;
  }
}
