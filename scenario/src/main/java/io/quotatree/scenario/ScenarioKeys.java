package io.quotatree.scenario;

import io.quotatree.core.limit.Certainty;
import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.Rate;
import io.quotatree.core.policy.CanonicalPath;
import io.quotatree.quotafile.yaml.Durations;
import io.quotatree.quotafile.yaml.Fields;
import io.quotatree.quotafile.yaml.Key;
import io.quotatree.quotafile.yaml.Located;
import io.quotatree.quotafile.yaml.Section;
import io.quotatree.quotafile.yaml.Shape;
import io.quotatree.quotafile.yaml.Yaml;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every key that may stand in a scenario, with the shape of its value. */
final class ScenarioKeys {

  /** A scenario ends after this time at the latest. */
  static final Duration LONGEST = Duration.ofDays(36_500);

  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("2500-01-01T00:00:00Z");
  private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z0-9_-]{0,31}");
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f:.]{2,45}");

  private static final Shape<Duration> TIME = Durations.shape(Duration.ZERO, LONGEST);
  private static final Shape<String> NAME = Shape.text("a name", "`app-a`");

  /** Kept as it is written, for the reader of quota files. */
  private static final Shape<Yaml> QUOTAS_SECTION =
      Shape.kept(
          new Shape.Words("a mapping of quotas", "`{ caller: { default: 100/min } }`"),
          Map.of("type", "object"));

  // attributes
  static final Key<String> IP =
      Key.optional(
          "ip",
          Shape.text(
              new Shape.Words("an address", "`203.0.113.7`"),
              ADDRESS.pattern(),
              ScenarioKeys::address),
          "the client's address");
  static final Key<String> SESSION =
      Key.optional("session", Shape.text("a session", "`s-1`"), "what tells the client's session");
  private static final Section ATTRIBUTES = new Section("attributes", List.of(IP, SESSION));

  // send
  static final Key<String> CALLER = Key.optional("caller", NAME, "the calling application");
  static final Key<String> USER =
      Key.optional("user", Shape.text("a user", "`u1`"), "the caller's user");
  static final Key<Boolean> UNPROVEN =
      Key.optional("unproven", Shape.flag(), "whether the client made the user's id up");
  static final Key<String> PLAN =
      Key.optional("plan", Shape.text("a plan", "`vip`"), "the user's plan");
  static final Key<Api> API =
      Key.required(
          "api",
          Shape.text(
              new Shape.Words("a method and a path", "`GET /user/info`"),
              "^[A-Z]+ +/",
              ScenarioKeys::api),
          "the method and the path that is called");
  static final Key<Long> COST =
      Key.optional("cost", Shape.count(0, Rate.MAX_PERMITS), "the permits that each request takes");
  static final Key<Fields> ATTRIBUTE_FIELDS =
      Key.optional("attributes", ATTRIBUTES.shape(), "what else is known of the request");
  static final Key<Long> TIMES =
      Key.optional("times", Shape.count(1, Step.Send.MAX_TIMES), "how many equal requests");
  static final Key<Duration> EVERY =
      Key.optional("every", TIME, "the time between two of them; none: at the same instant");
  static final Key<String> ID =
      Key.optional("id", Shape.text("an id", "`job`"), "by which a later step releases them");
  static final Key<Boolean> HOLD =
      Key.optional("hold", Shape.flag(), "whether they keep their permits in flight");
  static final Key<String> INSTANCE =
      Key.optional("instance", Shape.text("a gateway", "`gw-1`"), "the gateway that takes them");
  private static final Section SEND =
      new Section(
          "send",
          List.of(
              API,
              CALLER,
              USER,
              UNPROVEN,
              PLAN,
              COST,
              ATTRIBUTE_FIELDS,
              TIMES,
              EVERY,
              ID,
              HOLD,
              INSTANCE));

  // expect
  static final Map<Aspect, Key<?>> ASPECTS = aspects();
  private static final Section EXPECT = new Section("expect", List.copyOf(ASPECTS.values()));

  // a step
  static final Key<Duration> AT = Key.optional("at", TIME, "the time since the start");
  static final Key<Fields> SEND_FIELDS = Key.optional("send", SEND.shape(), "sends requests");
  static final Key<Fields> EXPECT_FIELDS =
      Key.optional("expect", EXPECT.shape(), "what the requests must get");
  static final Key<String> RELEASE =
      Key.optional("release", Shape.text("an id", "`job`"), "ends the requests of that id");
  static final Key<Yaml> RELOAD =
      Key.optional("reload", QUOTAS_SECTION, "puts other quotas in force");
  static final Key<Duration> CLOCK =
      Key.optional(
          "clock",
          Shape.text(
              new Shape.Words("a time, back where it begins with `-`", "`-3s`"),
              "^[+-]?[0-9]",
              ScenarioKeys::signed),
          "steps the wall clock");
  private static final Section STEP =
      new Section("step", List.of(SEND_FIELDS, EXPECT_FIELDS, AT, RELEASE, RELOAD, CLOCK));

  static final Set<String> STEP_KEYS =
      STEP.keys().stream().map(Key::name).collect(Collectors.toUnmodifiableSet());

  // the file
  static final Key<String> TITLE =
      Key.optional("name", Shape.text("a name", "`a burst passes`"), "what the scenario shows");
  static final Key<Yaml> QUOTAS =
      Key.optional("quotas", QUOTAS_SECTION, "the quotas in force at the start");
  static final Key<String> FILE =
      Key.optional(
          "file",
          Shape.text("a file", "`../quotatree.yaml`"),
          "the quota file in force at the start, as seen from here");
  static final Key<Instant> START =
      Key.optional(
          "start",
          Shape.text(
              new Shape.Words("a moment", "`2026-01-01T00:00:00Z`"),
              "^[0-9]{4}-",
              ScenarioKeys::moment),
          "the wall time at the start");
  static final Key<List<Located<Fields>>> STEPS =
      Key.required("steps", Shape.list(STEP.shape(), 1), "what happens, in order of time");
  static final Section SCENARIO =
      new Section("scenario", List.of(TITLE, QUOTAS, FILE, START, STEPS));

  private ScenarioKeys() {}

  /**
   * A method and a path as a client sends them.
   *
   * @param path without query and fragment
   */
  record Api(String method, String path) {}

  private static Map<Aspect, Key<?>> aspects() {
    Map<Aspect, Key<?>> keys = new EnumMap<>(Aspect.class);
    for (Aspect aspect : Aspect.values()) {
      Shape<?> shape =
          switch (aspect.kind()) {
            case COUNT -> Shape.count(0, Rate.MAX_PERMITS);
            case LAYER -> words(Stream.of(Layer.values()).map(Layer::word));
            case TEXT -> Shape.text("a subject", "`app-a/u1`");
            case WAIT -> waiting(aspect);
            case CERTAINTY -> words(Stream.of(Certainty.values()).map(Certainty::word));
          };
      keys.put(aspect, Key.optional(aspect.word(), shape, aspect.doc()));
    }
    return keys;
  }

  private static Shape<String> words(Stream<String> words) {
    return Shape.choice(words.toList(), word -> word);
  }

  private static Shape<String> waiting(Aspect aspect) {
    boolean mayBeNever = aspect == Aspect.RETRY_AFTER;
    return Shape.text(
        mayBeNever
            ? new Shape.Words("a time, or `never`", "`100ms` or `never`")
            : new Shape.Words("a time", "`100ms`"),
        "^([0-9]+ ?[A-Za-z]+|never)$",
        text ->
            mayBeNever && text.equals(Aspect.NEVER)
                ? Aspect.NEVER
                : Durations.words(Durations.parse(text)));
  }

  private static Api api(String text) {
    String[] parts = text.trim().split("\\s+", 2);
    if (parts.length < 2 || !parts[1].startsWith("/")) {
      throw new IllegalArgumentException(
          "`" + text + "` is not a method and a path; write both, such as `GET /user/info`");
    }
    if (!METHOD.matcher(parts[0]).matches()) {
      throw new IllegalArgumentException(
          "`" + parts[0] + "` is not a method; write one in capitals, such as `GET`");
    }
    String path = parts[1].split("[?#]", 2)[0];
    try {
      CanonicalPath.of(path);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "`"
              + path
              + "` gets the answer 400 and no decision: "
              + e.getMessage()
              + "; write the path without it",
          e);
    }
    return new Api(parts[0], path);
  }

  private static String address(String text) {
    if (!ADDRESS.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` is not an address; write one, such as `203.0.113.7` or `\"2001:db8::1\"`");
    }
    return text;
  }

  private static Duration signed(String text) {
    boolean back = text.startsWith("-");
    Duration read = Durations.parse(back || text.startsWith("+") ? text.substring(1) : text);
    if (read.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "`" + text + "` is too far; write at most " + Durations.words(LONGEST));
    }
    return back ? read.negated() : read;
  }

  private static Instant moment(String text) {
    Instant read;
    try {
      read = OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "`"
              + text
              + "` is not a moment; write date, time and zone, such as `2026-01-01T00:00:00Z`",
          e);
    }
    if (read.isBefore(EARLIEST) || read.isAfter(LATEST)) {
      throw new IllegalArgumentException(
          "`" + text + "` is out of bounds; write " + EARLIEST + " to " + LATEST);
    }
    return read;
  }
}
