package io.quotatree.quotafile;

import static io.quotatree.quotafile.yaml.Key.optional;
import static io.quotatree.quotafile.yaml.Key.required;

import io.quotatree.core.limit.OnFailure;
import io.quotatree.quotafile.yaml.Durations;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Shape;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The table of keys of the store, and what they come to. */
final class StoreFormat {

  private static final String PREFIX_PATTERN = "^[^{}\\s]{1,64}$";
  private static final Pattern PREFIX_FORM = Pattern.compile(PREFIX_PATTERN);

  private static final Key<StoreAddress> REDIS =
      required(
          "redis",
          StoreAddress.SHAPE,
          "The Redis server, 6.2 or newer: redis://HOST:PORT, or rediss:// for TLS; redis-sentinel://HOST:PORT,HOST:PORT/0#MASTER under Sentinel; a list of nodes for a cluster.");

  private static final Key<Secret> CREDENTIALS =
      optional(
          "credentials",
          Secret.SHAPE,
          "Where USER:PASSWORD, or the password alone, is kept, as env:NAME or file:PATH; never the secret itself.");

  private static final Key<Secret> SENTINEL_CREDENTIALS =
      optional(
          "sentinel_credentials",
          Secret.SHAPE,
          "The same for the Sentinels, where these ask for it; default: they are asked without.");

  private static final Key<String> TLS_CA =
      optional(
          "ca",
          Shape.text("the path of a file", "`redis-ca.pem`"),
          "The authorities of the servers' certificates in PEM; default: those that the Java platform trusts.");

  private static final Key<String> TLS_CERT =
      optional(
          "cert",
          Shape.text("the path of a file", "`gateway.crt`"),
          "The certificate in PEM that this gateway shows; it needs `key`.");

  private static final Key<String> TLS_KEY =
      optional(
          "key",
          Shape.text("the path of a file", "`gateway.key`"),
          "Its private key in PEM, without a password.");

  private static final Key<Fields> TLS =
      optional(
          "tls",
          Format.section("store_tls", List.of(TLS_CA, TLS_CERT, TLS_KEY)).shape(),
          "What TLS is spoken by where the address is rediss://.");

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
          Format.section(
                  "store",
                  List.of(
                      REDIS, CREDENTIALS, SENTINEL_CREDENTIALS, TLS, PREFIX, TIMEOUT, ON_FAILURE))
              .shape(),
          "Where usage is counted, so that several gateways share it; default: in this process.");

  private StoreFormat() {}

  /** Empty where no server is named, which was told. */
  static Optional<Store> store(Fields store, Problems problems) {
    Located<StoreAddress> redis = store.find(REDIS);
    if (redis == null) {
      return Optional.empty();
    }
    if (redis.value().isMixed()) {
      problems.error(
          redis.at(),
          "some nodes are named with TLS and some without; write `rediss://` for each, or for none");
    }
    Located<Secret> forSentinels = store.find(SENTINEL_CREDENTIALS);
    if (forSentinels != null && redis.value().kind() != StoreAddress.Kind.SENTINEL) {
      problems.error(
          forSentinels.at(),
          "`"
              + redis.value()
              + "` names no Sentinels that could ask for it; write `credentials` for the servers themselves");
    }
    return Optional.of(
        new Store(
            redis.value(),
            Optional.ofNullable(store.value(CREDENTIALS)),
            Optional.ofNullable(store.value(SENTINEL_CREDENTIALS)),
            tls(store, redis.value(), problems),
            store.value(PREFIX, Store.USUAL_PREFIX),
            store.value(TIMEOUT, Store.USUAL_TIMEOUT),
            store.value(ON_FAILURE, OnFailure.LOCAL)));
  }

  private static Store.Tls tls(Fields store, StoreAddress redis, Problems problems) {
    Located<Fields> written = store.find(TLS);
    if (written == null) {
      return Store.Tls.USUAL;
    }
    Fields tls = written.value();
    if (!redis.isByTls()) {
      problems.error(
          written.at(),
          "`" + redis + "` is not spoken to by TLS; write `rediss://` there, or no `tls`");
    }
    if (tls.wrote(TLS_CERT) != tls.wrote(TLS_KEY)) {
      problems.error(
          written.at(), "a certificate needs its key; write both `cert` and `key`, or neither");
    }
    return new Store.Tls(
        Optional.ofNullable(tls.value(TLS_CA)),
        Optional.ofNullable(tls.value(TLS_CERT)),
        Optional.ofNullable(tls.value(TLS_KEY)));
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
