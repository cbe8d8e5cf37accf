package io.quotatree.app;

import io.micrometer.core.instrument.MeterRegistry;
import io.quotatree.cli.CommandException;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.memo.RememberingLedger;
import io.quotatree.core.memory.MemoryLedger;
import io.quotatree.core.policy.overlay.FileOverrideStore;
import io.quotatree.core.policy.overlay.OverrideStore;
import io.quotatree.core.ticket.TicketStore;
import io.quotatree.core.time.Ticker;
import io.quotatree.observe.RememberedMetrics;
import io.quotatree.observe.StoreMetrics;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.Store;
import io.quotatree.quotafile.StoreAddress;
import io.quotatree.redis.RedisLedger;
import io.quotatree.redis.RedisLedgerBuilder;
import io.quotatree.redis.StoreState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a gateway counts: in its memory, or in a store that it shares with others, beside which its
 * memory counts what is its own alone.
 */
final class Counting implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Counting.class);

  private static final String KEY = "store.credentials";
  private static final String SENTINEL_KEY = "store.sentinel_credentials";
  private static final String MEMORY = "memory";

  private final MemoryLedger memory;
  private final Optional<RedisLedger> shared;

  /** What was refused by the store; empty where there is none. */
  private final Optional<RememberingLedger> refusals;

  private Counting(MemoryLedger memory, Optional<RedisLedger> shared) {
    this.memory = memory;
    this.shared = shared;
    this.refusals = shared.map(ledger -> ledger.remembering(Ticker.system()));
  }

  /**
   * Where a file says. A store that cannot be reached is no error: it is tried again and again, and
   * until then quotas hold by their {@code on_failure}.
   *
   * @param registry where the store's meters go
   * @throws CommandException if its credentials cannot be read
   */
  static Counting of(QuotaFile file, MeterRegistry registry) {
    MemoryLedger memory = new MemoryLedger();
    Optional<RedisLedger> shared = file.store().map(store -> open(store, memory, registry));
    shared.ifPresent(
        ledger ->
            log.info(
                "usage is counted in {}, which is {}",
                file.store().orElseThrow().redis(),
                ledger.state().word()));
    Counting counting = new Counting(memory, shared);
    counting.refusals.ifPresent(
        refusals ->
            RememberedMetrics.register(
                registry, refusals, RememberingLedger::told, RememberingLedger::forgotten));
    return counting;
  }

  private static RedisLedger open(Store store, MemoryLedger memory, MeterRegistry registry) {
    StoreMetrics metrics = new StoreMetrics(registry);
    RedisLedgerBuilder builder =
        RedisLedger.builder()
            .prefix(store.prefix())
            .callTimeout(store.timeout())
            .onFailure(store.onFailure())
            .events(metrics)
            .local(memory);
    StoreAddress address = store.redis();
    if (address.kind() == StoreAddress.Kind.CLUSTER) {
      builder.cluster(address.uris());
    } else {
      builder.uri(address.uris().get(0));
    }
    store
        .credentials()
        .map(place -> Secrets.read(place, KEY))
        .ifPresent(secret -> login(secret, builder::user, builder::password));
    store
        .sentinelCredentials()
        .map(place -> Secrets.read(place, SENTINEL_KEY))
        .ifPresent(secret -> login(secret, builder::sentinelUser, builder::sentinelPassword));
    store.tls().ca().ifPresent(ca -> builder.trusting(readable(ca, "ca")));
    store
        .tls()
        .cert()
        .ifPresent(
            cert ->
                builder.showing(
                    readable(cert, "cert"), readable(store.tls().key().orElseThrow(), "key")));
    RedisLedger ledger = builder.open();
    metrics.standing(
        Stream.of(StoreState.values()).map(StoreState::word).toList(),
        () -> ledger.state().word(),
        ledger::gateways);
    return ledger;
  }

  /** A connection that is made in the background would fail there in silence. */
  private static Path readable(String path, String key) {
    Path file = Path.of(path);
    if (!Files.isReadable(file)) {
      throw new CommandException(
          "store.tls." + key + ": " + path + " cannot be read; name a file in PEM");
    }
    return file;
  }

  /** {@code USER:PASSWORD}, or the password alone; one that has a colon itself needs the first. */
  private static void login(
      String secret, BiConsumer<String, char[]> user, Consumer<char[]> password) {
    int colon = secret.indexOf(':');
    char[] last = secret.substring(colon + 1).toCharArray();
    if (colon > 0) {
      user.accept(secret.substring(0, colon), last);
    } else {
      password.accept(last);
    }
  }

  /** The ledger to decide by. */
  Ledger ledger() {
    return refusals.isPresent() ? refusals.get() : memory;
  }

  /** What is counted in this process. */
  MemoryLedger memory() {
    return memory;
  }

  /**
   * Where overrides are kept: in the store that gateways share, else in the data folder.
   *
   * @param data the folder
   */
  OverrideStore overrides(Path data) {
    return shared.isPresent()
        ? shared.get().overrides()
        : new FileOverrideStore(data, Ticker.system());
  }

  /** Where other gateways find what decisions' ids stand for; empty where there are none. */
  Optional<TicketStore> tickets() {
    return shared.map(RedisLedger::tickets);
  }

  /** Permits came back past the ledger, so refusals that it remembers may be over. */
  void forget() {
    refusals.ifPresent(RememberingLedger::forget);
  }

  /**
   * From now on this is run where another gateway may have changed overrides, on a thread that must
   * not wait.
   */
  void whenChanged(Runnable run) {
    shared.ifPresent(ledger -> ledger.whenChanged(run));
  }

  /** The state of the store, for those who ask whether the gateway is ready. */
  String state() {
    return shared.map(ledger -> ledger.state().word()).orElse(MEMORY);
  }

  @Override
  public void close() {
    shared.ifPresent(RedisLedger::close);
  }
}
