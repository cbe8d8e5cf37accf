package io.quotatree.core.policy;

import io.quotatree.core.algorithm.Algorithm;
import io.quotatree.core.algorithm.WordAlgorithm;
import io.quotatree.core.limit.Layer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the counters that a subject's text stands for, from the other end than a request does: by
 * what decisions, answers and logs write.
 *
 * <p>A text leaves open what only requests say: the user's plan, and whether the client made the
 * user's id up. So besides the limits that apply to the subject as it stands, all that could be
 * meant are found: each counter that another line's limit of another shape would have made.
 */
final class SubjectSearch {

  private static final String WRITES = "!writes";
  private static final String ADDRESS = "ip:";
  private static final String NETWORK = "net:";
  private static final String SESSION = "sid:";

  private final Policy policy;
  private final Plan plan;
  private final Set<Found> found = new HashSet<>();
  private int applying;

  private record Found(long key1, long key2, String figures) {}

  SubjectSearch(Policy policy, Plan plan) {
    this.policy = policy;
    this.plan = plan;
  }

  /** Fills the plan; answers how many of its limits, from the first, apply for certain. */
  int find(Layer layer, String subject) {
    plan.begin(policy, Requester.ANYBODYS);
    plan.keepNames();
    switch (layer) {
      case NODE -> node(subject);
      case CALLER -> add(callerPlan(subject, subject).quota);
      case USER -> user(subject);
      case API -> api(subject);
    }
    return applying;
  }

  private void node(String subject) {
    if (subject.equals("node")) {
      add(policy.fleet);
    } else if (subject.startsWith("node@")) {
      QuotaSteps instance = policy.instance;
      add(instance != null && instance.name.equals(subject.substring(5)) ? instance : null);
    } else {
      throw none("node", subject, "`node`, or `node@` and this gateway's name");
    }
  }

  /** The caller of a name, which the plan then is about. */
  private CallerPlan callerPlan(String name, String subject) {
    if (name.isEmpty() || name.indexOf('/') >= 0 || name.indexOf('|') >= 0) {
      throw none("caller", subject, "a caller's name, such as `app-a`");
    }
    if (name.indexOf('!') >= 0) {
      throw none(
          "caller",
          subject,
          "the name before the `!`; a `!` of the name itself is written `%21`, and counters of"
              + " several subjects are not a subject's own");
    }
    return policy.callerOf(SubjectText.plain(name), plan);
  }

  private void user(String subject) {
    int slash = subject.indexOf('/');
    if (slash < 0 || slash == subject.length() - 1) {
      throw none("user", subject, "CALLER/USER, such as `app-a/u1`");
    }
    CallerPlan caller = callerPlan(subject.substring(0, slash), subject);
    boolean writes = subject.endsWith(WRITES);
    String user = subject.substring(slash + 1, subject.length() - (writes ? WRITES.length() : 0));
    QuotaSteps own = ofUser(user, caller, subject);
    if (writes) {
      add(policy.users.writes);
    } else {
      add(own);
      addOthers(SubjectKind.USER, "");
    }
    if (plan.requester.isNamed()) {
      plan.requester.user(UserKind.UNPROVEN, plan.requester.userName());
      addOthers(writes ? SubjectKind.WRITES : SubjectKind.USER, "");
    }
  }

  /** The quota of a user, whom the plan then is about. */
  private @Nullable QuotaSteps ofUser(String user, CallerPlan caller, String subject) {
    UserQuotas users = policy.users;
    QuotaSteps unnamed = caller.user == null ? users.byDefault() : caller.user;
    if (user.equals(UserKind.POOL_TEXT)) {
      plan.requester.user(UserKind.POOL, "");
      return users.pool;
    }
    if (user.startsWith(ADDRESS)) {
      plan.requester.user(
          UserKind.ADDRESS, address(user.substring(ADDRESS.length()), "/64", subject));
      return users.anonymous == null ? unnamed : users.anonymous;
    }
    if (user.startsWith(NETWORK)) {
      plan.requester.user(UserKind.NETWORK, network(user.substring(NETWORK.length()), subject));
      return users.anonymous;
    }
    if (user.startsWith(SESSION)) {
      throw none(
          "user",
          subject,
          "another subject: of a session nothing is kept that its counter could be found by");
    }
    if (user.isEmpty() || user.indexOf('!') >= 0 || user.indexOf('|') >= 0) {
      throw none("user", subject, "CALLER/USER or CALLER/USER!writes");
    }
    String name = SubjectText.plain(user);
    plan.requester.user(UserKind.NAMED, name);
    QuotaSteps line =
        caller.users.isEmpty()
            ? null
            : caller.users.find(name, plan.requester.userHash1(), plan.requester.userHash2());
    return line == null ? unnamed : line;
  }

  private static String address(String text, String suffix, String subject) {
    String literal =
        text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
    String counted = ClientAddress.counted(literal);
    if (counted.equals(ClientAddress.UNKNOWN) && !text.equals(ClientAddress.UNKNOWN)) {
      throw none("user", subject, "an address after `ip:`, such as `app-a/ip:192.0.2.1`");
    }
    return counted;
  }

  private static String network(String text, String subject) {
    int slash = text.indexOf('/');
    String counted = ClientAddress.network(slash < 0 ? text : text.substring(0, slash));
    if (counted.equals(ClientAddress.UNKNOWN) && !text.equals(ClientAddress.UNKNOWN)) {
      throw none("user", subject, "a network after `net:`, such as `app-a/net:192.0.2.0/24`");
    }
    return counted;
  }

  private void api(String subject) {
    policy.groups.forEach(
        group -> add(subject.equals("group:" + group.quota().name) ? group.quota() : null));
    for (ApiPlan api : policy.namedApis) {
      add(subject.equals(api.name) ? api.own : null);
      perCaller(api, subject);
    }
    policy.unmatched.forEach(api -> perCaller(api, subject));
    for (ApiPlan api : policy.namedApis) {
      String user = after(subject, api.name);
      int slash = user == null ? -1 : user.indexOf('/');
      if (user != null && slash > 0 && slash < user.length() - 1) {
        perUser(api, user.substring(0, slash), user.substring(slash + 1), subject);
      }
    }
    callersOwn(subject);
  }

  private void perCaller(ApiPlan api, String subject) {
    String caller = after(subject, api.name);
    if (caller != null && caller.indexOf('/') < 0) {
      callerPlan(caller, subject);
      QuotaSteps own = api.own;
      add(own != null && own.kind == SubjectKind.UNMATCHED ? own : null);
      add(api.perCaller);
    }
  }

  private void perUser(ApiPlan api, String callerText, String userText, String subject) {
    ofUser(userText, callerPlan(callerText, subject), subject);
    add(api.perUser);
    addOthers(SubjectKind.PER_USER, api.name);
    if (plan.requester.isNamed()) {
      plan.requester.user(UserKind.UNPROVEN, plan.requester.userName());
      addOthers(SubjectKind.PER_USER, api.name);
    }
  }

  private void callersOwn(String subject) {
    int bar = subject.indexOf('|');
    if (bar > 0 && subject.indexOf('/') > bar) {
      String name = subject.substring(bar + 1);
      CallerPlan caller = callerPlan(subject.substring(0, bar), subject);
      for (QuotaSteps quota : caller.apiQuotas) {
        add(quota.name.equals(name) ? quota : null);
      }
    }
  }

  /** What follows a name and a bar; null where the text does not begin so. */
  private static @Nullable String after(String subject, String name) {
    return subject.length() > name.length() + 1
            && subject.startsWith(name)
            && subject.charAt(name.length()) == '|'
        ? subject.substring(name.length() + 1)
        : null;
  }

  private void add(@Nullable QuotaSteps quota) {
    if (quota == null) {
      return;
    }
    if (quota.isBlocked()) {
      plan.add(quota);
      return;
    }
    for (Step step : quota.steps) {
      add(step);
    }
    applying = plan.size();
  }

  private void addOthers(SubjectKind kind, String name) {
    for (Step step : policy.steps()) {
      if (step.kind() == kind && step.name().equals(name)) {
        add(step);
      }
    }
  }

  /** Adds a limit, unless its counter was found with the same figures before. */
  private void add(Step step) {
    plan.add(step);
    int last = plan.size() - 1;
    Algorithm algorithm = step.algorithm();
    String figures = algorithm instanceof WordAlgorithm word ? word.figures() : algorithm.shape();
    if (!found.add(new Found(plan.key1(last), plan.key2(last), figures))) {
      plan.removeLast();
    }
  }

  private static IllegalArgumentException none(String layer, String subject, String advice) {
    String quoted = subject.length() > 200 ? subject.substring(0, 200) + "…" : subject;
    return new IllegalArgumentException(
        "`" + quoted + "` is no subject of the " + layer + " layer; write " + advice);
  }
}
