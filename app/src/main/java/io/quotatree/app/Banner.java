package io.quotatree.app;

import io.quotatree.core.limit.Allowance;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.gateway.server.Address;
import io.quotatree.quotafile.QuotaFile;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a gateway says of itself when it has started: where it is, and what it limits. */
final class Banner {

  private final PrintWriter out;

  Banner(PrintWriter out) {
    this.out = out;
  }

  /** Tells of a gateway that answers. */
  void print(FileGateway gateway, String nodeId) {
    QuotaFile file = gateway.file();
    out.println("Quotatree serves " + file.name() + " as " + nodeId);
    line("gateway", url(gateway.listen()));
    if (file.routes().isEmpty()) {
      line("", "without routes: each request gets a 404");
    }
    file.routes().forEach(route -> line("", route.match() + " to " + targets(file, route)));
    line("admin", url(gateway.admin()) + "/healthz, /readyz, /metrics");
    gateway.decideAt().ifPresent(at -> line("decide", url(at) + "/v1/decide"));
    layers(file.quotas());
    out.flush();
  }

  private void line(String what, String text) {
    out.println("  " + what + " ".repeat(9 - what.length()) + text);
  }

  private static String targets(QuotaFile file, QuotaFile.Route route) {
    QuotaFile.Upstream upstream = file.upstreams().get(route.upstream());
    List<String> targets =
        upstream == null ? List.of() : upstream.targets().stream().map(String::valueOf).toList();
    return route.upstream() + " at " + String.join(", ", targets);
  }

  private void layers(QuotaTree tree) {
    layer(
        "node",
        said("", tree.node().fleet()),
        said("each gateway ", tree.node().instance()),
        counted(tree.node().instances().size(), "gateway", "of its own"));
    layer(
        "caller",
        said("", tree.caller().byDefault()),
        counted(tree.caller().overrides().size(), "line", "for some"));
    layer(
        "user",
        said("", tree.user().byDefault()),
        said("writes ", tree.user().writes()),
        said("anonymous ", tree.user().anonymous().quota()),
        counted(tree.user().plans().size(), "plan", ""));
    layer(
        "api",
        counted(tree.api().lines().size(), "api", "named"),
        counted(tree.api().groups().size(), "group", ""),
        said("other paths of a caller ", tree.api().unmatched().quota()));
  }

  private void layer(String name, String... parts) {
    List<String> said = new ArrayList<>(List.of(parts));
    said.removeIf(String::isEmpty);
    line(name, said.isEmpty() ? "not limited" : String.join("; ", said));
  }

  private static String counted(int count, String what, String how) {
    return count == 0 ? "" : (count + " " + what + (count == 1 ? " " : "s ") + how).strip();
  }

  private static String said(String what, @Nullable Quota quota) {
    return quota == null ? "" : what + text(quota);
  }

  private static String text(Quota quota) {
    List<String> parts = new ArrayList<>();
    if (quota.allowance() instanceof Allowance.Limited limited) {
      limited.limits().forEach(limit -> parts.add(limit.rate().text()));
    } else if (quota.allowance() instanceof Allowance.Blocked) {
      parts.add("blocked");
    } else if (quota.concurrency().isEmpty()) {
      parts.add("unlimited");
    }
    quota.concurrency().ifPresent(inFlight -> parts.add(inFlight + " in flight"));
    return String.join(" and ", parts);
  }

  /** Where a browser or curl on this machine finds an address. */
  static String url(Address address) {
    boolean everywhere = address.host().equals("0.0.0.0") || address.host().equals("::");
    return "http://" + (everywhere ? new Address("127.0.0.1", address.port()) : address);
  }
}
