package io.quotatree.bench.redis;

import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.BucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.github.bucket4j.redis.lettuce.cas.LettuceBasedProxyManager;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.quotatree.bench.load.Names;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Bucket4j's buckets in Redis, one for each layer: each is read, and written by a script if nobody
 * else wrote it meanwhile. Their objects are made beforehand, in its favour.
 */
final class Bucket4jOnLettuce implements Calls {

  private record Bucket(BucketProxy now, AsyncBucketProxy later) {}

  private final RedisClient client;
  private final LettuceBasedProxyManager<String> manager;
  private final List<List<Bucket>> buckets;

  Bucket4jOnLettuce(String uri, List<Names> names) {
    this.client = RedisClient.create(uri);
    this.manager =
        Bucket4jLettuce.casBasedBuilder(
                client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                    Duration.ofMinutes(1)))
            .build();
    BucketConfiguration wide =
        BucketConfiguration.builder()
            .addLimit(
                limit ->
                    limit.capacity(Quotas.WIDE).refillGreedy(Quotas.WIDE, Duration.ofMinutes(1)))
            .build();
    Map<String, Bucket> known = new HashMap<>();
    this.buckets =
        names.stream()
            .map(
                name ->
                    FlatKeys.of(name).stream()
                        .map(key -> known.computeIfAbsent(key, k -> bucket(k, wide)))
                        .toList())
            .toList();
  }

  private Bucket bucket(String key, BucketConfiguration wide) {
    return new Bucket(
        manager.builder().build(key, () -> wide),
        manager.asAsync().builder().build(key, () -> CompletableFuture.completedFuture(wide)));
  }

  @Override
  public int perDecision() {
    return LAYERS;
  }

  @Override
  public boolean make(int request, int call) {
    return buckets.get(request).get(call).now().tryConsume(1);
  }

  @Override
  public CompletionStage<Boolean> begin(int request, int call, int slot) {
    return buckets.get(request).get(call).later().tryConsume(1);
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
