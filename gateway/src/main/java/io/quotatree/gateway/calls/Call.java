package io.quotatree.gateway.calls;

import io.quotatree.http.Answer;
import io.vertx.core.Future;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One call of an HTTP API: a row of its table.
 *
 * @param method {@code GET}, which answers {@code HEAD} too, or another method
 * @param path the path, exactly; or, where it ends in {@code /**}, what the paths begin with that
 *     it takes and that no other row has exactly
 * @param content what may be sent with it
 * @param work what it does, and where
 */
public record Call(String method, String path, Content content, Work work) {

  /** The longest body of a call that says nothing else. */
  public static final int USUAL_BODY_BYTES = 64 * 1024;

  private static final String REST = "/**";

  private static final Content NOTHING = new Content(List.of(), 0, Presence.OPTIONAL);
  private static final Content JSON =
      new Content(List.of("application/json"), USUAL_BODY_BYTES, Presence.REQUIRED);

  /** Refuses missing parts. */
  public Call {
    Objects.requireNonNull(method, "method");
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(content, "content");
    Objects.requireNonNull(work, "work");
  }

  /**
   * What may be sent with a call.
   *
   * @param types the media types that are read; empty where no body is
   * @param maxBytes the longest body
   * @param presence whether there has to be one
   */
  public record Content(List<String> types, int maxBytes, Presence presence) {
    /** Copies the list. */
    public Content {
      types = List.copyOf(types);
    }
  }

  /** Whether a body has to be there. */
  public enum Presence {
    /** Without one the call is a 400. */
    REQUIRED,
    /** It may be left out. */
    OPTIONAL
  }

  /** What a call does, by where that happens. */
  public sealed interface Work {

    /** On the event loop: it is short and waits for nothing. */
    record OnLoop(Action action) implements Work {}

    /** On a thread that may be busy for a while. */
    record OnWorker(Action action) implements Work {}

    /** On the event loop, which goes on with other work until the answer is there. */
    record Later(Asking asking) implements Work {}
  }

  /** What a call does. */
  @FunctionalInterface
  public interface Action {
    /**
     * Answers a request.
     *
     * @throws CallException with the answer to a request that cannot be served
     */
    Answer answer(Asked asked);
  }

  /** What a call does whose answer may have to be waited for. */
  @FunctionalInterface
  public interface Asking {
    /**
     * Answers a request, now or later, on the event loop that it is called on.
     *
     * @throws CallException with the answer to a request that cannot be served; a future may fail
     *     with one too
     */
    Future<Answer> answer(Asked asked);
  }

  /** A call that reads, on the event loop. */
  public static Call get(String path, Action action) {
    return new Call("GET", path, NOTHING, new Work.OnLoop(action));
  }

  /** A call with a JSON body, on the event loop. */
  public static Call post(String path, Action action) {
    return new Call("POST", path, JSON, new Work.OnLoop(action));
  }

  /** A call without a body that ends something, on the event loop. */
  public static Call delete(String path, Action action) {
    return new Call("DELETE", path, NOTHING, new Work.OnLoop(action));
  }

  /** A call with a JSON body that puts something there, on the event loop. */
  public static Call put(String path, Action action) {
    return new Call("PUT", path, JSON, new Work.OnLoop(action));
  }

  /** What the paths begin with that it takes, the last slash included; empty for one path. */
  Optional<String> beginning() {
    return path.endsWith(REST)
        ? Optional.of(path.substring(0, path.length() - REST.length() + 1))
        : Optional.empty();
  }

  /** A call with a JSON body, whose answer may have to be waited for. */
  public static Call asking(String path, Asking asking) {
    return new Call("POST", path, JSON, new Work.Later(asking));
  }

  /** This call, on a thread that may be busy for a while. */
  public Call onWorker() {
    return work instanceof Work.OnLoop onLoop
        ? new Call(method, path, content, new Work.OnWorker(onLoop.action()))
        : this;
  }

  /** This call, with other content. */
  public Call taking(Content other) {
    return new Call(method, path, other, work);
  }

  /** This call, whose JSON body may be left out. */
  public Call withOptionalBody() {
    return taking(new Content(content.types(), content.maxBytes(), Presence.OPTIONAL));
  }
}
