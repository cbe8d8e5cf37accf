package io.quotatree.quotafile;

import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.CallerLines;
import io.quotatree.core.policy.CallerOverride;
import io.quotatree.core.policy.CallerOverride.ApiQuota;
import io.quotatree.core.policy.Line;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.UserLines;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Problems;
import io.quotatree.quotafile.yaml.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes a tree of a quotas section, with all inheritance worked out. */
final class TreeReader {

  private final Problems problems;
  private final Fields quotas;
  private final QuotaBuilder builder;
  private final List<PlacedName> places = new ArrayList<>();

  /**
   * A tree and the api names in it.
   *
   * @param tree of use only where the problems have no errors
   * @param names the api names, where they stand
   */
  record Read(QuotaTree tree, List<PlacedName> names) {}

  private TreeReader(Problems problems, Fields quotas, QuotaBuilder builder) {
    this.problems = problems;
    this.quotas = quotas;
    this.builder = builder;
  }

  /** Makes the tree of a section that was read. */
  static Read read(Fields quotas, List<String> routes, Problems problems) {
    Fields api = quotas.value(Format.API, Fields.none(quotas.at()));
    Map<String, WrittenLimit> levels = new LinkedHashMap<>();
    api.value(Format.LEVELS, List.of()).forEach(level -> levels.put(level.name(), level.value()));
    Located<?> written = api.find(Format.LEVELS);
    Set<String> names =
        written != null && written.at() instanceof Yaml.Mapping map ? map.names() : Set.of();
    Fields defaults = quotas.value(Format.DEFAULTS, Fields.none(quotas.at()));
    QuotaBuilder builder = new QuotaBuilder(problems, defaults, levels, names);
    TreeReader reader = new TreeReader(problems, quotas, builder);
    CostCheck costs = new CostCheck(problems);
    ApiReader apis = new ApiReader(problems, builder, costs);
    QuotaTree tree =
        new QuotaTree(
            reader.order(),
            reader.node(),
            reader.caller(),
            reader.user(),
            apis.read(api),
            routes,
            quotas.value(Format.MAX_SUBJECTS, QuotaTree.DEFAULT_MAX_SUBJECTS),
            replies(defaults));
    reader.places.addAll(apis.places());
    if (problems.sound()) {
      CostOddities oddities = new CostOddities(problems, tree);
      costs.costs().forEach(oddities::check);
      new StandingCheck(problems).check(tree);
    }
    return new Read(tree, List.copyOf(reader.places));
  }

  private static ReplyStyle replies(Fields defaults) {
    ReplyStyle usual = ReplyStyle.DEFAULT;
    return new ReplyStyle(
        defaults.value(Format.MESSAGE, usual.message()),
        defaults.value(Format.HEADERS, usual.fields()),
        defaults.value(Format.HIDE_KEYS, false) ? ReplyStyle.Keys.HIDDEN : ReplyStyle.Keys.SHOWN,
        defaults.value(Format.DISCLOSE, usual.disclosure()),
        defaults.value(Format.SPREAD, true) ? ReplyStyle.Spread.SPREAD : ReplyStyle.Spread.EXACT);
  }

  private List<Layer> order() {
    Set<Layer> order = new LinkedHashSet<>();
    for (Located<Layer> layer : quotas.value(Format.ORDER, List.of())) {
      if (!order.add(layer.value())) {
        problems.error(
            layer.at(), "`" + layer.value().word() + "` a second time; name each layer once");
      }
    }
    order.addAll(QuotaTree.USUAL_ORDER);
    return List.copyOf(order);
  }

  private NodeLines node() {
    Located<Fields> node = quotas.find(Format.NODE);
    if (node == null) {
      return NodeLines.NONE;
    }
    WrittenQuota fleet =
        new WrittenQuota("node", node.key(), node.value(), null, AlgorithmName.SLIDING_WINDOW);
    WrittenQuota instance =
        written("node", node.value(), Format.INSTANCE, AlgorithmName.TOKEN_BUCKET);
    List<Line> instances =
        lines(
            "node.instances",
            node.value().value(Format.INSTANCES, List.of()),
            instance,
            AlgorithmName.TOKEN_BUCKET);
    return new NodeLines(
        builder.optional(fleet), instance == null ? null : builder.required(instance), instances);
  }

  private CallerLines caller() {
    Fields caller = quotas.value(Format.CALLER, Fields.none(quotas.at()));
    WrittenQuota byDefault = written("caller", caller, Format.DEFAULT, AlgorithmName.TOKEN_BUCKET);
    WrittenQuota users = userDefault();
    List<CallerOverride> overrides = new ArrayList<>();
    for (Located<Fields> line : caller.value(Format.CALLER_OVERRIDES, List.of())) {
      overrides.add(override(line, byDefault, users));
    }
    return new CallerLines(byDefault == null ? null : builder.required(byDefault), overrides);
  }

  private CallerOverride override(
      Located<Fields> line, @Nullable WrittenQuota byDefault, @Nullable WrittenQuota users) {
    String place = "caller.overrides." + line.name();
    Fields own = line.value();
    WrittenQuota written =
        new WrittenQuota(place, line.key(), own, byDefault, AlgorithmName.TOKEN_BUCKET);
    boolean besides =
        own.wrote(Format.ITS_USER)
            || own.wrote(Format.ITS_USERS)
            || own.wrote(Format.PLANS)
            || own.wrote(Format.ITS_APIS);
    Quota quota = besides ? builder.optional(written) : builder.required(written);
    Located<Fields> user = own.find(Format.ITS_USER);
    Quota ofUser =
        user == null
            ? null
            : builder.required(written(place + ".user", user, users, AlgorithmName.TOKEN_BUCKET));
    List<Line> ofUsers =
        lines(
            place + ".users",
            own.value(Format.ITS_USERS, List.of()),
            users,
            AlgorithmName.TOKEN_BUCKET);
    Map<String, Quota> plans =
        byName(
            lines(
                place + ".plans",
                own.value(Format.PLANS, List.of()),
                users,
                AlgorithmName.TOKEN_BUCKET));
    return new CallerOverride(line.name(), quota, ofUser, ofUsers, plans, itsApis(place, own));
  }

  private List<ApiQuota> itsApis(String place, Fields own) {
    List<Located<Fields>> found = own.value(Format.ITS_APIS, List.of());
    new ApiNames(problems).addAll(found.stream().map(Located::key).toList());
    List<ApiQuota> apis = new ArrayList<>();
    for (Located<Fields> api : found) {
      places.add(PlacedName.of(api.key(), PlacedName.Use.OTHER));
      Quota quota =
          builder.required(
              written(place + ".api." + api.name(), api, null, AlgorithmName.FIXED_WINDOW));
      if (quota != null) {
        apis.add(new ApiQuota(api.name(), quota));
      }
    }
    return apis;
  }

  private @Nullable WrittenQuota userDefault() {
    Fields user = quotas.value(Format.USER, Fields.none(quotas.at()));
    return written("user", user, Format.DEFAULT, AlgorithmName.TOKEN_BUCKET);
  }

  private UserLines user() {
    Fields user = quotas.value(Format.USER, Fields.none(quotas.at()));
    WrittenQuota byDefault = userDefault();
    WrittenQuota writes = written("user", user, Format.WRITES, AlgorithmName.TOKEN_BUCKET);
    return new UserLines(
        byDefault == null ? null : builder.required(byDefault),
        writes == null ? null : builder.required(writes),
        byName(
            lines(
                "user.plans",
                user.value(Format.PLANS, List.of()),
                byDefault,
                AlgorithmName.TOKEN_BUCKET)),
        anonymous(user));
  }

  private UserLines.Anonymous anonymous(Fields user) {
    Located<Fields> anonymous = user.find(Format.ANONYMOUS);
    if (anonymous == null) {
      return UserLines.Anonymous.NONE;
    }
    Fields own = anonymous.value();
    Quota quota =
        builder.optional(written("user.anonymous", anonymous, null, AlgorithmName.TOKEN_BUCKET));
    Located<UserLines.By> by = own.find(Format.BY);
    if (quota == null && by != null && own.sound()) {
      problems.warning(
          by.key(),
          "`by` without a `limit`, so anonymous users have `user.default`, each address; write `limit: 50/s` beside it");
    }
    Set<String> ids =
        own.wrote(Format.IDS)
            ? own.value(Format.IDS, List.of()).stream()
                .map(Located::value)
                .collect(Collectors.toSet())
            : UserLines.Anonymous.NONE.ids();
    return new UserLines.Anonymous(ids, quota, by == null ? UserLines.By.POOL : by.value());
  }

  private List<Line> lines(
      String place, List<Located<Fields>> found, @Nullable WrittenQuota base, AlgorithmName usual) {
    List<Line> lines = new ArrayList<>();
    for (Located<Fields> line : found) {
      Quota quota = builder.required(written(place + "." + line.name(), line, base, usual));
      if (quota != null) {
        lines.add(new Line(line.name(), quota));
      }
    }
    return lines;
  }

  private static Map<String, Quota> byName(List<Line> lines) {
    Map<String, Quota> byName = new LinkedHashMap<>();
    lines.forEach(line -> byName.put(line.pattern(), line.quota()));
    return byName;
  }

  private static @Nullable WrittenQuota written(
      String parent, Fields in, Key<Fields> key, AlgorithmName usual) {
    Located<Fields> found = in.find(key);
    return found == null ? null : written(parent + "." + key.name(), found, null, usual);
  }

  private static WrittenQuota written(
      String place, Located<Fields> found, @Nullable WrittenQuota base, AlgorithmName usual) {
    return new WrittenQuota(place, found.key(), found.value(), base, usual);
  }
}
