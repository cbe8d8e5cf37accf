package io.quotatree.bench.gateway;

import io.quotatree.bench.measure.Middle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Requests that pass each proxy by the second, and the CPU time that each takes for one.
 *
 * <p>The same upstream stands behind all. A proxy is warmed by a number of requests, and then has
 * turns of a few seconds; ratios are those within a round.
 */
public final class GatewayBench {

  static final String OURS = "quotatree";
  static final String COUNTED = "quotatree, OPTIONS that are counted";
  static final String FREE = "quotatree, OPTIONS that are not";

  private static final double MICROS = 1_000_000;

  private final Plan plan;
  private final Consumer<String> progress;
  private final Map<String, List<Turn>> turns = new LinkedHashMap<>();
  private final List<Server> running = new ArrayList<>();

  /**
   * How much is measured, and of what.
   *
   * @param rounds turns of each
   * @param turnSeconds how long each turn is
   * @param warming requests of each before anything is measured
   * @param seed of the order of turns
   * @param programs what is measured
   */
  public record Plan(int rounds, int turnSeconds, long warming, long seed, Programs programs) {}

  /**
   * Where the proxies are found, each of which runs in a process of its own.
   *
   * @param launcher the script that starts our program
   * @param spring the jar of Spring Cloud Gateway
   * @param classPath where the plain proxies are found
   */
  public record Programs(Path launcher, Path spring, String classPath) {}

  /** A proxy under one kind of requests. */
  private record Entrant(String name, Server server, Load load) {}

  /** What came of a turn. */
  record Turn(double perSecond, double cpuMicros) {}

  /** A bench that tells its progress. */
  public GatewayBench(Plan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /** Measures all. */
  public GatewayTable run() {
    Path folder = folder();
    try {
      measure(entrants(folder), folder);
      return new GatewayTable(turns);
    } finally {
      running.forEach(Server::close);
      remove(folder);
    }
  }

  private List<Entrant> entrants(Path folder) {
    Server service = kept(Nginx.service(folder.resolve("service"), Server.freePort()));
    int behind = service.port();
    Server ours = kept(quotatree(folder, Server.freePort(), behind));
    Server nginx = kept(Nginx.proxy(folder.resolve("proxy"), Server.freePort(), behind));
    Server vertx = kept(plain(PlainVertx.class, folder, behind));
    Server netty = kept(plain(PlainNetty.class, folder, behind));
    Server spring = kept(spring(folder, Server.freePort(), behind));
    return List.of(
        new Entrant(OURS, ours, Load.CALL),
        new Entrant("nginx", nginx, Load.CALL),
        new Entrant("vertx-http-proxy", vertx, Load.CALL),
        new Entrant("netty", netty, Load.CALL),
        new Entrant("spring-cloud-gateway", spring, Load.CALL),
        new Entrant(COUNTED, ours, Load.COUNTED),
        new Entrant(FREE, ours, Load.FREE));
  }

  private Server kept(Server server) {
    running.add(server);
    return server;
  }

  private Server quotatree(Path folder, int port, int service) {
    try {
      Path file =
          Files.writeString(
              folder.resolve("quotas.yaml"), FourLayers.file(port, Server.freePort(), service));
      return Server.start(
          new ProcessBuilder(plan.programs().launcher().toString(), "serve", file.toString()),
          port,
          folder.resolve("quotatree.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Server spring(Path folder, int port, int service) {
    return Server.start(
        new ProcessBuilder(
            java(),
            "-jar",
            plan.programs().spring().toString(),
            "--server.port=" + port,
            "--service=" + service),
        port,
        folder.resolve("spring.log"));
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private Server plain(Class<?> proxy, Path folder, int service) {
    int port = Server.freePort();
    return Server.start(
        new ProcessBuilder(
            java(),
            "-cp",
            plan.programs().classPath(),
            proxy.getName(),
            Integer.toString(port),
            Integer.toString(service)),
        port,
        folder.resolve(proxy.getSimpleName() + ".log"));
  }

  private void measure(List<Entrant> entrants, Path folder) {
    for (Entrant entrant : entrants) {
      turns.put(entrant.name(), new ArrayList<>());
      progress.accept("warming " + entrant.name());
      warm(entrant, folder);
    }
    Random random = new Random(plan.seed());
    for (int round = 1; round <= plan.rounds(); round++) {
      List<Entrant> order = new ArrayList<>(entrants);
      Collections.shuffle(order, random);
      for (Entrant entrant : order) {
        turns.getOrDefault(entrant.name(), new ArrayList<>()).add(turn(entrant, folder));
      }
      progress.accept("round " + round + " of " + plan.rounds() + standing());
    }
  }

  private void warm(Entrant entrant, Path folder) {
    long sent = 0;
    while (sent < plan.warming()) {
      sent += entrant.load().send(entrant.server().port(), plan.turnSeconds(), folder).requests();
    }
  }

  private Turn turn(Entrant entrant, Path folder) {
    double before = entrant.server().cpuSeconds();
    Load.Answered answered =
        entrant.load().send(entrant.server().port(), plan.turnSeconds(), folder);
    double used = entrant.server().cpuSeconds() - before;
    return new Turn(answered.perSecond(), used / answered.requests() * MICROS);
  }

  /** How things stand against nginx, for whoever waits. */
  private String standing() {
    Middle ratio = new GatewayTable(turns).requestsRatio("nginx");
    return String.format(Locale.ROOT, ": %.2f of nginx", ratio.median());
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("quotatree-bench");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
