package io.quotatree.bench.gateway;

/** The quota file that is measured: one quota in each layer, none of which ever refuses. */
final class FourLayers {

  private FourLayers() {}

  static String file(int port, int admin, int service) {
    return """
        server: { listen: 127.0.0.1:%d, admin: 127.0.0.1:%d }
        identity:
          caller: ["header:X-App-Id"]
          user: ["header:X-User-Id"]
          trusted_proxies: [127.0.0.0/8]
        routes: [{ match: "/**", upstream: service }]
        upstreams: { service: { targets: ["http://127.0.0.1:%d"], timeout: 60s } }
        quotas:
          node: { limit: 100000000/min }
          caller: { default: 100000000/min, overrides: { shop: { limit: 50000000/min } } }
          user: { default: 10000000/min }
          api: { default: 100000000/min, overrides: { "GET /user/{id}": { limit: 50000000/min } } }
        """
        .formatted(port, admin, service);
  }
}
