package io.quotatree.bench.redis;

import io.quotatree.bench.load.Job;
import io.quotatree.bench.load.Load;
import io.quotatree.bench.load.Names;
import io.quotatree.testkit.store.RedisServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Our decision beside that of others: each has a store of its own, is warmed by a number of
 * decisions, and has its turns in random order within each round.
 */
final class Contest {

  static final String OURS = "quotatree";
  static final String FOUR = "quotatree, four calls";

  /** Different requests; one comes again after so many. */
  private static final int REQUESTS = 4096;

  private final RedisBench.Plan plan;
  private final Consumer<String> progress;
  private final List<Names> names = new ArrayList<>();
  private final List<Entrant> entrants = new ArrayList<>();
  private final Map<Way, Map<String, List<Turn>>> turns = new EnumMap<>(Way.class);

  /** A contender and its store. */
  private record Entrant(
      String name, RedisServer server, StoreMeter meter, Calls calls, Client client) {

    void close() {
      calls.close();
      meter.close();
      server.close();
    }
  }

  Contest(RedisBench.Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
    new Load(Job.PASS, plan.seed()).eachRequest(REQUESTS, names::add);
  }

  /** Measures all; the turns of each contender, in the order of the rounds. */
  Map<Way, Map<String, List<Turn>>> run() {
    try {
      enter(OURS, (uri, requests) -> Ours.byOne(uri, requests, Client.SLOTS));
      enter(FOUR, (uri, requests) -> Ours.byFour(uri, requests, Client.SLOTS));
      enter("bucket4j-lettuce", Bucket4jOnLettuce::new);
      enter("redisson", RedissonLimiters::new);
      enter("spring-cloud-gateway", SpringScript::new);
      for (Way way : Way.values()) {
        measure(way);
      }
      return turns;
    } finally {
      entrants.forEach(Entrant::close);
    }
  }

  private void enter(String name, BiFunction<String, List<Names>, Calls> made) {
    RedisServer server = RedisServer.start();
    Calls calls = null;
    try {
      calls = made.apply(server.uri(), names);
      entrants.add(
          new Entrant(
              name, server, new StoreMeter(server), calls, new Client(name, calls, REQUESTS)));
    } catch (RuntimeException e) {
      closeBoth(calls, server);
      throw e;
    }
  }

  private static void closeBoth(@Nullable Calls calls, RedisServer server) {
    if (calls != null) {
      calls.close();
    }
    server.close();
  }

  private void measure(Way way) {
    Map<String, List<Turn>> found = new LinkedHashMap<>();
    for (Entrant entrant : entrants) {
      found.put(entrant.name(), new ArrayList<>());
      progress.accept(way.title() + ": warming " + entrant.name());
      long unused = entrant.client().run(way, made -> made < plan.warming());
    }
    turns.put(way, found);
    Random random = new Random(plan.seed());
    for (int round = 1; round <= plan.rounds(); round++) {
      List<Entrant> order = new ArrayList<>(entrants);
      Collections.shuffle(order, random);
      for (Entrant entrant : order) {
        found.getOrDefault(entrant.name(), new ArrayList<>()).add(turn(way, entrant));
      }
      progress.accept(way.title() + ": round " + round + " of " + plan.rounds());
    }
  }

  private Turn turn(Way way, Entrant entrant) {
    long turnNanos = TimeUnit.MILLISECONDS.toNanos(plan.turnMillis());
    StoreMeter.Reading before = entrant.meter().read();
    long start = System.nanoTime();
    long decisions = entrant.client().run(way, made -> System.nanoTime() - start < turnNanos);
    long nanos = System.nanoTime() - start;
    return Turn.of(decisions, nanos, entrant.meter().read().since(before));
  }
}
