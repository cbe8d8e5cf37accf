package io.quotatree.testkit.oracle;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiLines.ApiLine;
import io.quotatree.core.policy.ApiLines.Group;
import io.quotatree.core.policy.ApiRule;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.CallerOverride.ApiQuota;
import io.quotatree.core.policy.Line;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.testkit.oracle.AskedQuota.Sharing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The quotas that apply to a request, in the order in which they are asked.
 *
 * @param api the api's name
 * @param costPermits what the request takes
 * @param quotas the quotas
 */
record RequestPlan(String api, long costPermits, List<AskedQuota> quotas) {

  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  static RequestPlan of(QuotaTree tree, String nodeId, Request request) {
    String path = TamePath.canonical(request.path());
    List<ApiLine> lines = tree.api().lines();
    Optional<ApiLine> line =
        Apis.best(lines.stream().map(ApiLine::name).toList(), request.method(), path)
            .map(lines::get);
    return new Reading(tree, nodeId, request, path, line, Identity.of(tree, request)).plan();
  }

  private record Reading(
      QuotaTree tree,
      String nodeId,
      Request request,
      String path,
      Optional<ApiLine> line,
      Identity identity) {

    RequestPlan plan() {
      List<AskedQuota> quotas = new ArrayList<>();
      for (Layer layer : order()) {
        switch (layer) {
          case NODE -> addNode(quotas);
          case CALLER -> addCaller(quotas);
          case USER -> addUser(quotas);
          case API -> addApi(quotas);
        }
      }
      Long cost = request.cost();
      return new RequestPlan(api(), cost == null ? rule().costPermits() : cost, quotas);
    }

    private ApiRule rule() {
      return line.map(ApiLine::rule).orElse(tree.api().unmatched());
    }

    private String api() {
      return line.map(ApiLine::name).orElseGet(this::route);
    }

    private String route() {
      return tree.routes().stream()
          .filter(route -> Apis.fits(route, request.method(), path))
          .findFirst()
          .orElse(QuotaTree.ANY_PATH);
    }

    private List<Layer> order() {
      List<Layer> order = new ArrayList<>(tree.order());
      boolean priority = rule().rank() == ApiRule.Rank.PRIORITY;
      if (priority && order.indexOf(Layer.API) > order.indexOf(Layer.USER)) {
        order.remove(Layer.API);
        order.add(order.indexOf(Layer.USER), Layer.API);
      }
      return order;
    }

    private void addNode(List<AskedQuota> quotas) {
      Quota alone =
          Patterns.best(tree.node().instances(), Line::pattern, nodeId)
              .map(Line::quota)
              .orElse(tree.node().instance());
      add(quotas, Layer.NODE, "node@" + nodeId, alone, Sharing.INSTANCE);
      add(quotas, Layer.NODE, "node", tree.node().fleet(), Sharing.ALL);
    }

    private void addCaller(List<AskedQuota> quotas) {
      Quota quota =
          identity.override().isPresent()
              ? identity.override().get().quota()
              : tree.caller().byDefault();
      add(quotas, Layer.CALLER, identity.caller(), quota, Sharing.OWN);
    }

    private Sharing ofUser() {
      return identity.madeUp() ? Sharing.MADE_UP : Sharing.OWN;
    }

    private void addUser(List<AskedQuota> quotas) {
      String user = identity.caller() + "/" + identity.user();
      if (!perUserInstead()) {
        add(quotas, Layer.USER, user, identity.userQuota(), ofUser());
        add(quotas, Layer.USER, identity.caller() + "/anonymous", identity.pool(), Sharing.OWN);
      }
      if (writes()) {
        add(quotas, Layer.USER, user + "!writes", tree.user().writes(), ofUser());
      }
    }

    private boolean writes() {
      return switch (rule().effect()) {
        case BY_METHOD -> !READING.contains(request.method());
        case WRITES -> true;
        case READS -> false;
      };
    }

    private boolean perUserInstead() {
      ApiRule.PerUser perUser = rule().perUser();
      return perUser != null
          && perUser.placement() == ApiRule.Placement.INSTEAD
          && perUserQuota() != null;
    }

    private @Nullable Quota perUserQuota() {
      ApiRule.PerUser perUser = rule().perUser();
      if (perUser == null) {
        return null;
      }
      Quota ofPlan = perUser.plans().get(identity.plan());
      return ofPlan == null ? perUser.quota() : ofPlan;
    }

    private void addApi(List<AskedQuota> quotas) {
      for (Group group : tree.api().groups()) {
        if (Apis.best(group.match(), request.method(), path).isPresent()) {
          add(quotas, Layer.API, "group:" + group.name(), group.quota(), Sharing.ALL);
        }
      }
      String caller = identity.caller();
      String name = line.isPresent() ? api() : api() + "|" + caller;
      Sharing sharing = line.isPresent() ? Sharing.ALL : Sharing.OWN;
      add(quotas, Layer.API, name, rule().quota(), sharing);
      add(quotas, Layer.API, name + "|" + caller, rule().perCaller(), Sharing.OWN);
      String user = caller + "/" + identity.user();
      add(quotas, Layer.API, name + "|" + user, perUserQuota(), ofUser());
      addCallersOwn(quotas);
    }

    private void addCallersOwn(List<AskedQuota> quotas) {
      List<ApiQuota> apis = identity.override().map(CallerOverride::apis).orElse(List.of());
      Apis.best(apis.stream().map(ApiQuota::name).toList(), request.method(), path)
          .map(apis::get)
          .ifPresent(
              api -> {
                String subject = identity.caller() + "|" + api.name();
                add(quotas, Layer.API, subject, api.quota(), Sharing.OWN);
              });
    }

    private static void add(
        List<AskedQuota> quotas,
        Layer layer,
        String subject,
        @Nullable Quota quota,
        Sharing sharing) {
      if (quota != null) {
        quotas.add(new AskedQuota(layer, subject, quota, sharing));
      }
    }
  }
}
