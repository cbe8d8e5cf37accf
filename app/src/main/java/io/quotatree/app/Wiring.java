package io.quotatree.app;

import io.quotatree.core.policy.Policy;
import io.quotatree.core.time.Ticker;
import io.quotatree.gateway.proxy.Requirements;
import io.quotatree.gateway.proxy.Route;
import io.quotatree.gateway.proxy.Serving;
import io.quotatree.gateway.proxy.Target;
import io.quotatree.gateway.proxy.Upstream;
import io.quotatree.gateway.server.Address;
import io.quotatree.gateway.server.Guard;
import io.quotatree.gateway.server.Settings;
import io.quotatree.gateway.server.Tls;
import io.quotatree.http.AddressBlock;
import io.quotatree.http.Cors;
import io.quotatree.http.IdentityConfig;
import io.quotatree.http.IdentityReader;
import io.quotatree.http.IdentitySource;
import io.quotatree.observe.Metrics;
import io.quotatree.observe.UpstreamMeters;
import io.quotatree.quotafile.Identity;
import io.quotatree.quotafile.QuotaFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Makes of what a quota file says what a gateway serves by. */
final class Wiring {

  private Wiring() {}

  /**
   * What a gateway serves by; its upstreams are counted by the metrics.
   *
   * @param policy the file's quotas, with overrides in their place
   */
  static Serving serving(QuotaFile file, Policy policy, Metrics metrics) {
    Map<String, Upstream> upstreams = new HashMap<>();
    file.upstreams()
        .forEach((name, said) -> upstreams.put(name, upstream(name, said, metrics.upstream(name))));
    return Serving.of(
        policy,
        file.routes().stream()
            .map(
                route ->
                    route(
                        Objects.requireNonNull(upstreams.get(route.upstream()), route::upstream),
                        route.terms()))
            .toList(),
        new IdentityReader(identity(file.identity())));
  }

  /** How the gateway meets the network, alone on its addresses. */
  static Settings settings(QuotaFile file) {
    QuotaFile.Server server = file.server();
    Settings settings = Settings.on(own(server.listen()), own(server.admin()));
    return server
        .tls()
        .map(
            tls ->
                settings.withTls(
                    new Tls(Path.of(tls.cert()), Path.of(tls.key()), tls.clientCa().map(Path::of))))
        .orElse(settings);
  }

  static Address own(io.quotatree.quotafile.Address said) {
    return new Address(said.host(), said.port());
  }

  /** What the gateway takes as a whole. */
  static Guard.Bounds bounds(QuotaFile file) {
    QuotaFile.Guard said = file.server().guard();
    return new Guard.Bounds(
        said.rate().orElse(null),
        said.inFlight().orElse(Integer.MAX_VALUE),
        said.connections().orElse(Integer.MAX_VALUE));
  }

  private static Route route(Upstream upstream, QuotaFile.Terms terms) {
    return new Route(
        upstream,
        new Requirements(terms.headers(), terms.query()),
        terms.refundOn(),
        terms.origins().isEmpty() ? null : new Cors(terms.origins()));
  }

  private static Upstream upstream(String name, QuotaFile.Upstream said, UpstreamMeters meters) {
    return new Upstream(
        name,
        said.targets().stream().map(Target::of).toList(),
        said.timeout(),
        new Upstream.Watch(Ticker.system(), meters));
  }

  private static IdentityConfig identity(Identity said) {
    return new IdentityConfig(
        sources(said.caller()),
        sources(said.user()),
        sources(said.plan()),
        sources(said.unproven()),
        said.trustedProxies().stream().map(n -> AddressBlock.parse(n.toString())).toList());
  }

  private static List<IdentitySource> sources(List<Identity.Source> said) {
    return said.stream().map(source -> IdentitySource.parse(source.toString())).toList();
  }
}
