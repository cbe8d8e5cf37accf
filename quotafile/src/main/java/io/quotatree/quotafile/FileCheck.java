package io.quotatree.quotafile;

import io.quotatree.core.policy.ApiName;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problems;
import java.util.List;

/** Finds what is odd between the sections of a file, each of which is right by itself. */
final class FileCheck {

  private final Problems problems;

  FileCheck(Problems problems) {
    this.problems = problems;
  }

  void check(Fields file, TreeReader.Read tree) {
    List<Located<ApiName>> routes =
        file.value(FileFormat.ROUTES, List.of()).stream()
            .map(route -> route.value().find(RouteFormat.MATCH))
            .filter(match -> match != null)
            .toList();
    if (!routes.isEmpty()) {
      apis(routes, tree.names());
      if (tree.tree().api().unmatched().quota() != null) {
        routes(routes, tree.names());
      }
    }
    upstreams(file);
    file.value(FileFormat.ROUTES, List.of())
        .forEach(route -> RouteFormat.tellOddRefunds(route.value(), problems));
    Fields identity = file.value(FileFormat.IDENTITY, Fields.none(file.at()));
    unproven(identity, tree);
    untrusted(identity);
  }

  private void apis(List<Located<ApiName>> routes, List<PlacedName> names) {
    for (PlacedName name : names) {
      if (routes.stream().noneMatch(route -> route.value().meets(name.name()))) {
        problems.warning(
            name.at(),
            "no route reaches `"
                + name.name().text()
                + "`; write a route whose `match` covers it, or leave it out");
      }
    }
  }

  private void routes(List<Located<ApiName>> routes, List<PlacedName> names) {
    for (Located<ApiName> route : routes) {
      boolean named =
          names.stream()
              .anyMatch(
                  name -> name.use() == PlacedName.Use.API && name.name().meets(route.value()));
      if (!named) {
        problems.warning(
            route.at(),
            "no line of `api` names an api under `"
                + route.value().text()
                + "`, so all its paths together count as one for each caller; write their names in `quotas.api.names` or `overrides`");
      }
    }
  }

  private void upstreams(Fields file) {
    List<String> used =
        file.value(FileFormat.ROUTES, List.of()).stream()
            .map(route -> route.value().value(RouteFormat.UPSTREAM, ""))
            .toList();
    for (Located<Fields> upstream : file.value(FileFormat.UPSTREAMS, List.of())) {
      if (!used.contains(upstream.name())) {
        problems.warning(
            upstream.key(),
            "no route uses the upstream `"
                + upstream.name()
                + "`; write a route to it, or leave it out");
      }
    }
  }

  private void unproven(Fields identity, TreeReader.Read tree) {
    Located<List<Located<Identity.Source>>> unproven = identity.find(FileFormat.UNPROVEN_FROM);
    if (unproven != null && tree.tree().user().anonymous().quota() == null) {
      problems.warning(
          unproven.key(),
          "clients can make up ids here, each with a `user.default` of its own, and no pool bounds them together; write `quotas.user.anonymous: 50/s`");
    }
  }

  private void untrusted(Fields identity) {
    if (!identity.value(FileFormat.TRUSTED_PROXIES, List.of()).isEmpty()) {
      return;
    }
    for (Key<List<Located<Identity.Source>>> key :
        List.of(FileFormat.CALLER_FROM, FileFormat.USER_FROM, FileFormat.PLAN_FROM)) {
      Located<List<Located<Identity.Source>>> sources = identity.find(key);
      if (sources != null
          && sources.value().stream()
              .anyMatch(source -> source.value() instanceof Identity.Header)) {
        problems.warning(
            sources.key(),
            "identity headers are believed from `trusted_proxies` alone, and there are none; write their networks, such as `trusted_proxies: [10.0.0.0/8]`");
        return;
      }
    }
  }
}
