package io.quotatree.quotafile;

import io.quotatree.quotafile.yaml.Problem;
import io.quotatree.quotafile.yaml.YamlText;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * A quota file that is read again when it changes, as {@link Watch} finds it.
 *
 * <p>Safe for several threads. The listener is called by one thread at a time, in order.
 */
public final class WatchedFile implements AutoCloseable {

  private final Path path;
  private final Consumer<Reload> listener;
  private final Watch watch;

  /** What the listener was told last. Used under the watch's lock alone. */
  private QuotaFile inForce;

  private boolean refused;

  /** What the process was started by. */
  private final QuotaFile started;

  /** Whether what says nothing new is told too. */
  private boolean onDemand;

  /** A content as a reload. */
  private final class Attempt implements Watch.Attempt {
    final Reload reload;

    Attempt(Reload reload) {
      this.reload = reload;
    }

    @Override
    public boolean isRight() {
      return reload instanceof Reload.Taken;
    }

    @Override
    public void take() {
      if (onDemand || isNews(reload)) {
        tell(reload);
      }
    }
  }

  /**
   * Makes a file watched; it is first looked at after {@link #start}.
   *
   * @param path where the file is
   * @param inForce what it said when it was read, and the process was started by
   * @param listener is told of each change
   */
  public WatchedFile(Path path, QuotaFile inForce, Consumer<Reload> listener) {
    this.path = path;
    this.started = inForce;
    this.inForce = inForce;
    this.listener = listener;
    this.watch =
        new Watch(
            "quotatree-file",
            List.of(path),
            YamlText.MAX_BYTES,
            content -> new Attempt(reload(content)));
  }

  /** Begins to look at the file, on a thread of its own that does not keep the process alive. */
  public void start() {
    watch.start();
  }

  /** Ends the looking. */
  @Override
  public void close() {
    watch.close();
  }

  /** Reads the file now, whether it changed or not, and tells the listener what came of it. */
  public Reload reloadNow() {
    synchronized (watch) {
      onDemand = true;
      try {
        return ((Attempt) watch.now()).reload;
      } finally {
        onDemand = false;
      }
    }
  }

  /** Looks at the file once, and tells the listener where it changed. */
  void look() {
    watch.look();
  }

  /** Another text that says the same, places included, is none. */
  private boolean isNews(Reload reload) {
    return refused || !(reload instanceof Reload.Taken taken && taken.file().equals(inForce));
  }

  private void tell(Reload reload) {
    refused = reload instanceof Reload.Refused;
    if (reload instanceof Reload.Taken taken) {
      inForce = taken.file();
    }
    listener.accept(reload);
  }

  private Reload reload(Watch.Content content) {
    if (!content.failure().isEmpty()) {
      return new Reload.Refused(
          List.of(new Problem(Problem.Severity.ERROR, path.toString(), 1, 1, content.failure())));
    }
    Reading reading = QuotaFiles.read(path.toString(), content.bytes(0));
    if (reading instanceof Reading.Sound sound) {
      return new Reload.Taken(
          sound.file(), sound.warnings(), Difference.between(started, inForce, sound.file()));
    }
    return new Reload.Refused(((Reading.Faulty) reading).errors());
  }
}
