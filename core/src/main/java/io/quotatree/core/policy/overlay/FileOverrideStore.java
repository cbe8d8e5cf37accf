package io.quotatree.core.policy.overlay;

import io.quotatree.core.time.Ticker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Overrides in a file of a folder, for a gateway that counts in its own memory.
 *
 * <p>The file is always whole: it is written beside the former one, brought to the disk, and then
 * put in its place. Processes that share the folder, as one does that takes over from another, take
 * turns by a lock. A file that cannot be read is never written over.
 */
public final class FileOverrideStore implements OverrideStore {

  private static final String NAME = "overrides";
  private static final String HEAD = "quotatree-overrides 1 ";
  private static final long MOST_BYTES = 32_000_000;

  private final Path folder;
  private final Path file;
  private final Ticker ticker;

  /**
   * A store; its folder is made when there is something to keep.
   *
   * @param ticker the time by which overrides end
   */
  public FileOverrideStore(Path folder, Ticker ticker) {
    this.folder = folder;
    this.file = folder.resolve(NAME);
    this.ticker = ticker;
  }

  /** The file. */
  public Path file() {
    return file;
  }

  @Override
  public Stored read() throws OverrideStoreException {
    return new Stored(stored(), now());
  }

  private Instant now() {
    long micros = ticker.wallMicros(ticker.monotonicNanos());
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).truncatedTo(ChronoUnit.MILLIS);
  }

  private Overrides stored() throws OverrideStoreException {
    String text;
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw broken("it is longer than " + MOST_BYTES + " bytes", null);
      }
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return Overrides.NONE;
    } catch (IOException e) {
      throw broken(e.toString(), e);
    }
    int end = text.indexOf('\n');
    try {
      if (end < 0 || !text.startsWith(HEAD)) {
        throw new IllegalArgumentException("it does not begin with `" + HEAD + "`");
      }
      long revision = Long.parseLong(text.substring(HEAD.length(), end));
      return new Overrides(revision, OverrideText.read(text.substring(end + 1)));
    } catch (IllegalArgumentException e) {
      throw broken(String.valueOf(e.getMessage()), e);
    }
  }

  private OverrideStoreException broken(String what, @Nullable Throwable cause) {
    String text =
        file + " cannot be used: " + what + "; mend it, or move it away to begin without overrides";
    return cause == null
        ? new OverrideStoreException(text)
        : new OverrideStoreException(text, cause);
  }

  /** One thread of this process at a time: a lock on a file is one of the whole process. */
  @Override
  public synchronized Optional<Stored> replace(long revision, List<TimedOverride> all)
      throws OverrideStoreException {
    try {
      Files.createDirectories(folder);
      try (FileChannel turns =
              FileChannel.open(
                  folder.resolve(NAME + ".lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock turn = turns.lock()) {
        return turn.isValid() ? replaceInTurn(revision, all) : Optional.empty();
      }
    } catch (IOException e) {
      throw new OverrideStoreException(
          folder + " cannot be written (" + e + "); see to its permissions and the disk's room", e);
    }
  }

  private Optional<Stored> replaceInTurn(long revision, List<TimedOverride> all)
      throws IOException, OverrideStoreException {
    if (stored().revision() != revision) {
      return Optional.empty();
    }
    Instant now = now();
    // As in a store, no number comes a second time where the file was lost in between.
    Overrides next = new Overrides(Math.max(revision + 1, now.toEpochMilli()), all);
    Path beside = folder.resolve(NAME + ".new");
    byte[] bytes =
        (HEAD + next.revision() + "\n" + OverrideText.write(all)).getBytes(StandardCharsets.UTF_8);
    try (FileChannel out =
        FileChannel.open(
            beside,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      for (ByteBuffer left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) {
        out.write(left);
      }
      out.force(true);
    }
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceFolder();
    return Optional.of(new Stored(next, now));
  }

  /** Nobody else tells of it, but for a process that this one takes over from. */
  @Override
  public boolean isFirst(String words, Instant until) {
    return true;
  }

  /** Brings the new name to the disk, where folders can be opened; on Windows they cannot. */
  private void forceFolder() throws IOException {
    FileChannel opened;
    try {
      opened = FileChannel.open(folder, StandardOpenOption.READ);
    } catch (IOException e) {
      return;
    }
    try (opened) {
      opened.force(true);
    }
  }
}
