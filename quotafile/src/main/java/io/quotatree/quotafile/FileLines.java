package io.quotatree.quotafile;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.ApiRule.PerUser;
import io.quotatree.core.policy.QuotaTree;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * All that a file puts in force, as lines of place and words, so that two files can be compared.
 */
final class FileLines {

  private final Map<String, String> lines = new LinkedHashMap<>();

  private FileLines() {}

  static Map<String, String> of(QuotaFile file) {
    FileLines made = new FileLines();
    made.front(file);
    made.store(file.store());
    file.log().ifPresent(made::log);
    made.tree(file.quotas());
    return made.lines;
  }

  private void front(QuotaFile file) {
    lines.put("server.listen", file.server().listen().toString());
    lines.put("server.admin", file.server().admin().toString());
    file.server().adminToken().ifPresent(at -> lines.put("server.admin_token", at.toString()));
    lines.put("server.node_id", file.server().nodeId().orElse("the host name"));
    lines.put("server.data", file.server().data());
    lines.put(
        "server.tls",
        file.server()
            .tls()
            .map(
                tls ->
                    tls.cert() + ", " + tls.key() + tls.clientCa().map(ca -> ", " + ca).orElse(""))
            .orElse("none"));
    file.server()
        .decide()
        .ifPresent(
            decide ->
                lines.put(
                    "server.decide",
                    decide.listen() + decide.tokens().map(tokens -> ", " + tokens).orElse("")));
    lines.put(
        "server.guard",
        Stream.of(
                file.server().guard().rate().map(rate -> "rate " + rate.text()),
                said("in_flight ", file.server().guard().inFlight()),
                said("connections ", file.server().guard().connections()))
            .flatMap(Optional::stream)
            .reduce((a, b) -> a + ", " + b)
            .orElse("none"));
    lines.put("identity.caller", file.identity().caller().toString());
    lines.put("identity.user", file.identity().user().toString());
    lines.put("identity.unproven", file.identity().unproven().toString());
    lines.put("identity.plan", file.identity().plan().toString());
    lines.put("identity.trusted_proxies", file.identity().trustedProxies().toString());
    file.routes().forEach(this::route);
    lines.put(
        "the order of routes",
        file.routes().stream().map(QuotaFile.Route::match).toList().toString());
    file.upstreams()
        .forEach(
            (name, upstream) ->
                lines.put(
                    "upstreams." + name,
                    upstream.targets() + " in " + upstream.timeout().toMillis() + "ms"));
  }

  private void route(QuotaFile.Route route) {
    String name = "routes." + route.match();
    lines.put(name, "to " + route.upstream());
    QuotaFile.Terms terms = route.terms();
    if (!terms.equals(QuotaFile.Terms.NONE)) {
      lines.put(
          name + " requires",
          "headers " + terms.headers() + ", query " + new TreeMap<>(terms.query()));
      lines.put(name + " refunds on", new TreeSet<>(terms.refundOn()).toString());
      lines.put(name + " is readable by", terms.origins().toString());
    }
  }

  private void store(Optional<Store> store) {
    lines.put("store", store.map(said -> said.redis().toString()).orElse("memory"));
    store.ifPresent(
        said -> {
          lines.put("store.credentials", said.credentials().map(Secret::toString).orElse("none"));
          said.sentinelCredentials()
              .ifPresent(place -> lines.put("store.sentinel_credentials", place.toString()));
          lines.put("store.tls", said.tls().toString());
          lines.put("store.prefix", said.prefix());
          lines.put("store.timeout", said.timeout().toMillis() + "ms");
        });
  }

  private void log(Log log) {
    lines.put("log.decisions", log.decisions());
    lines.put("log.allowed", log.share());
    lines.put("log.hash_users", String.valueOf(log.users() == Log.Users.HASHED));
  }

  private static Optional<String> said(String what, OptionalInt count) {
    return count.isPresent() ? Optional.of(what + count.getAsInt()) : Optional.empty();
  }

  private void tree(QuotaTree tree) {
    lines.put("order", String.join(", ", tree.order().stream().map(Layer::word).toList()));
    lines.put("max_subjects", String.valueOf(tree.maxSubjects()));
    lines.put("defaults.message", tree.replies().message());
    lines.put("defaults.headers", Format.word(tree.replies().fields()));
    lines.put("defaults.hide_keys", Format.word(tree.replies().keys()));
    lines.put("defaults.disclose", Format.word(tree.replies().disclosure()));
    lines.put("defaults.spread", Format.word(tree.replies().spread()));
    QuotaPlaces.visit(tree, (layer, place, quota) -> quota(place, quota));
    lines.put("user.anonymous.ids", new TreeSet<>(tree.user().anonymous().ids()).toString());
    lines.put("user.anonymous.by", Format.word(tree.user().anonymous().by()));
    rule("api.unmatched", tree.api().unmatched());
    for (ApiLine line : tree.api().lines()) {
      rule("api.overrides." + line.name(), line.rule());
    }
    for (Group group : tree.api().groups()) {
      lines.put("api.groups." + group.name() + ".match", group.match().toString());
    }
  }

  private void rule(String place, ApiRule rule) {
    lines.put(place + ".cost", String.valueOf(rule.costPermits()));
    lines.put(place + ".priority", Format.word(rule.rank()));
    lines.put(place + ".write", Format.word(rule.effect()));
    PerUser perUser = rule.perUser();
    if (perUser != null) {
      lines.put(place + ".per_user.instead", Format.word(perUser.placement()));
    }
  }

  /** A line that takes all over changes with that which it takes over from, which is told once. */
  private void quota(String place, Quota quota) {
    String from = quota.origin().place();
    lines.put(from, QuotaWords.of(quota));
    if (!from.equals(place)) {
      lines.put(place, "as " + from);
    }
  }
}
