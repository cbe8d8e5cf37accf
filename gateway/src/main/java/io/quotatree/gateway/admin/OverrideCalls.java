package io.quotatree.gateway.admin;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.policy.overlay.Overlay;
import io.quotatree.core.policy.overlay.Overlay.Change;
import io.quotatree.core.policy.overlay.OverridePlace;
import io.quotatree.core.policy.overlay.OverrideStoreException;
import io.quotatree.core.policy.overlay.Overrides;
import io.quotatree.core.policy.overlay.TimedOverride;
import io.quotatree.gateway.calls.Asked;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.calls.CallException;
import io.quotatree.gateway.calls.CallTable;
import io.quotatree.http.Answer;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Problem;
import io.quotatree.quotafile.WrittenOverrides;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The calls under {@code /admin/v1/overrides}: quotas that operators set for a time. All of them
 * wait for the store of the overrides, on threads that may.
 */
public final class OverrideCalls {

  private static final String ALL = "/admin/v1/overrides";
  private static final String ONE = ALL + "/**";
  private static final int MOST_BODY_BYTES = 512 * 1024;

  private static final Call.Content BODY =
      new Call.Content(List.of("application/json"), MOST_BODY_BYTES, Call.Presence.REQUIRED);

  private final Overriding overriding;
  private final Operations operations;
  private final AuditTrail audit;

  private OverrideCalls(Overriding overriding, Operations operations, AdminHandler.Door door) {
    this.overriding = overriding;
    this.operations = operations;
    this.audit = new AuditTrail(operations.ticker(), door);
  }

  /**
   * The calls.
   *
   * @param door who may come in, as the audit tells it
   */
  public static List<Call> of(
      Overriding overriding, Operations operations, AdminHandler.Door door) {
    OverrideCalls calls = new OverrideCalls(overriding, operations, door);
    return List.of(
        Call.get(ALL, calls::all).onWorker(),
        Call.put(ALL, calls::put).taking(BODY).onWorker(),
        Call.get(ONE, calls::one).onWorker(),
        Call.delete(ONE, calls::end).onWorker());
  }

  private Answer all(Asked asked) {
    asked.knowsOnly();
    Optional<String> problem = look();
    Overrides known = overriding.overlay().known();
    JsonObject body =
        new JsonObject().put("revision", known.revision()).put("overrides", jsonOf(known.all()));
    problem.ifPresent(text -> body.put("problem", text));
    return answer(body, problem, known.revision());
  }

  private Answer one(Asked asked) {
    asked.knowsOnly();
    OverridePlace place = placeOf(asked.rest());
    Optional<String> problem = look();
    Overrides known = overriding.overlay().known();
    JsonObject body = json(find(known, place));
    problem.ifPresent(text -> body.put("problem", text));
    return answer(body, problem, known.revision());
  }

  /**
   * What is known may be old where the store does not answer: then it can be no ground to change.
   */
  private static Answer answer(JsonObject body, Optional<String> problem, long revision) {
    return problem.isPresent() ? CallTable.json(200, body) : tagged(body, revision);
  }

  private static Answer tagged(JsonObject body, long revision) {
    return new Answer(
        200,
        List.of(
            new HeaderField("Content-Type", "application/json"),
            new HeaderField("ETag", IfMatch.tag(revision))),
        body.encode());
  }

  /** Takes over what others changed; where that cannot be seen, answers why. */
  private Optional<String> look() {
    try {
      if (overriding.overlay().look().isPresent()) {
        overriding.apply().run();
      }
      return Optional.empty();
    } catch (OverrideStoreException e) {
      return Optional.of("what others changed meanwhile is not known: " + e.getMessage());
    }
  }

  private Answer put(Asked asked) {
    asked.knowsOnly();
    // Whatever else YAML can say, this is JSON.
    Object unused = asked.json();
    WrittenOverrides.Read read =
        WrittenOverrides.read(asked.body().getBytes(), operations.running().get().file());
    if (read instanceof WrittenOverrides.Read.Faulty faulty) {
      return Problem.listing(422, "no override was set: there are errors", texts(faulty.errors()));
    }
    WrittenOverrides.Read.Sound sound = (WrittenOverrides.Read.Sound) read;
    String who = audit.who(asked);
    Change change = changed(() -> overriding.overlay().set(sound.wanted(), IfMatch.of(asked), who));
    List<TimedOverride> set = new ArrayList<>();
    for (Overlay.Wanted wanted : sound.wanted()) {
      OverridePlace place = wanted.place();
      change.after().find(place.layer(), place.subject()).ifPresent(set::add);
      note(change, place, who, wanted.reason());
    }
    return tagged(
        new JsonObject()
            .put("revision", change.after().revision())
            .put("overrides", jsonOf(set))
            .put("warnings", new JsonArray(texts(sound.warnings()))),
        change.after().revision());
  }

  private Answer end(Asked asked) {
    asked.knowsOnly("reason");
    OverridePlace place = placeOf(asked.rest());
    String why = asked.parameter("reason").orElse("");
    if (why.length() > TimedOverride.MOST_REASON_CHARS) {
      throw CallException.of(
          400,
          "`reason` has "
              + why.length()
              + " characters; write "
              + TimedOverride.MOST_REASON_CHARS
              + " at most");
    }
    Change change =
        changed(() -> overriding.overlay().end(place.layer(), place.subject(), IfMatch.of(asked)));
    TimedOverride ended = find(change.before(), place);
    note(change, place, audit.who(asked), why);
    return tagged(
        new JsonObject().put("revision", change.after().revision()).put("ended", json(ended)),
        change.after().revision());
  }

  /** Something that changes overrides, unless they have another revision by now. */
  private interface Changing {
    Optional<Change> change() throws OverrideStoreException;
  }

  private Change changed(Changing changing) {
    try {
      Optional<Change> change = changing.change();
      if (change.isPresent()) {
        overriding.apply().run();
        return change.get();
      }
    } catch (OverrideStoreException e) {
      throw new CallException(Problem.unavailable(String.valueOf(e.getMessage())));
    } catch (IllegalArgumentException e) {
      throw CallException.of(422, String.valueOf(e.getMessage()));
    }
    throw CallException.of(
        412, "somebody else changed the overrides; GET " + ALL + " tells their ETag now");
  }

  private void note(Change change, OverridePlace place, String who, String why) {
    audit.note(
        new AuditTrail.Change(
            who,
            "override of " + place.layer().word() + " " + place.subject(),
            change
                .before()
                .find(place.layer(), place.subject())
                .map(OverrideAudit::facts)
                .orElse(null),
            change
                .after()
                .find(place.layer(), place.subject())
                .map(OverrideAudit::facts)
                .orElse(null),
            why));
  }

  private static TimedOverride find(Overrides overrides, OverridePlace place) {
    return overrides
        .find(place.layer(), place.subject())
        .orElseThrow(
            () ->
                CallException.of(
                    404,
                    "there is no override of "
                        + place.layer().word()
                        + " "
                        + place.subject()
                        + "; GET "
                        + ALL
                        + " lists all"));
  }

  private JsonArray jsonOf(List<TimedOverride> overrides) {
    JsonArray all = new JsonArray();
    overrides.forEach(one -> all.add(json(one)));
    return all;
  }

  private JsonObject json(TimedOverride override) {
    Optional<String> idle =
        overriding.idle().get().stream()
            .filter(one -> one.override().equals(override))
            .map(Overlay.Idle::why)
            .findFirst();
    JsonObject json = OverrideAudit.facts(override).put("in_force", idle.isEmpty());
    idle.ifPresent(why -> json.put("why_not", why));
    return json;
  }

  /** The place that {@code LAYER/SUBJECT} names, its subject percent-encoded where it has to be. */
  private static OverridePlace placeOf(String rest) {
    int slash = rest.indexOf('/');
    if (slash < 0 || slash == rest.length() - 1) {
      throw CallException.of(
          404, "write " + ALL + "/LAYER/SUBJECT, such as " + ALL + "/caller/app-a");
    }
    Layer layer = AdminCalls.layer(rest.substring(0, slash), "`" + rest.substring(0, slash) + "`");
    try {
      return OverridePlace.of(layer, decoded(rest.substring(slash + 1)));
    } catch (IllegalArgumentException e) {
      throw CallException.of(400, String.valueOf(e.getMessage()));
    }
  }

  /** A part of a path, each %XX being a byte of it. */
  private static String decoded(String part) {
    ByteBuffer bytes = ByteBuffer.allocate(part.length() * 4);
    for (int i = 0; i < part.length(); i++) {
      char c = part.charAt(i);
      if (c == '%') {
        int high = i + 2 < part.length() ? Character.digit(part.charAt(i + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(part.charAt(i + 2), 16);
        if (low < 0) {
          throw new IllegalArgumentException(
              "in the path a `%` needs two hexadecimal digits after it; itself it is `%25`");
        }
        bytes.put((byte) (high << 4 | low));
        i += 2;
      } else {
        bytes.put(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          "the subject in the path is no UTF-8; write its bytes percent-encoded", e);
    }
  }

  private static List<String> texts(List<?> problems) {
    return problems.stream().map(String::valueOf).toList();
  }
}
