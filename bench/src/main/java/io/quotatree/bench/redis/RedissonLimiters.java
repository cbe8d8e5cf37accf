package io.quotatree.bench.redis;

import io.quotatree.bench.load.Names;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's {@code RRateLimiter}, one for each layer, a script each. It keeps every grant of the
 * last period, so the period is a second, in its favour.
 */
final class RedissonLimiters implements Calls {

  private final RedissonClient client;
  private final List<List<RRateLimiter>> limiters;

  RedissonLimiters(String uri, List<Names> names) {
    Config config = new Config();
    config.useSingleServer().setAddress(uri);
    this.client = Redisson.create(config);
    Map<String, RRateLimiter> known = new HashMap<>();
    this.limiters =
        names.stream()
            .map(
                name ->
                    FlatKeys.of(name).stream()
                        .map(key -> known.computeIfAbsent(key, this::limiter))
                        .toList())
            .toList();
  }

  private RRateLimiter limiter(String key) {
    RRateLimiter limiter = client.getRateLimiter(key);
    if (!limiter.trySetRate(RateType.OVERALL, Quotas.WIDE, Duration.ofSeconds(1))) {
      throw new IllegalStateException("Redisson has a rate for " + key + " in a fresh store");
    }
    return limiter;
  }

  @Override
  public int perDecision() {
    return LAYERS;
  }

  @Override
  public boolean make(int request, int call) {
    return limiters.get(request).get(call).tryAcquire();
  }

  @Override
  public CompletionStage<Boolean> begin(int request, int call, int slot) {
    return limiters.get(request).get(call).tryAcquireAsync();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
