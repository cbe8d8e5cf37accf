package io.quotatree.quotafile;

import static io.quotatree.quotafile.yaml.Key.optional;
import static io.quotatree.quotafile.yaml.Key.required;

import io.quotatree.core.limit.OnFailure;
import io.quotatree.quotafile.yaml.Durations;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Shape;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The table of keys of the store, and what they come to. */
final class StoreFormat {

  private static final Set<String> SCHEMES = Set.of("redis", "rediss");
  private static final Pattern DATABASE = Pattern.compile("(/[0-9]{0,3})?");

  private static final String PREFIX_PATTERN = "^[^{}\\s]{1,64}$";
  private static final Pattern PREFIX_FORM = Pattern.compile(PREFIX_PATTERN);

  private static final Key<URI> REDIS =
      required(
          "redis",
          Shape.text(
              new Shape.Words("the address of one Redis server", "`redis://127.0.0.1:6379`"),
              "^rediss?://[^/@?#]+(/[0-9]{0,3})?$",
              StoreFormat::redis),
          "The Redis server, 6.2 or newer: redis://HOST:PORT, or rediss:// for TLS.");

  private static final Key<Secret> CREDENTIALS =
      optional(
          "credentials",
          Secret.SHAPE,
          "Where USER:PASSWORD, or the password alone, is kept, as env:NAME or file:PATH; never the secret itself.");

  private static final Key<String> PREFIX =
      optional(
          "prefix",
          Shape.text(
              new Shape.Words("the beginning of all keys", "`qt`"),
              PREFIX_PATTERN,
              StoreFormat::prefix),
          "What all keys begin with: fleets with other quotas need another one; default: qt.");

  private static final Key<Duration> TIMEOUT =
      optional(
          "timeout",
          Durations.shape(Duration.ofMillis(1), Duration.ofSeconds(10)),
          "How long an answer may take; default: 5ms.");

  private static final Key<OnFailure> ON_FAILURE =
      optional(
          "on_failure",
          Shape.choice(List.of(OnFailure.values()), OnFailure::word),
          "What holds while the store gives no answer, for quotas that do not say otherwise: local (each gateway enforces its share), open (grant) or closed (503); default: local.");

  static final Key<Fields> STORE =
      optional(
          "store",
          Format.section("store", List.of(REDIS, CREDENTIALS, PREFIX, TIMEOUT, ON_FAILURE)).shape(),
          "Where usage is counted, so that several gateways share it; default: in this process.");

  private StoreFormat() {}

  /** Empty where no server is named, which was told. */
  static Optional<Store> store(Fields store) {
    return Optional.ofNullable(store.value(REDIS))
        .map(
            redis ->
                new Store(
                    redis,
                    Optional.ofNullable(store.value(CREDENTIALS)),
                    store.value(PREFIX, Store.USUAL_PREFIX),
                    store.value(TIMEOUT, Store.USUAL_TIMEOUT),
                    store.value(ON_FAILURE, OnFailure.LOCAL)));
  }

  /** What is wrong is not repeated where it may hold a password. */
  private static URI redis(String text) {
    if (text.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "a name or password does not stand in this file; write the address without it, and beside it `credentials: env:NAME` or `credentials: file:PATH`");
    }
    if (text.startsWith("redis-sentinel:") || text.startsWith("redis-socket:")) {
      throw new IllegalArgumentException(
          "`" + text + "` is not supported; write one server, such as `redis://127.0.0.1:6379`");
    }
    try {
      URI uri = URI.create(text);
      boolean bare = uri.getRawQuery() == null && uri.getRawFragment() == null;
      if (uri.getHost() != null
          && uri.getScheme() != null
          && SCHEMES.contains(uri.getScheme())
          && bare
          && DATABASE.matcher(uri.getRawPath()).matches()) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(notRedis(text), e);
    }
    throw new IllegalArgumentException(notRedis(text));
  }

  private static String notRedis(String text) {
    return "`"
        + text
        + "` is no address of a Redis server; write `redis://HOST:PORT`, or `rediss://HOST:PORT` for TLS";
  }

  private static String prefix(String text) {
    if (!PREFIX_FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` cannot begin keys; write 1 to 64 characters without braces and spaces, such as `qt`");
    }
    return text;
  }
}
