package io.quotatree.bench.contender;

import io.quotatree.bench.load.Job;

/** Contenders by name. */
public final class Contenders {

  /** Ours, whole: policy, plan, ledger, outcome. */
  public static final String OURS = "quotatree";

  /** Ours as it was before a change: its classes come from elsewhere. */
  public static final String BEFORE = "quotatree-before";

  private Contenders() {}

  /** A new contender, ready for a job. */
  public static Contender<?, ?> of(String name, Job job) {
    return switch (name) {
      case OURS, BEFORE -> Quotatree.of(job);
      case "quotatree-asked" -> Quotatree.asking(job);
      case "quotatree-nodeless" -> Quotatree.nodeless(job);
      case "plan" -> new PlanAlone(job);
      case "hash" -> new HashAlone();
      case "clock" -> new ClockAlone();
      case "strings" -> new StringsAlone();
      case "floor" -> new Floor();
      case "plain-swap" -> new PlainSwap();
      case "map-of-atomics" -> new MapOfAtomics();
      case "caffeine-of-atomics" -> new CaffeineOfAtomics(job);
      case "bucket4j-caffeine" -> new Bucket4jInCaffeine(job);
      case "resilience4j" -> new Resilience4j();
      case "guava-caffeine" -> new GuavaInCaffeine(job);
      case "sentinel-tuned" -> new SentinelTuned();
      default -> throw new IllegalArgumentException("no contender is called `" + name + "`");
    };
  }

  /** What part of the job a contender does, for a table. */
  public static String does(String name) {
    return switch (name) {
      case OURS -> "all of it";
      case BEFORE -> "all of it, before the change";
      case "quotatree-asked" -> "all limits asked, nothing charged (a request of cost 0)";
      case "quotatree-nodeless" -> "all of it without the node's sliding window";
      case "plan" -> "path, lines, keys of counters; no clock, no counter";
      case "hash" -> "2 keyed hashes: caller and user";
      case "clock" -> "one reading of both clocks";
      case "strings" -> "reading the request's names";
      case "floor" -> "4 keyed hashes, clock, 4 loads, 4 swaps; decides nothing, refuses nobody";
      case "plain-swap" -> "one bucket in one AtomicLong, and the clock";
      case "map-of-atomics" -> "buckets in all layers; nothing is ever evicted";
      case "caffeine-of-atomics" -> "buckets in all layers";
      case "bucket4j-caffeine" -> "bucket at the node; refund by addTokens";
      case "resilience4j" -> "fixed cycles in all layers; no refund, nothing is ever evicted";
      case "guava-caffeine" -> "smooth rates in all layers; no refund";
      case "sentinel-tuned" -> "per second only; 200,000 users at most; no refund";
      default -> "";
    };
  }
}
