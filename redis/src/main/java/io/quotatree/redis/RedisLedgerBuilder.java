package io.quotatree.redis;

import io.quotatree.core.engine.Events;
import io.quotatree.core.ledger.Ledger;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Quota;
import io.quotatree.redis.servers.Address;
import io.quotatree.redis.servers.Connecting;
import io.quotatree.redis.servers.Login;
import io.quotatree.redis.servers.Store;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A shared ledger in the making. Not for use by several threads.
 *
 * <pre>{@code
 * RedisLedger ledger =
 *     RedisLedger.builder()
 *         .uri("rediss://redis.internal:6379")
 *         .user("quotatree", password)
 *         .trusting(Path.of("/etc/ssl/redis-ca.pem"))
 *         .open();
 * }</pre>
 */
public final class RedisLedgerBuilder {

  private static final int MOST_WAITING = 10_000;

  private Address address = Address.of("redis://localhost:6379");
  private String prefix = "qt";
  private Duration callTimeout = Duration.ofMillis(5);
  private Duration connectTimeout = Duration.ofSeconds(1);
  private Clock clock = Clock.OF_THE_STORE;
  private @Nullable Login login;
  private @Nullable Login atSentinels;
  private @Nullable Path authorities;
  private @Nullable Path certificate;
  private @Nullable Path key;
  private @Nullable Ledger local;
  private OnFailure onFailure = OnFailure.LOCAL;
  private Events events = Events.NONE;

  RedisLedgerBuilder() {}

  /**
   * Where the store is; usually {@code redis://localhost:6379}.
   *
   * <ul>
   *   <li>one server: {@code redis://HOST:PORT/DATABASE}, or {@code rediss://} for TLS
   *   <li>the master that Sentinels name: {@code redis-sentinel://HOST:PORT,HOST:PORT/0#MASTER}, or
   *       {@code rediss-sentinel://} for TLS
   *   <li>nodes of a cluster: {@code redis://HOST:PORT,redis://HOST:PORT}
   * </ul>
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  public RedisLedgerBuilder uri(String uri) {
    address = Address.of(uri);
    return this;
  }

  /**
   * The store is a cluster, of which these nodes are known; the others are found through them.
   *
   * @param uris of at least one node, {@code redis://HOST:PORT}, or all {@code rediss://} for TLS
   * @throws IllegalArgumentException if one cannot be read
   */
  public RedisLedgerBuilder cluster(List<String> uris) {
    address = Address.cluster(uris);
    return this;
  }

  /** The name and password that the store knows this gateway by. Sentinels are others. */
  public RedisLedgerBuilder user(String name, char[] secret) {
    login = new Login(Objects.requireNonNull(name, "name"), secret.clone());
    return this;
  }

  /** The password alone, where the store has no names. */
  public RedisLedgerBuilder password(char[] secret) {
    login = new Login(null, secret.clone());
    return this;
  }

  /** The name and password that the Sentinels know this gateway by; usually they do not ask. */
  public RedisLedgerBuilder sentinelUser(String name, char[] secret) {
    atSentinels = new Login(Objects.requireNonNull(name, "name"), secret.clone());
    return this;
  }

  /** The password alone, where the Sentinels have no names. */
  public RedisLedgerBuilder sentinelPassword(char[] secret) {
    atSentinels = new Login(null, secret.clone());
    return this;
  }

  /** Whose signatures on the store's certificate are trusted: a file of certificates, PEM. */
  public RedisLedgerBuilder trusting(Path certificates) {
    authorities = Objects.requireNonNull(certificates, "certificates");
    return this;
  }

  /** The certificate that this gateway shows, and its key, both PEM. */
  public RedisLedgerBuilder showing(Path chain, Path privateKey) {
    certificate = Objects.requireNonNull(chain, "chain");
    key = Objects.requireNonNull(privateKey, "privateKey");
    return this;
  }

  /**
   * What all keys begin with, usually {@code qt}: fleets with different quotas that share a store
   * need different ones.
   *
   * @throws IllegalArgumentException if it is empty, or has a brace, which would decide the slot
   */
  public RedisLedgerBuilder prefix(String text) {
    if (text.isEmpty() || text.indexOf('{') >= 0 || text.indexOf('}') >= 0) {
      throw new IllegalArgumentException(
          "the prefix `" + text + "`: write at least one character, and no braces");
    }
    prefix = text;
    return this;
  }

  /** How long an answer may take; usually 5 ms. */
  public RedisLedgerBuilder callTimeout(Duration time) {
    callTimeout = positive(time, "an answer");
    return this;
  }

  /**
   * How long {@link #open} waits for the first connection, and each try to connect may take;
   * usually a second.
   */
  public RedisLedgerBuilder connectTimeout(Duration time) {
    connectTimeout = positive(time, "a connection");
    return this;
  }

  private static Duration positive(Duration time, String what) {
    if (time.isNegative() || time.isZero()) {
      throw new IllegalArgumentException("a timeout of " + time + " for " + what + "; write more");
    }
    return time;
  }

  /**
   * The time is the limiter's, and not the store's own: for scenarios that are played faster than
   * time passes. Keys then live for a day.
   */
  public RedisLedgerBuilder virtualTime() {
    clock = Clock.VIRTUAL;
    return this;
  }

  /**
   * Who counts what is this gateway's alone ({@code instance}), so that it costs the store nothing,
   * and what this gateway grants by itself while the store gives no answer; usually the store
   * counts the first under this gateway's name, and nothing can be granted without it but by quotas
   * whose {@link Quota#onFailure} is open. It has to answer at once, and only this ledger uses it.
   */
  public RedisLedgerBuilder local(Ledger ledger) {
    local = Objects.requireNonNull(ledger, "ledger");
    return this;
  }

  /**
   * What holds while the store gives no answer, for quotas that do not say; usually {@link
   * OnFailure#LOCAL}.
   */
  public RedisLedgerBuilder onFailure(OnFailure way) {
    onFailure = Objects.requireNonNull(way, "way");
    return this;
  }

  /** Who is told of questions to the store and of what is decided without it; usually nobody. */
  public RedisLedgerBuilder events(Events heard) {
    events = Objects.requireNonNull(heard, "heard");
    return this;
  }

  RedisLedgerBuilder clock(Clock other) {
    clock = other;
    return this;
  }

  /**
   * Opens the ledger. Waits for the first connection for the connect timeout at most; a store that
   * cannot be reached is tried again in the background, and until then nothing can be decided.
   */
  public RedisLedger open() {
    return new RedisLedger(parts());
  }

  /** The parts of a ledger, connected if the store can be reached. */
  RedisLedger.Parts parts() {
    Connecting connecting =
        new Connecting(
            connectTimeout, login, atSentinels, authorities, certificate, key, MOST_WAITING);
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(1, RedisLedgerBuilder::named);
    timer.setRemoveOnCancelPolicy(true);
    Store store =
        clock.isVirtual()
            ? connecting.notingStore(address, timer)
            : connecting.store(address, timer);
    awaitFirst(store);
    return new RedisLedger.Parts(
        store,
        clock,
        prefix,
        new Questions.Bounds(callTimeout.toNanos(), MOST_WAITING),
        timer,
        local,
        onFailure,
        events);
  }

  private static Thread named(Runnable work) {
    Thread thread = new Thread(work, "quotatree-redis");
    thread.setDaemon(true);
    return thread;
  }

  private void awaitFirst(Store store) {
    try {
      store.connect().get(connectTimeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // It is tried again; a gateway starts without its store.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
