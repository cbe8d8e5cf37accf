package io.quotatree.core.policy;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A tree of quotas, compiled for one gateway: says which limits apply to a request, in which order.
 *
 * <p>Immutable; safe for use by several threads. What a request costs here depends on its own path
 * and names, not on how many lines the tree has.
 */
public final class Policy {

  private static final Layer[] NO_LAYERS = {};
  private static final String ANONYMOUS_CALLER = "anonymous";

  private final QuotaTree tree;
  private final String nodeId;
  private final List<Step> steps;
  private final Layer[] order;
  private final Layer[] priorityOrder;
  final @Nullable QuotaSteps instance;
  final @Nullable QuotaSteps fleet;
  final CallerPlan callerDefault;
  final LineIndex<CallerPlan> callers = new LineIndex<>();
  final UserQuotas users;
  private final ApiIndex<ApiPlan> apis = new ApiIndex<>();
  final List<ApiPlan> namedApis = new ArrayList<>();
  private final List<ApiName> routes = new ArrayList<>();
  final List<ApiPlan> unmatched = new ArrayList<>();
  final List<GroupPlan> groups = new ArrayList<>();

  record GroupPlan(List<ApiName> names, QuotaSteps quota) {
    boolean fits(String method, String path) {
      for (int i = 0; i < names.size(); i++) {
        if (names.get(i).fits(method, path)) {
          return true;
        }
      }
      return false;
    }
  }

  private Policy(QuotaTree tree, String nodeId) {
    this.tree = tree;
    this.nodeId = nodeId;
    this.order = tree.order().toArray(NO_LAYERS);
    this.priorityOrder = withApiBeforeUser(tree.order());
    Compilation making = new Compilation();
    this.fleet = making.quota(SubjectKind.NODE, "", tree.node().fleet());
    this.instance = making.quota(SubjectKind.INSTANCE, nodeId, instanceQuota(tree.node(), nodeId));
    this.users = new UserQuotas(making, tree.user());
    QuotaSteps byDefault = making.quota(SubjectKind.CALLER, "", tree.caller().byDefault());
    this.callerDefault = CallerPlan.byDefault(byDefault);
    for (CallerOverride line : tree.caller().overrides()) {
      callers.add(line.pattern(), CallerPlan.of(making, line, byDefault, users.byDefault()));
    }
    callers.built(NameKind.CALLER);
    addApis(making);
    namedApis.forEach(api -> api.usual = usual(api));
    unmatched.forEach(api -> api.usual = usual(api));
    this.steps = making.steps();
  }

  /**
   * Compiles a tree for one gateway.
   *
   * @param nodeId the gateway's name, by which {@code instances} are found
   * @throws IllegalArgumentException for an api name or route that cannot be read
   */
  public static Policy compile(QuotaTree tree, String nodeId) {
    return new Policy(tree, nodeId);
  }

  /**
   * This policy with other figures in each quota that the gateways of a fleet share. Where they
   * keep number, algorithms and periods of their limits, so do the limits their ordinals and
   * counters.
   */
  public Policy withEachShared(UnaryOperator<Quota> change) {
    NodeLines node = tree.node();
    Quota fleet = node.fleet();
    NodeLines changed =
        new NodeLines(
            fleet == null ? null : change.apply(fleet), node.instance(), node.instances());
    return new Policy(tree.withEach(change).withNode(changed), nodeId);
  }

  private static Layer[] withApiBeforeUser(List<Layer> order) {
    List<Layer> changed = new ArrayList<>(order);
    if (changed.indexOf(Layer.API) > changed.indexOf(Layer.USER)) {
      changed.remove(Layer.API);
      changed.add(changed.indexOf(Layer.USER), Layer.API);
    }
    return changed.toArray(NO_LAYERS);
  }

  private static @Nullable Quota instanceQuota(NodeLines node, String nodeId) {
    LineIndex<Quota> lines = new LineIndex<>();
    node.instances().forEach(line -> lines.add(line.pattern(), line.quota()));
    NameHash hash = new NameHash();
    hash.of(0, nodeId);
    Quota quota = lines.built(0).find(nodeId, hash.first, hash.second);
    return quota == null ? node.instance() : quota;
  }

  private void addApis(Compilation making) {
    for (ApiLines.ApiLine line : tree.api().lines()) {
      ApiName name = ApiName.parse(line.name());
      ApiPlan api = ApiPlan.named(making, name, line.rule());
      apis.add(name, api);
      namedApis.add(api);
    }
    apis.built();
    for (ApiLines.Group group : tree.api().groups()) {
      QuotaSteps quota = QuotaSteps.of(making, SubjectKind.GROUP, group.name(), group.quota());
      groups.add(new GroupPlan(group.match().stream().map(ApiName::parse).toList(), quota));
    }
    List<String> matches = tree.routes().isEmpty() ? List.of(QuotaTree.ANY_PATH) : tree.routes();
    for (String match : matches) {
      ApiName route = ApiName.parse(match);
      routes.add(route);
      unmatched.add(ApiPlan.unmatched(making, route.text(), tree.api().unmatched()));
    }
  }

  /** The tree as it was tree. */
  public QuotaTree tree() {
    return tree;
  }

  /** All limits of all lines, each at the place of its ordinal. */
  public List<Step> steps() {
    return steps;
  }

  /**
   * Which of the tree's routes takes a request: the index of the first that fits; empty for none.
   */
  public OptionalInt route(String method, String canonicalPath) {
    for (int i = 0; i < routes.size(); i++) {
      if (routes.get(i).fits(method, canonicalPath)) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * Finds the limits that apply to a request.
   *
   * @param plan is filled
   * @throws BadPathException if the request's path has no canonical form
   */
  public void plan(Request request, Plan plan) {
    plan.begin(this, request);
    fill(request, plan);
  }

  private void fill(Request request, Plan plan) {
    String path = request.path();
    ApiPlan api = apis.literal(request.method(), path);
    if (api == null) {
      path = CanonicalPath.of(path);
      api = apis.find(request.method(), path);
    }
    CallerPlan caller =
        callerOf(request.caller().isEmpty() ? ANONYMOUS_CALLER : request.caller(), plan);
    api = api == null ? unmatchedOf(request.method(), path) : api;
    Long cost = request.cost();
    plan.api(api, cost == null ? api.costPermits : cost);
    QuotaSteps user = users.resolve(request, caller, plan);
    Step[] usual = api.usual;
    boolean isUsual =
        caller == callerDefault
            && user == users.byDefault()
            && !plan.requester.isUnproven()
            && (users.writes == null || !api.isWrite(request.method()))
            && !plan.keepsQuotas();
    if (usual != null && isUsual) {
      plan.addReady(usual);
    } else {
      addLayers(path, caller, user, plan);
    }
  }

  /**
   * See {@link ApiPlan#usual}; null where a path or a plan has a say in it, or a quota is blocked.
   */
  private Step @Nullable [] usual(ApiPlan api) {
    if (!groups.isEmpty() || api.perUserPlans != null) {
      return null;
    }
    Plan plan = new Plan();
    Request anybodys = Requester.ANYBODYS;
    plan.begin(this, anybodys);
    plan.api(api, api.costPermits);
    addLayers(anybodys.path(), callerDefault, users.byDefault(), plan);
    return plan.isBlocked() || plan.isShadowBlocked() ? null : plan.ready();
  }

  /** Adds the limits of a plan whose request and api are known. */
  private void addLayers(String path, CallerPlan caller, @Nullable QuotaSteps user, Plan plan) {
    ApiPlan api = plan.apiPlan();
    Layer[] asked = api.hasPriority ? priorityOrder : order;
    for (Layer layer : asked) {
      switch (layer) {
        case NODE -> {
          plan.add(instance);
          plan.add(fleet);
        }
        case CALLER -> plan.add(caller.quota);
        case USER -> users.add(plan.request(), user, api, plan);
        case API -> addApi(path, caller, plan);
      }
    }
  }

  /**
   * Finds the counters that a subject's text may stand for.
   *
   * @param subject as decisions, answers and logs write it
   * @param plan is filled with their limits
   * @return how many of them, from the first, apply to the subject for certain; the others do at
   *     times, by a user's plan, say
   * @throws IllegalArgumentException if no subject of that layer is written so
   */
  public int find(Layer layer, String subject, Plan plan) {
    return new SubjectSearch(this, plan).find(layer, subject);
  }

  /** The line of a caller, whom the plan then is of. */
  CallerPlan callerOf(String name, Plan plan) {
    Requester requester = plan.requester;
    requester.caller(name);
    CallerPlan line = callers.find(name, requester.callerHash1(), requester.callerHash2());
    return line == null ? callerDefault : line;
  }

  private ApiPlan unmatchedOf(String method, String path) {
    for (int i = 0; i < routes.size(); i++) {
      if (routes.get(i).fits(method, path)) {
        return unmatched.get(i);
      }
    }
    // A request that no route takes is decided only when explained: as the last route would.
    return unmatched.get(unmatched.size() - 1);
  }

  private void addApi(String path, CallerPlan caller, Plan plan) {
    Request request = plan.request();
    ApiPlan api = plan.apiPlan();
    for (int i = 0; i < groups.size(); i++) {
      if (groups.get(i).fits(request.method(), path)) {
        plan.add(groups.get(i).quota);
      }
    }
    plan.add(api.own);
    plan.add(api.perCaller);
    plan.add(users.perUser(request, api, plan));
    if (!caller.apis.isEmpty()) {
      plan.add(caller.apis.find(request.method(), path));
    }
  }

  /**
   * The quotas that apply to a request, in the order in which they are asked, unlimited ones
   * included.
   *
   * @throws BadPathException if the request's path has no canonical form
   */
  public List<PlannedQuota> explain(Request request) {
    Plan plan = new Plan();
    plan.begin(this, request);
    plan.keepQuotas();
    fill(request, plan);
    return plan.quotas();
  }

  /**
   * The api that a request belongs to: the name as its line writes it, or the match of its route
   * where no line fits.
   *
   * @throws BadPathException if the request's path has no canonical form
   */
  public String api(Request request) {
    Plan plan = new Plan();
    plan(request, plan);
    return plan.api();
  }

  /** The permits that a request costs. */
  public long costPermits(Request request) {
    Plan plan = new Plan();
    plan(request, plan);
    return plan.costPermits();
  }
}
