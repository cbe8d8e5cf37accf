package io.quotatree.bench.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.quotatree.bench.load.Names;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The script of Spring Cloud Gateway's {@code RequestRateLimiter}, as it stands in its jar, called
 * through Lettuce for each layer; nothing else of Spring is there.
 */
final class SpringScript implements Calls {

  private static final String RESOURCE = "/META-INF/scripts/request_rate_limiter.lua";

  /** A bucket that takes a minute to fill. */
  private static final String[] WIDE = {
    Long.toString(Quotas.WIDE / 60), Long.toString(Quotas.WIDE), "", "1"
  };

  private final RedisClient client;
  private final RedisAsyncCommands<String, String> commands;
  private final String digest;
  private final List<List<String[]>> keys;

  SpringScript(String uri, List<Names> names) {
    this.client = RedisClient.create(uri);
    this.commands = client.connect().async();
    this.digest = commands.scriptLoad(text()).toCompletableFuture().join();
    this.keys =
        names.stream()
            .map(
                name ->
                    FlatKeys.of(name).stream()
                        .map(
                            key ->
                                new String[] {
                                  "request_rate_limiter.{" + key + "}.tokens",
                                  "request_rate_limiter.{" + key + "}.timestamp"
                                })
                        .toList())
            .toList();
  }

  private static String text() {
    try (InputStream in = SpringScript.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(
            RESOURCE + " is not on the class path: spring-cloud-gateway-server has to be there");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(RESOURCE + " cannot be read", e);
    }
  }

  @Override
  public int perDecision() {
    return LAYERS;
  }

  @Override
  public boolean make(int request, int call) {
    return begin(request, call, 0).toCompletableFuture().join();
  }

  @Override
  public CompletionStage<Boolean> begin(int request, int call, int slot) {
    CompletionStage<List<Object>> reply =
        commands.evalsha(digest, ScriptOutputType.MULTI, keys.get(request).get(call), WIDE);
    return reply.thenApply(list -> Long.valueOf(1).equals(list.get(0)));
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
