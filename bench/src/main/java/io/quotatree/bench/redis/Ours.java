package io.quotatree.bench.redis;

import io.quotatree.bench.load.Names;
import io.quotatree.core.engine.Decision;
import io.quotatree.core.engine.Limiter;
import io.quotatree.core.policy.Policy;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.core.time.Ticker;
import io.quotatree.redis.RedisLedger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The shared ledger, as who embeds it uses it; a decision is a call of each of its limiters. */
final class Ours implements Calls {

  /** Nothing is to be decided without the store here, however busy the machine is. */
  private static final Duration PATIENT = Duration.ofSeconds(1);

  private final RedisLedger ledger;
  private final List<Limiter> limiters;
  private final List<Request> requests;
  private final Decision waiting = new Decision();
  private final Decision[][] underWay;

  private Ours(String uri, List<QuotaTree> trees, List<Names> names, int slots) {
    this.ledger = RedisLedger.builder().uri(uri).callTimeout(PATIENT).open();
    this.limiters =
        trees.stream()
            .map(tree -> new Limiter(Policy.compile(tree, "gateway-01"), ledger, Ticker.system()))
            .toList();
    this.requests =
        names.stream()
            .map(name -> Request.of(name.caller(), name.user(), "GET", name.path()))
            .toList();
    this.underWay =
        IntStream.range(0, slots)
            .mapToObj(
                slot -> Stream.generate(Decision::new).limit(trees.size()).toArray(Decision[]::new))
            .toArray(Decision[][]::new);
  }

  /** One script for all layers. */
  static Ours byOne(String uri, List<Names> names, int slots) {
    return new Ours(uri, List.of(Quotas.all()), names, slots);
  }

  /** The same script, called for each layer by itself. */
  static Ours byFour(String uri, List<Names> names, int slots) {
    return new Ours(uri, Quotas.each(), names, slots);
  }

  @Override
  public int perDecision() {
    return limiters.size();
  }

  @Override
  public boolean make(int request, int call) {
    limiters.get(call).decide(requests.get(request), waiting);
    return waiting.allowed();
  }

  @Override
  public CompletionStage<Boolean> begin(int request, int call, int slot) {
    Decision decision = underWay[slot][call];
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    boolean isNow =
        limiters
            .get(call)
            .decide(requests.get(request), decision, () -> answer.complete(decision.allowed()));
    if (isNow) {
      answer.complete(decision.allowed());
    }
    return answer;
  }

  @Override
  public void close() {
    ledger.close();
  }
}
