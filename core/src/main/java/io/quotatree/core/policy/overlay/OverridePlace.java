package io.quotatree.core.policy.overlay;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Quota;
import io.quotatree.core.policy.ApiName;
import io.quotatree.core.policy.NodeLines;
import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.SubjectText;
import org.jspecify.annotations.Nullable;

/**
 * What an override is set for: a subject whose own quota can be another than that of its
 * neighbours.
 *
 * <p>These are {@code node}, {@code node@GATEWAY}, callers, named users of a caller, apis and
 * groups that the file names, and a caller on an api. All others (writes, retries, anonymous users,
 * per_caller, per_user, unmatched paths, addresses) have one quota for many subjects, and change
 * with the file.
 */
public sealed interface OverridePlace
    permits OverridePlace.Fleet,
        OverridePlace.Instance,
        CallerPlace,
        ApiPlace.Named,
        ApiPlace.OfGroup {

  /** What stands in a text for bytes that are no UTF-8. */
  char NO_CHARACTER = '\uFFFD';

  /** Its layer. */
  Layer layer();

  /** Its subject, as it is always written. */
  String subject();

  /**
   * The quota that a tree has for it; null for none.
   *
   * @throws IllegalArgumentException if the tree has no such place, with what to write instead
   */
  @Nullable Quota in(QuotaTree tree);

  /**
   * A tree with another quota there.
   *
   * @throws IllegalArgumentException if the tree has no such place, with what to write instead
   */
  QuotaTree with(QuotaTree tree, Quota quota);

  /**
   * The place of a subject.
   *
   * @param subject as decisions, answers and logs write it
   * @throws IllegalArgumentException if there is none that an override can be set for, with what to
   *     write instead
   */
  static OverridePlace of(Layer layer, String subject) {
    return switch (layer) {
      case NODE -> node(subject);
      case CALLER -> new CallerPlace.Itself(name(subject, layer, subject));
      case USER -> user(subject);
      case API -> api(subject);
    };
  }

  /**
   * One text for all spellings of a subject: of a caller's api the parameters' names say nothing.
   * Of what is no subject, the text itself.
   */
  static String spelledAlike(Layer layer, String subject) {
    int bar = subject.indexOf('|');
    if (layer != Layer.API || bar < 0) {
      return subject;
    }
    try {
      return subject.substring(0, bar + 1) + ApiName.parse(subject.substring(bar + 1)).canonical();
    } catch (IllegalArgumentException e) {
      return subject;
    }
  }

  private static OverridePlace node(String subject) {
    if (subject.equals("node")) {
      return new Fleet();
    }
    if (subject.startsWith("node@") && subject.length() > 5 && subject.indexOf('*') < 0) {
      return new Instance(subject.substring(5));
    }
    throw none(Layer.NODE, subject, "write `node`, or `node@` and a gateway's name");
  }

  private static OverridePlace user(String subject) {
    int slash = subject.indexOf('/');
    if (slash < 0) {
      throw none(Layer.USER, subject, "write CALLER/USER, such as `app-a/u1`");
    }
    String user = subject.substring(slash + 1);
    if (user.indexOf(':') >= 0 || user.equals(SubjectText.ANONYMOUS_POOL)) {
      throw none(
          Layer.USER,
          subject,
          "anonymous users share a quota: change `user.anonymous` in the file");
    }
    if (user.endsWith("!writes")) {
      throw none(Layer.USER, subject, "all users share it: change `user.writes` in the file");
    }
    return new CallerPlace.ItsUser(
        name(subject.substring(0, slash), Layer.USER, subject), name(user, Layer.USER, subject));
  }

  private static OverridePlace api(String subject) {
    if (subject.startsWith("group:")) {
      return new ApiPlace.OfGroup(subject.substring("group:".length()));
    }
    int bar = subject.indexOf('|');
    if (bar < 0) {
      return new ApiPlace.Named(apiName(subject, subject));
    }
    if (subject.lastIndexOf('/', bar) >= 0) {
      throw none(
          Layer.API,
          subject,
          "for one caller write CALLER|API, such as `app-a|POST /pay`; what all callers or users"
              + " have of an api is `per_caller` and `per_user` in the file");
    }
    return new CallerPlace.ItsApi(
        name(subject.substring(0, bar), Layer.API, subject),
        apiName(subject.substring(bar + 1), subject));
  }

  private static ApiName apiName(String text, String subject) {
    try {
      return ApiName.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "`"
              + shortened(subject)
              + "` is no subject of the api layer ("
              + e.getMessage()
              + "); write an api as the file does, `group:NAME` or CALLER|API",
          e);
    }
  }

  /** The name that a part of a subject stands for. */
  private static String name(String text, Layer layer, String subject) {
    String name = SubjectText.plain(text);
    if (name.isEmpty() || text.indexOf('/') >= 0 || text.indexOf('!') >= 0) {
      throw none(
          layer,
          subject,
          layer == Layer.USER
              ? "write CALLER/USER, such as `app-a/u1`"
              : "write a caller's name, such as `app-a`");
    }
    // What is no text would else become the name of somebody else.
    boolean isText = SubjectText.plain(SubjectText.escaped(name)).equals(name);
    if (!isText || name.indexOf(NO_CHARACTER) >= 0) {
      throw none(layer, subject, "a name is UTF-8, and so are its bytes that are written %XX");
    }
    if (name.indexOf('*') >= 0) {
      throw none(layer, subject, "a name that holds a `*` can have none; an override is for one");
    }
    return name;
  }

  /** What to throw of a subject that no override can be set for. */
  static IllegalArgumentException none(Layer layer, String subject, String advice) {
    return new IllegalArgumentException(
        "`"
            + shortened(subject)
            + "` is nothing that an override of the "
            + layer.word()
            + " layer can be set for; "
            + advice);
  }

  private static String shortened(String subject) {
    return subject.length() > 200 ? subject.substring(0, 200) + "…" : subject;
  }

  /** All gateways together. */
  record Fleet() implements OverridePlace {
    @Override
    public Layer layer() {
      return Layer.NODE;
    }

    @Override
    public String subject() {
      return "node";
    }

    @Override
    public @Nullable Quota in(QuotaTree tree) {
      return tree.node().fleet();
    }

    @Override
    public QuotaTree with(QuotaTree tree, Quota quota) {
      return tree.withNode(new NodeLines(quota, tree.node().instance(), tree.node().instances()));
    }
  }

  /** One gateway alone. */
  record Instance(String nodeId) implements OverridePlace {
    @Override
    public Layer layer() {
      return Layer.NODE;
    }

    @Override
    public String subject() {
      return "node@" + nodeId;
    }

    @Override
    public @Nullable Quota in(QuotaTree tree) {
      Quota own = Lines.of(tree.node().instances(), nodeId);
      return own == null ? tree.node().instance() : own;
    }

    @Override
    public QuotaTree with(QuotaTree tree, Quota quota) {
      NodeLines node = tree.node();
      return tree.withNode(
          new NodeLines(
              node.fleet(), node.instance(), Lines.with(node.instances(), nodeId, quota)));
    }
  }
}
