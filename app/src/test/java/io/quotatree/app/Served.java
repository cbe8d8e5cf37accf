package io.quotatree.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The program at work by a quota file of the test, and what its metrics say. */
final class Served implements AutoCloseable {

  private static final int LOOKS = 2_000;
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final HttpClient client = HttpClient.newHttpClient();
  private final Program program;
  private final URI gateway;
  private final URI admin;

  private Served(Program program) {
    this.program = program;
    gateway = URI.create(program.says("gateway +(https?://\\S+)").group(1));
    admin = URI.create(program.says("admin +(http://[^/]+)/healthz").group(1));
  }

  /** Starts it in a folder, with this text as its file. */
  static Served in(Path folder, String file) {
    try {
      Files.writeString(folder.resolve("quotatree.yaml"), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Served(Program.startIn(folder, "serve", "quotatree.yaml"));
  }

  URI gateway() {
    return gateway;
  }

  /** An address below the gateway's. */
  String at(String path) {
    return gateway.resolve(path).toString();
  }

  /** The figure of one series, 0 where there is none yet. */
  long metric(String series) {
    return page()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  private String page() {
    try {
      return client
          .send(
              HttpRequest.newBuilder(admin.resolve("/metrics")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until nothing is under way. */
  void awaitQuiet() {
    for (int i = 0; i < LOOKS; i++) {
      String page = page();
      if (page.contains("\nquotatree_in_flight 0.0\n")) {
        return;
      }
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }
    throw new AssertionError("requests stay under way: " + metric("quotatree_in_flight"));
  }

  @Override
  public void close() {
    program.close();
  }
}
