package io.quotatree.gateway.proxy;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.quotatree.http.Answer;
import io.quotatree.http.HeaderField;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Problem documents of any status, in the shape of those of {@link io.quotatree.http.Problem}. */
public final class Problems {

  private static final HeaderField CONTENT_TYPE =
      new HeaderField("Content-Type", "application/problem+json");

  private Problems() {}

  /**
   * A problem.
   *
   * @param message what is wrong and what to do instead; fit for the client
   * @param fields further header fields
   */
  public static Answer of(int status, String message, HeaderField... fields) {
    JsonObject body =
        new JsonObject()
            .put("type", "about:blank")
            .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
            .put("status", status)
            .put("code", status)
            .put("message", message);
    List<HeaderField> all = new ArrayList<>(List.of(fields));
    all.add(CONTENT_TYPE);
    return new Answer(status, all, body.encode());
  }
}
