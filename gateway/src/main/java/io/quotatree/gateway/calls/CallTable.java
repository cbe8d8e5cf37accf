package io.quotatree.gateway.calls;

import io.quotatree.gateway.proxy.AnswerWriter;
import io.quotatree.http.Answer;
import io.quotatree.http.HeaderField;
import io.quotatree.http.Problem;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers an HTTP API by its table of calls. Who may call was looked at before.
 *
 * <p>A body is read whole before its call's action runs, up to the call's bound. Lives on one event
 * loop.
 */
public final class CallTable implements Handler<HttpServerRequest> {

  private static final Logger log = LoggerFactory.getLogger(CallTable.class);

  private final Vertx vertx;
  private final AnswerWriter answers;
  private final Map<String, List<Call>> byPath = new LinkedHashMap<>();

  /**
   * A table.
   *
   * @throws IllegalArgumentException if two calls have one method and path
   */
  public CallTable(Vertx vertx, AnswerWriter answers, List<Call> calls) {
    this.vertx = vertx;
    this.answers = answers;
    for (Call call : calls) {
      List<Call> there = byPath.computeIfAbsent(call.path(), path -> new ArrayList<>(1));
      if (there.stream().anyMatch(other -> other.method().equals(call.method()))) {
        throw new IllegalArgumentException(
            call.method() + " " + call.path() + " is there twice: keep one");
      }
      there.add(call);
    }
  }

  /** An answer in JSON. */
  public static Answer json(int status, JsonObject body) {
    return new Answer(
        status, List.of(new HeaderField("Content-Type", "application/json")), body.encode());
  }

  @Override
  public void handle(HttpServerRequest request) {
    List<Call> here = at(String.valueOf(request.path()));
    if (here.isEmpty()) {
      answers.send(request, Problem.of(404, "here are " + String.join(", ", byPath.keySet())));
      return;
    }
    String method = request.method().name();
    for (Call call : here) {
      if (call.method().equals(method) || (call.method().equals("GET") && method.equals("HEAD"))) {
        take(request, call);
        return;
      }
    }
    answers.send(request, notAllowed(request.path(), here));
  }

  private List<Call> at(String path) {
    List<Call> exact = byPath.get(path);
    if (exact != null) {
      return exact;
    }
    for (List<Call> calls : byPath.values()) {
      if (!rest(calls.get(0), path).isEmpty()) {
        return calls;
      }
    }
    return List.of();
  }

  private static String rest(Call call, @Nullable String path) {
    return call.beginning()
        .filter(beginning -> path != null && path.startsWith(beginning))
        .map(beginning -> String.valueOf(path).substring(beginning.length()))
        .orElse("");
  }

  private static Answer notAllowed(String path, List<Call> here) {
    TreeSet<String> methods = new TreeSet<>();
    for (Call call : here) {
      methods.add(call.method());
      if (call.method().equals("GET")) {
        methods.add("HEAD");
      }
    }
    String allowed = String.join(", ", methods);
    return Problem.of(405, path + " takes " + allowed, new HeaderField("Allow", allowed));
  }

  private void take(HttpServerRequest request, Call call) {
    if (!isQueryReadable(request)) {
      answers.send(
          request,
          Problem.of(
              400, "in the query a `%` needs two hexadecimal digits after it; write %25 for it"));
      return;
    }
    if (call.content().types().isEmpty()) {
      run(
          request,
          call,
          new Asked(
              rest(call, request.path()),
              request.headers(),
              request.params(),
              "",
              Buffer.buffer(),
              from(request),
              () -> request.response().closed()));
      return;
    }
    String said = request.getHeader("Content-Type");
    String type = said == null ? "" : mediaType(said);
    boolean bare =
        type.isEmpty() && !hasBody(request) && call.content().presence() == Call.Presence.OPTIONAL;
    // A web page cannot send these types without asking first, and nobody here answers it.
    if (!bare && !call.content().types().contains(type)) {
      answers.send(
          request,
          Problem.of(
              415, "Content-Type may only be " + String.join(" or ", call.content().types())));
      return;
    }
    new BodyReader(
            vertx,
            request,
            call.content().maxBytes(),
            body -> {
              if (body.length() == 0 && call.content().presence() == Call.Presence.REQUIRED) {
                answers.send(request, Problem.of(400, "the body is empty; write it"));
              } else {
                run(
                    request,
                    call,
                    new Asked(
                        rest(call, request.path()),
                        request.headers(),
                        request.params(),
                        type,
                        body,
                        from(request),
                        () -> request.response().closed()));
              }
            },
            refusal -> answers.send(request, refusal))
        .begin();
  }

  /** It is read here for the first time; the library says so only when it is. */
  private static boolean isQueryReadable(HttpServerRequest request) {
    try {
      request.params();
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean hasBody(HttpServerRequest request) {
    String length = request.getHeader("Content-Length");
    return request.headers().contains("Transfer-Encoding")
        || (length != null && !length.equals("0"));
  }

  private static String mediaType(String field) {
    int end = field.indexOf(';');
    return (end < 0 ? field : field.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private static String from(HttpServerRequest request) {
    SocketAddress peer = request.remoteAddress();
    String address = peer == null ? null : peer.hostAddress();
    return address == null ? "" : address;
  }

  private void run(HttpServerRequest request, Call call, Asked asked) {
    Call.Work work = call.work();
    if (work instanceof Call.Work.OnLoop onLoop) {
      answers.send(request, answer(call, () -> onLoop.action().answer(asked)));
    } else if (work instanceof Call.Work.OnWorker onWorker) {
      vertx
          .executeBlocking(() -> answer(call, () -> onWorker.action().answer(asked)), false)
          .onSuccess(answer -> answers.send(request, answer))
          .onFailure(never -> log.error("{} {}: not answered", call.method(), call.path(), never));
    } else if (work instanceof Call.Work.Later later) {
      later(later.asking(), asked)
          .onComplete(
              answer -> answers.send(request, answer),
              failure -> answers.send(request, failed(call, failure)));
    }
  }

  private static Future<Answer> later(Call.Asking asking, Asked asked) {
    try {
      return asking.answer(asked);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private static Answer answer(Call call, Supplier<Answer> answering) {
    try {
      return answering.get();
    } catch (RuntimeException e) {
      return failed(call, e);
    }
  }

  private static Answer failed(Call call, Throwable failure) {
    if (failure instanceof CallException told) {
      return told.answer();
    }
    log.error("{} {}: a mistake in the gateway", call.method(), call.path(), failure);
    return Problem.of(500, "the gateway made a mistake; see its log");
  }
}
