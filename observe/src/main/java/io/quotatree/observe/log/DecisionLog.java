package io.quotatree.observe.log;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.limit.Outcome;
import io.quotatree.core.time.Ticker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes decisions down, a JSON line each: every refusal, every request that a shadow limit would
 * have refused, and a share of those that were allowed.
 *
 * <p>A door asks {@link #lineOf} for what it {@link #wants} when it has decided, and tells the line
 * the status once it is known. Lines wait in a ring of bounded length for a thread that writes
 * them; where the disk is slower than the refusals come, lines are dropped and counted, and no
 * request waits. Of a request that is not written down nothing is allocated.
 *
 * <p>Safe for use by several threads.
 */
public final class DecisionLog implements AutoCloseable {

  /** How long a file may grow. */
  public static final long FILE_BYTES = 100_000_000;

  /** How many full files are kept besides the one that is written. */
  public static final int FULL_FILES = 10;

  /** How many lines may wait to be written. */
  public static final int WAITING_LINES = 8_192;

  private static final Logger log = LoggerFactory.getLogger(DecisionLog.class);

  private static final int BATCH_BYTES = 64 * 1024;
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long COMPLAINT_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long CLOSE_MILLIS = 3_000;

  private final Ticker ticker = Ticker.system();
  private final MpscAtomicArrayQueue<LogLine.Answered> waiting =
      new MpscAtomicArrayQueue<>(WAITING_LINES);
  private final LongAdder written = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LineWriter lines;
  private final Thread writer = new Thread(this::writeAll, "quotatree-decision-log");

  /** What is written down; null for nothing. Swapped by {@link #use}, read once a decision. */
  private volatile @Nullable LogSettings settings;

  /** Where to write from now on; put by {@link #use}, taken by the writer, who then owns it. */
  private final AtomicReference<@Nullable Output> next = new AtomicReference<>();

  /** Set by anybody, cleared by the writer when it begins to do so. */
  private volatile boolean reopens;

  private volatile boolean closing;

  // The writer's own:
  private @Nullable Output output;
  private long lookedNanos;
  private long complainedNanos = ticker.monotonicNanos() - COMPLAINT_NANOS;

  /**
   * A log that writes nothing yet.
   *
   * @param nodeId the name of this gateway, as every line tells it
   */
  public DecisionLog(String nodeId) {
    this.lines = new LineWriter(nodeId);
    writer.setDaemon(true);
    writer.start();
  }

  /**
   * Says what is written down from now on, and where.
   *
   * @param changed empty for nothing
   * @throws IOException if the file cannot be opened; what was in force stays
   */
  public synchronized void use(Optional<LogSettings> changed) throws IOException {
    LogSettings before = settings;
    LogSettings after = changed.orElse(null);
    if (after != null && (before == null || !before.file().equals(after.file()))) {
      Output fresh = after.file().isPresent() ? open(after.file().get()) : new StandardOutput();
      Output unused = next.getAndSet(fresh);
      if (unused != null) {
        unused.close();
      }
    }
    settings = after;
  }

  private static Output open(Path path) throws IOException {
    return new LogFile(path, FILE_BYTES, FULL_FILES);
  }

  /** Opens the file anew before the next line is written: after SIGHUP, say. */
  public void reopen() {
    reopens = true;
  }

  /**
   * Whether a decision is to be written down. To be asked once: of allowed ones it draws lots.
   * Allocates nothing.
   */
  public boolean wants(Decision decision) {
    LogSettings now = settings;
    return now != null && isWanted(decision, now);
  }

  /** The line of a decision, to be told the status of its answer. */
  public LogLine lineOf(Decision decision, LogLine.Seen seen) {
    LogSettings now = settings;
    // Where the log ended just now the line is dropped; until then it tells the least.
    return new LogLine(this, decision, seen, now == null ? LogSettings.Users.HASHED : now.users());
  }

  /**
   * Has lines counted: {@code quotatree_decision_log_lines_total} and {@code …_dropped_total}.
   *
   * @param registry does not keep this log from being forgotten; whoever writes to it does
   */
  public void countIn(MeterRegistry registry) {
    FunctionCounter.builder("quotatree.decision.log.lines", this, DecisionLog::written)
        .description("Lines of the decision log that were written")
        .register(registry);
    FunctionCounter.builder("quotatree.decision.log.dropped", this, DecisionLog::dropped)
        .description("Lines of the decision log that were dropped, since it could not keep up")
        .register(registry);
  }

  private static boolean isWanted(Decision decision, LogSettings now) {
    return decision.outcome() != Outcome.ALLOWED
        || decision.wouldRefuse()
        || (now.allowedPerMillion() > 0
            && ThreadLocalRandom.current().nextInt(LogSettings.ALL_PER_MILLION)
                < now.allowedPerMillion());
  }

  void take(LogLine.Answered line) {
    if (closing || !waiting.offer(line)) {
      dropped.increment();
    }
  }

  /** Lines that were written so far. */
  public long written() {
    return written.sum();
  }

  /** Lines that were dropped so far, since they came faster than they could be written. */
  public long dropped() {
    return dropped.sum();
  }

  /** Writes what waits, for 3 s at most, and ends the log. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(writer);
    try {
      writer.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void writeAll() {
    boolean last;
    do {
      last = closing;
      try {
        if (!writeSome() && !last) {
          LockSupport.parkNanos(REST_NANOS);
        }
      } catch (RuntimeException e) {
        log.error("decision log: a mistake of its own", e);
      }
    } while (!last || !waiting.isEmpty());
    if (output != null) {
      try {
        output.close();
      } catch (IOException e) {
        log.error("decision log: {}", e.toString());
      }
    }
  }

  /** Writes a batch of what waits; false where nothing does. */
  private boolean writeSome() {
    changeOver();
    lookAfter();
    ByteArrayOutputStream batch = new ByteArrayOutputStream();
    int count = 0;
    while (batch.size() < BATCH_BYTES) {
      LogLine.Answered line = waiting.poll();
      if (line == null) {
        break;
      }
      lines.write(line, batch);
      count++;
    }
    if (count > 0) {
      write(batch.toByteArray(), count);
    }
    return count > 0;
  }

  private void write(byte[] batch, int count) {
    Output to = output;
    try {
      if (to != null) {
        to.write(batch);
        written.add(count);
        return;
      }
    } catch (IOException e) {
      complain(e);
    }
    dropped.add(count);
  }

  private void changeOver() {
    Output fresh = next.getAndSet(null);
    if (fresh == null) {
      return;
    }
    Output old = output;
    output = fresh;
    try {
      if (old != null) {
        old.close();
      }
    } catch (IOException e) {
      complain(e);
    }
  }

  private void lookAfter() {
    Output now = output;
    long nanos = ticker.monotonicNanos();
    boolean again = reopens;
    if (now == null || (!again && nanos - lookedNanos < LOOK_NANOS)) {
      return;
    }
    lookedNanos = nanos;
    reopens = false;
    try {
      if (again) {
        now.reopen();
      } else {
        now.lookAfter();
      }
    } catch (IOException e) {
      complain(e);
    }
  }

  /** Tells the program's log, once a minute: a full disk fails every line. */
  private void complain(IOException e) {
    long nanos = ticker.monotonicNanos();
    if (nanos - complainedNanos >= COMPLAINT_NANOS) {
      complainedNanos = nanos;
      log.error("decision log: {}; lines dropped so far: {}", e.toString(), dropped.sum());
    }
  }
}
