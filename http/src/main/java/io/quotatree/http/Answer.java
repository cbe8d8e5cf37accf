package io.quotatree.http;

import java.util.List;
import java.util.Objects;

/**
 * An answer that is given in the upstream's place.
 *
 * @param status its HTTP status
 * @param fields its header fields, {@code Content-Type} among them; no name occurs twice
 * @param body its content, to be sent as UTF-8; empty for none
 */
public record Answer(int status, List<HeaderField> fields, String body) {

  /** Copies the list. */
  public Answer {
    fields = List.copyOf(fields);
    Objects.requireNonNull(body, "body");
  }

  /** This answer to a request of the given method: HEAD has no body. */
  public Answer to(String method) {
    return method.equals("HEAD") ? new Answer(status, fields, "") : this;
  }
}
