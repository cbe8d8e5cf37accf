package io.quotatree.gateway.admin;

import io.quotatree.core.limit.Layer;
import io.quotatree.core.limit.LimitState;
import io.quotatree.core.limit.Wait;
import io.quotatree.core.policy.BadPathException;
import io.quotatree.core.policy.Request;
import io.quotatree.gateway.calls.Asked;
import io.quotatree.gateway.calls.Call;
import io.quotatree.gateway.calls.CallException;
import io.quotatree.gateway.calls.CallTable;
import io.quotatree.gateway.calls.JsonFields;
import io.quotatree.http.Answer;
import io.quotatree.http.Problem;
import io.quotatree.quotafile.Difference;
import io.quotatree.quotafile.Explanation;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import io.quotatree.quotafile.Reload;
import io.quotatree.quotafile.RunningQuotas;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The calls under {@code /admin/v1}: what operators look at, and what they change. */
public final class AdminCalls {

  private static final int MOST_CHARS = 1_000;
  private static final int MOST_FILE_BYTES = 16_000_000;
  private static final String YAML = "application/yaml";

  private static final Call.Content FILE_TEXT =
      new Call.Content(List.of(YAML, "application/json"), MOST_FILE_BYTES, Call.Presence.REQUIRED);

  private final Operations operations;
  private final AuditTrail audit;

  private AdminCalls(Operations operations, AdminHandler.Door door) {
    this.operations = operations;
    this.audit = new AuditTrail(operations.ticker(), door);
  }

  /**
   * The calls.
   *
   * @param door who may come in, as the audit tells it
   */
  public static List<Call> of(Operations operations, AdminHandler.Door door) {
    AdminCalls calls = new AdminCalls(operations, door);
    return List.of(
        Call.get("/admin/v1/quotas", calls::quotas).onWorker(),
        Call.get("/admin/v1/usage", calls::usage).onWorker(),
        Call.post("/admin/v1/explain", calls::explain),
        Call.post("/admin/v1/reset", calls::reset).onWorker(),
        Call.post("/admin/v1/reload", calls::reload).withOptionalBody().onWorker(),
        Call.post("/admin/v1/check", calls::check).taking(FILE_TEXT).onWorker());
  }

  private Answer quotas(Asked asked) {
    asked.knowsOnly();
    Operations.Running running = operations.running().get();
    JsonObject body =
        new JsonObject()
            .put("file", running.file().name())
            .put("node_id", running.nodeId())
            .put("revision", running.revision())
            .put("loaded_at", running.loadedAt().toString());
    RunningQuotas.of(running.quotas()).forEach(body::put);
    return CallTable.json(200, body);
  }

  private Answer usage(Asked asked) {
    asked.knowsOnly("layer", "subject");
    Layer layer = layer(asked.parameter("layer").orElse(""), "the parameter `layer`");
    String subject =
        asked
            .parameter("subject")
            .filter(text -> !text.isEmpty())
            .orElseThrow(
                () ->
                    CallException.of(
                        400, "the parameter `subject` is left out; write `subject=app-a`"));
    return CallTable.json(
        200,
        new JsonObject()
            .put("layer", layer.word())
            .put("subject", subject)
            .put("limits", limits(layer, subject)));
  }

  private JsonArray limits(Layer layer, String subject) {
    JsonArray limits = new JsonArray();
    try {
      operations.limiter().peek(layer, subject).forEach(state -> limits.add(limit(state)));
    } catch (IllegalArgumentException e) {
      throw CallException.of(400, String.valueOf(e.getMessage()));
    } catch (IllegalStateException e) {
      throw new CallException(Problem.unavailable(String.valueOf(e.getMessage())));
    }
    return limits;
  }

  private static JsonObject limit(LimitState state) {
    JsonObject limit = figures(state);
    state.origin().until().ifPresent(until -> limit.put("until", until.toString()));
    return limit;
  }

  private static JsonObject figures(LimitState state) {
    return new JsonObject()
        .put("limit", state.text())
        .put("algorithm", state.algorithm())
        .put("permits", state.limitPermits())
        .put("capacity", state.capacityPermits())
        .put("used", state.usedPermits())
        .put("remaining", state.remainingPermits())
        .put("effective_limit", state.limitPermits())
        .put("reset_ms", state.reset().millis())
        .put("retry_after_ms", millisOrNull(state.retryAfter()))
        .put("written_at", state.origin().place())
        .put("line", state.origin().line())
        .put("column", state.origin().column());
  }

  private static @Nullable Long millisOrNull(Wait wait) {
    return wait.never() ? null : (Long) wait.millis();
  }

  static Layer layer(String word, String place) {
    return Arrays.stream(Layer.values())
        .filter(layer -> layer.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                CallException.of(
                    400,
                    place
                        + " is no layer; write one of "
                        + Arrays.stream(Layer.values())
                            .map(Layer::word)
                            .collect(Collectors.joining(", "))));
  }

  private Answer explain(Asked asked) {
    JsonFields fields = asked.fields("caller", "user", "unproven", "plan", "method", "path", "ip");
    Request request =
        new Request(
            fields.text("caller", MOST_CHARS).orElse(""),
            fields.text("user", MOST_CHARS).orElse(""),
            fields.flag("unproven").orElse(false) ? Request.Proof.UNPROVEN : Request.Proof.PROVEN,
            fields.text("plan", MOST_CHARS).orElse(""),
            fields.required("method", MOST_CHARS, "`\"GET\"`"),
            fields.required("path", MOST_CHARS, "`\"/user/info\"`"),
            null,
            fields.text("ip", MOST_CHARS).orElse(""),
            "");
    Operations.Running running = operations.running().get();
    try {
      Explanation explanation =
          Explanation.of(running.file(), operations.limiter().policy(), request);
      return CallTable.json(200, new JsonObject(explanation.asMap()));
    } catch (BadPathException e) {
      throw CallException.of(400, String.valueOf(e.getMessage()));
    }
  }

  private int emptied(Layer layer, String subject) {
    try {
      return operations.limiter().reset(layer, subject);
    } catch (IllegalStateException e) {
      throw new CallException(Problem.unavailable(String.valueOf(e.getMessage())));
    }
  }

  private Answer reset(Asked asked) {
    JsonFields fields = asked.fields("layer", "subject", "reason");
    Layer layer = layer(fields.required("layer", MOST_CHARS, "`\"caller\"`"), "`layer`");
    String subject = fields.required("subject", MOST_CHARS, "`\"app-a\"`");
    String why = fields.text("reason", MOST_CHARS).orElse("");
    JsonArray before = limits(layer, subject);
    int emptied = emptied(layer, subject);
    JsonArray after = limits(layer, subject);
    audit.note(
        new AuditTrail.Change(
            audit.who(asked), "reset of " + layer.word() + " " + subject, before, after, why));
    return CallTable.json(
        200,
        new JsonObject()
            .put("layer", layer.word())
            .put("subject", subject)
            .put("emptied", emptied)
            .put("limits", after));
  }

  private Answer reload(Asked asked) {
    String why = asked.fields("reason").text("reason", MOST_CHARS).orElse("");
    Supplier<Reload> file =
        operations
            .reloading()
            .get()
            .orElseThrow(
                () -> CallException.of(409, "nothing to reload: it was started without a file"));
    long before = operations.running().get().revision();
    Reload reload = file.get();
    if (reload instanceof Reload.Refused refused) {
      return Problem.listing(
          422, "quotas are as they were: the file has errors", texts(refused.errors()));
    }
    Reload.Taken taken = (Reload.Taken) reload;
    long after = operations.running().get().revision();
    audit.note(
        new AuditTrail.Change(
            audit.who(asked),
            "reload",
            new JsonObject().put("revision", before),
            new JsonObject()
                .put("revision", after)
                .put("changes", new JsonArray(taken.difference().changes())),
            why));
    return CallTable.json(
        200,
        changes(taken.difference())
            .put("revision", after)
            .put("warnings", new JsonArray(texts(taken.warnings()))));
  }

  private static JsonObject changes(Difference difference) {
    return new JsonObject()
        .put("changes", new JsonArray(difference.changes()))
        .put("restart", new JsonArray(difference.restart()));
  }

  private Answer check(Asked asked) {
    QuotaFile running = operations.running().get().file();
    byte[] text =
        asked.mediaType().equals(YAML)
            ? asked.body().getBytes()
            : asked
                .fields("text")
                .required("text", MOST_FILE_BYTES, "the file's text")
                .getBytes(StandardCharsets.UTF_8);
    Reading reading = QuotaFiles.read(running.name(), text);
    if (reading instanceof Reading.Faulty faulty) {
      return CallTable.json(
          200,
          new JsonObject()
              .put("valid", false)
              .put("errors", new JsonArray(texts(faulty.errors())))
              .put("warnings", new JsonArray()));
    }
    Reading.Sound sound = (Reading.Sound) reading;
    return CallTable.json(
        200,
        changes(Difference.between(running, sound.file()))
            .put("valid", true)
            .put("errors", new JsonArray())
            .put("warnings", new JsonArray(texts(sound.warnings()))));
  }

  private static List<String> texts(List<?> problems) {
    return problems.stream().map(String::valueOf).toList();
  }
}
