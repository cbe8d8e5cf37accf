package io.quotatree.gateway;

import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Many requests over one connection, sent in batches without waiting for answers in between, and
 * counted by what became of them.
 */
final class Crowd implements AutoCloseable {

  /** How many answers may be outstanding: they must fit the sockets' buffers. */
  private static final int BATCH = 100;

  private final RawHttp client;
  private final StringBuilder batch = new StringBuilder();
  private int batched;

  /** Answers so far, by what they were. */
  static final class Tally {
    int allowed;
    final TreeMap<String, Integer> refusedBy = new TreeMap<>();

    int refused() {
      return refusedBy.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  private final java.util.List<Tally> awaiting = new java.util.ArrayList<>();

  Crowd(RunningGateway gateway) {
    this.client = gateway.connect();
  }

  /** Sends one request; its answer goes to the given tally. */
  Crowd send(Tally tally, String method, String path, String... lines) {
    batch.append(method).append(' ').append(path).append(" HTTP/1.1\r\nHost: h\r\n");
    for (String line : lines) {
      batch.append(line).append("\r\n");
    }
    batch.append("\r\n");
    awaiting.add(tally);
    if (++batched == BATCH) {
      settle();
    }
    return this;
  }

  /** Waits for all answers. */
  Crowd settle() {
    client.send(batch.toString());
    batch.setLength(0);
    batched = 0;
    for (Tally tally : awaiting) {
      note(tally, client.reply());
    }
    awaiting.clear();
    return this;
  }

  private static void note(Tally tally, RawHttp.Reply reply) {
    switch (reply.status()) {
      case 200 -> tally.allowed++;
      case 429 -> tally.refusedBy.merge(reply.field("x-ratelimit-key"), 1, Integer::sum);
      default -> throw new AssertionError(reply.status() + " " + reply.body());
    }
  }

  /** Runs what may send, and waits for all answers. */
  static void of(RunningGateway gateway, Consumer<Crowd> sending) {
    try (Crowd crowd = new Crowd(gateway)) {
      sending.accept(crowd);
      crowd.settle();
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
