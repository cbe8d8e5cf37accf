package io.quotatree.quotafile;

import static io.quotatree.quotafile.yaml.Key.optional;
import static io.quotatree.quotafile.yaml.Key.required;

import io.quotatree.core.limit.Accounting;
import io.quotatree.core.limit.AlgorithmName;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.OnFailure;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.limit.RateLimit;
import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.ReplyStyle;
import io.quotatree.core.policy.UserLines;
import io.quotatree.quotafile.yaml.Durations;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Section;
import io.quotatree.quotafile.yaml.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The table of keys of quotas: all that may be said, where, of which type, and what it means. It is
 * what reads files, finds the nearest known key, and makes the JSON Schema; a key that is not here
 * does not exist.
 */
final class Format {

  private static final Duration YEAR = Duration.ofDays(366);

  // How a limit is counted

  static final Key<AlgorithmName> ALGORITHM =
      optional(
          "algorithm",
          Shape.choice(List.of(AlgorithmName.values()), AlgorithmName::word),
          "How the limits are counted.");

  static final Key<Long> BURST =
      optional(
          "burst",
          Shape.count(1, Rate.MAX_PERMITS),
          "What a bucket holds when full; default: the permits of a token_bucket's rate, 1 of a leaky_bucket.");

  static final Key<Long> SLICES =
      optional(
          "slices",
          Shape.count(1, RateLimit.MAX_SLICES),
          "Into how many slices a sliding_window's period is cut; default: 60.");

  static final Key<Boolean> STAGGER =
      optional(
          "stagger",
          Shape.flag(),
          "Whether a fixed_window begins at another moment for each subject, so that not all refresh at once; default: true.");

  private static final List<Key<?>> COUNTING = List.of(ALGORITHM, BURST, SLICES, STAGGER);

  static final Key<WrittenRate> RATE =
      required("limit", WrittenRate.shape(), "Permits per period.");

  private static final Section LIMIT_ITEM = section("limit", List.of(RATE), COUNTING);

  // A quota

  static final Key<WrittenLimit> LIMIT =
      optional(
          "limit",
          WrittenLimit.limits(LIMIT_ITEM, RATE),
          "A rate; a list of rates, all of which must hold; unlimited; or blocked.");

  static final Key<Long> CONCURRENCY =
      optional(
          "concurrency",
          Shape.count(1, Rate.MAX_PERMITS),
          "How many requests may be in flight at once.");

  static final Key<Accounting> ACCOUNTING =
      optional(
          "accounting",
          Shape.choice(List.of(Accounting.values()), Accounting::word),
          "Whether a request that a later layer refuses stays charged here: strict (no), or loose (yes).");

  static final Key<Boolean> SHADOW =
      optional("shadow", Shape.flag(), "Count and tell, and never refuse; default: false.");

  static final Key<OnFailure> ON_FAILURE =
      optional(
          "on_failure",
          Shape.choice(List.of(OnFailure.values()), OnFailure::word),
          "What holds while the store gives no answer: local (each gateway enforces its share), open (grant) or closed (503); default: as store.on_failure.");

  /** The keys of every quota. */
  static final List<Key<?>> QUOTA_KEYS =
      List.of(
          LIMIT, ALGORITHM, BURST, SLICES, STAGGER, CONCURRENCY, ACCOUNTING, ON_FAILURE, SHADOW);

  private static final Section QUOTA = section("quota", QUOTA_KEYS);

  static final Shape<Fields> A_QUOTA = QUOTA.shapeOr(LIMIT);

  // Node

  static final Key<Fields> INSTANCE =
      optional("instance", A_QUOTA, "What each gateway may take alone, asked first.");

  static final Key<List<Located<Fields>>> INSTANCES =
      optional(
          "instances",
          Shape.map(Names.PATTERN, A_QUOTA),
          "By node_id, what some gateways may take instead of `instance`.");

  private static final Section NODE_SECTION =
      section("node", QUOTA_KEYS, List.of(INSTANCE, INSTANCES));

  static final Key<Fields> NODE =
      optional("node", NODE_SECTION.shapeOr(LIMIT), "What all gateways may take together.");

  // Callers

  static final Key<Fields> ITS_USER =
      optional("user", A_QUOTA, "Each of its users, instead of `user.default`.");

  static final Key<List<Located<Fields>>> ITS_USERS =
      optional("users", Shape.map(Names.PATTERN, A_QUOTA), "Some of its users.");

  static final Key<List<Located<Fields>>> PLANS =
      optional("plans", Shape.map(Names.NAME, A_QUOTA), "Users by their plan.");

  static final Key<List<Located<Fields>>> ITS_APIS =
      optional(
          "api",
          Shape.map(Names.API_NAME, A_QUOTA),
          "This caller on some apis, besides the apis' own quotas.");

  private static final Section CALLER_LINE =
      section("caller_override", QUOTA_KEYS, List.of(ITS_USER, ITS_USERS, PLANS, ITS_APIS));

  static final Key<Fields> DEFAULT = optional("default", A_QUOTA, "Each that no line names.");

  static final Key<List<Located<Fields>>> CALLER_OVERRIDES =
      optional(
          "overrides",
          Shape.map(Names.PATTERN, CALLER_LINE.shapeOr(LIMIT)),
          "Callers with a quota of their own, by name.");

  static final Key<Fields> CALLER =
      optional(
          "caller",
          section("caller", List.of(DEFAULT, CALLER_OVERRIDES)).shape(),
          "Calling applications.");

  // Users

  static final Key<Fields> WRITES =
      optional(
          "writes",
          A_QUOTA,
          "Besides, each user's requests by any method but GET, HEAD, OPTIONS and TRACE.");

  static final Key<List<Located<String>>> IDS =
      optional(
          "ids",
          Shape.list(Shape.text("a user id", "`\"0\"`"), 0),
          "User ids that count as none; default: \"\" and \"0\".");

  static final Key<UserLines.By> BY =
      optional(
          "by",
          Shape.choice(List.of(UserLines.By.values()), Format::word),
          "Whom a counter stands for: all of a caller, each address, each network, or each session; default: pool.");

  static final Key<Fields> ANONYMOUS =
      optional(
          "anonymous",
          section("anonymous", QUOTA_KEYS, List.of(IDS, BY)).shapeOr(LIMIT),
          "Requests without a user of their own.");

  static final Key<Fields> USER =
      optional(
          "user",
          section("user", List.of(DEFAULT, WRITES, PLANS, ANONYMOUS)).shape(),
          "End users of each caller.");

  // Apis

  static final Key<Boolean> INSTEAD =
      optional(
          "instead",
          Shape.flag(),
          "In place of the user layer's quota for this api; default: besides it.");

  static final Key<Fields> PER_USER =
      optional(
          "per_user",
          section("per_user", QUOTA_KEYS, List.of(PLANS, INSTEAD)).shapeOr(LIMIT),
          "Besides, what each user may use of the api.");

  static final Key<Fields> PER_CALLER =
      optional("per_caller", A_QUOTA, "Besides, what each caller may use of the api.");

  static final Key<String> LEVEL =
      optional(
          "level",
          Shape.text("the name of a level", "`S`"),
          "A level, whose limit holds where no `limit` is written.");

  static final Key<Boolean> PRIORITY =
      optional(
          "priority",
          Shape.flag(),
          "Ask the api layer just before the user layer; default: false.");

  static final Key<Long> COST =
      optional(
          "cost",
          Shape.count(0, Rate.MAX_PERMITS),
          "How many permits a request takes in every layer; default: 1.");

  static final Key<Boolean> WRITE =
      optional(
          "write", Shape.flag(), "Whether its requests count as writes; default: by their method.");

  private static final Section API_RULE =
      section("api_quota", QUOTA_KEYS, List.of(LEVEL, PRIORITY, COST, WRITE, PER_CALLER, PER_USER));

  private static final Shape<Fields> A_RULE = API_RULE.shapeOr(LIMIT);

  static final Key<Fields> API_DEFAULT = optional("default", A_RULE, "Each api that a line names.");

  static final Key<Fields> UNMATCHED =
      optional(
          "unmatched",
          A_RULE,
          "All paths that no line names, for each caller and route; default: as `default`.");

  static final Key<List<Located<WrittenLimit>>> LEVELS =
      optional(
          "levels",
          Shape.map(Names.NAME, WrittenLimit.rates()),
          "Limits with a name, for `level`.");

  static final Key<List<Located<ApiName>>> NAMES =
      optional("names", Shape.list(Names.API_NAME, 0), "Apis with the default.");

  static final Key<List<Located<ApiName>>> MATCH =
      required("match", Shape.list(Names.API_NAME, 1), "Names of the apis in the group.");

  static final Key<List<Located<Fields>>> GROUPS =
      optional(
          "groups",
          Shape.map(Names.NAME, section("group", List.of(MATCH), QUOTA_KEYS).shape()),
          "One quota over several apis, besides theirs.");

  static final Key<List<Located<Fields>>> API_OVERRIDES =
      optional(
          "overrides",
          Shape.map(Names.API_NAME, A_RULE),
          "Apis with a quota of their own, as `METHOD /path` or `/path`.");

  static final Key<Fields> API =
      optional(
          "api",
          section("api", List.of(API_DEFAULT, UNMATCHED, LEVELS, NAMES, GROUPS, API_OVERRIDES))
              .shape(),
          "Endpoints.");

  // What holds for all quotas

  static final Key<String> MESSAGE =
      optional(
          "message",
          Shape.text("a text", "`Too many requests`"),
          "The words of a refusal, for people.");

  static final Key<Duration> PERIOD =
      optional(
          "period",
          Shape.text(
              new Shape.Words("a period", "`min`"),
              "^[0-9]*(" + Durations.unitPattern() + ")$",
              Format::period),
          "The period of rates that are bare numbers.");

  static final Key<ReplyStyle.Fields> HEADERS =
      optional(
          "headers",
          Shape.choice(List.of(ReplyStyle.Fields.values()), Format::word),
          "Which header fields answers have; default: both.");

  static final Key<Boolean> HIDE_KEYS =
      optional(
          "hide_keys",
          Shape.flag(),
          "Leave out the fields that name layer and subject; default: false.");

  static final Key<ReplyStyle.Disclosure> DISCLOSE =
      optional(
          "disclose",
          Shape.choice(List.of(ReplyStyle.Disclosure.values()), Format::word),
          "Which limit an allowed answer tells; default: own.");

  static final Key<Boolean> SPREAD =
      optional(
          "spread",
          Shape.flag(),
          "Spread Retry-After a little, so that clients do not come back in step; default: true.");

  static final Key<Fields> DEFAULTS =
      optional(
          "defaults",
          section(
                  "defaults",
                  List.of(
                      PERIOD,
                      ALGORITHM,
                      ACCOUNTING,
                      SHADOW,
                      MESSAGE,
                      HEADERS,
                      HIDE_KEYS,
                      DISCLOSE,
                      SPREAD))
              .shape(),
          "What holds where a quota does not say.");

  static final Key<List<Located<Layer>>> ORDER =
      optional(
          "order",
          Shape.list(Shape.choice(List.of(Layer.values()), Layer::word), 1),
          "The order in which layers are asked; those left out follow in the usual order.");

  static final Key<Long> MAX_SUBJECTS =
      optional(
          "max_subjects",
          Shape.count(1, Rate.MAX_PERMITS),
          "How many counters may be live at once; default: 10000000.");

  static final Section QUOTAS =
      section("quotas", List.of(NODE, CALLER, USER, API, DEFAULTS, ORDER, MAX_SUBJECTS));

  private Format() {}

  @SafeVarargs
  static Section section(String name, List<? extends Key<?>>... parts) {
    List<Key<?>> keys = new ArrayList<>();
    for (List<? extends Key<?>> part : parts) {
      keys.addAll(part);
    }
    return new Section(name, keys);
  }

  static String word(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  private static Duration period(String text) {
    Duration period = Durations.period(text);
    if (period.isZero() || period.compareTo(YEAR) > 0) {
      throw new IllegalArgumentException(
          "`" + text + "` is out of bounds; write a period from 1ms to 366day");
    }
    return period;
  }
}
