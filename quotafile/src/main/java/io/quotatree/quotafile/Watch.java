package io.quotatree.quotafile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Files that are read again, all of them together, when one of them changes: written in place,
 * replaced by another, or reached through a link that moves, as Kubernetes does it. Four looks a
 * second find each of these, on every file system; notices of the operating system miss links and
 * network disks.
 *
 * <p>A change is taken once two looks in a row see the same content, so that a file which is being
 * written is not taken by halves; one that never comes to rest is taken as soon as it is right.
 * What is wrong is told once, and the next content is looked at afresh.
 *
 * <p>Safe for several threads. The reader is called by one thread at a time.
 */
public final class Watch implements AutoCloseable {

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

  private final String name;
  private final List<Path> paths;
  private final int maxBytes;
  private final Function<Content, Attempt> reader;

  /** The content that was last taken or refused. */
  private @Nullable Content told;

  /** The content of the last look, where it is not the one that was told. */
  private @Nullable Content seen;

  private @Nullable List<Attributes> attributes;
  private int quietLooks;
  private int restlessLooks;
  private @Nullable ScheduledExecutorService looking;
  private @Nullable Future<?> looks;

  /** What tells most changes without reading the content. */
  private record Attributes(Path real, long size, FileTime modified, @Nullable Object key) {}

  /** What was made of a content, before anything follows from it. */
  public interface Attempt {

    /** Whether it can be used. */
    boolean isRight();

    /** Uses it, or tells what is wrong with it. */
    void take();
  }

  /** What was found at the paths: the bytes of each file, or why there are none. */
  public static final class Content {
    private final List<byte[]> files;
    private final String failure;

    Content(List<byte[]> files, String failure) {
      this.files = files;
      this.failure = failure;
    }

    /** The bytes of one of the files, up to one more than were asked for. */
    public byte[] bytes(int file) {
      return files.get(file).clone();
    }

    /** Why there are no bytes, and what to do about it; empty where there are. */
    public String failure() {
      return failure;
    }

    private boolean isSame(@Nullable Content other) {
      if (other == null || !failure.equals(other.failure) || files.size() != other.files.size()) {
        return false;
      }
      for (int i = 0; i < files.size(); i++) {
        if (!Arrays.equals(files.get(i), other.files.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * Makes files watched; they are first looked at after {@link #start}.
   *
   * @param name of the thread that looks
   * @param paths where the files are, at least one
   * @param maxBytes how long each may be; of a longer one that many and one more are read
   * @param reader makes of each new content what is to follow
   */
  public Watch(String name, List<Path> paths, int maxBytes, Function<Content, Attempt> reader) {
    this.name = name;
    this.paths = List.copyOf(paths);
    this.maxBytes = maxBytes;
    this.reader = reader;
  }

  /** Begins to look, on a thread of its own that does not keep the process alive. */
  public synchronized void start() {
    if (looking == null) {
      looking = Executors.newSingleThreadScheduledExecutor(this::thread);
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

  /** Reads the files now, changed or not, and answers what was made of them, and taken. */
  public synchronized Attempt now() {
    Content content = content();
    Attempt attempt = reader.apply(content);
    take(attempt, content);
    return attempt;
  }

  /** Looks once, and takes what changed. */
  public synchronized void look() {
    List<Attributes> now = attributes();
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
    Attempt attempt = reader.apply(content);
    if (rests || attempt.isRight() || restlessLooks >= WRONG_LOOKS) {
      take(attempt, content);
    }
  }

  private void take(Attempt attempt, Content content) {
    told = content;
    atRest();
    attempt.take();
  }

  private void atRest() {
    seen = null;
    restlessLooks = 0;
  }

  private Content content() {
    List<byte[]> files = new ArrayList<>();
    for (Path path : paths) {
      try {
        files.add(bytes(path, maxBytes));
      } catch (IOException e) {
        return new Content(List.of(NOTHING), unreadable(path, e));
      }
    }
    return new Content(files, "");
  }

  /** The bytes of a file, up to one more than it may have. */
  static byte[] bytes(Path path, int maxBytes) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(maxBytes + 1);
    }
  }

  private String unreadable(Path path, IOException e) {
    String which = paths.size() == 1 ? "the file" : "the file " + path;
    return e instanceof NoSuchFileException
        ? which + " is gone; put it back (what it said stays in force)"
        : which
            + " cannot be read ("
            + e
            + "); see to its permissions (what it said stays in force)";
  }

  private @Nullable List<Attributes> attributes() {
    try {
      List<Attributes> all = new ArrayList<>();
      for (Path path : paths) {
        BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
        all.add(
            new Attributes(
                path.toRealPath(), found.size(), found.lastModifiedTime(), found.fileKey()));
      }
      return all;
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

  private Thread thread(Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }
}
