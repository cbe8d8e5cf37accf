package io.quotatree.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One process takes the place of another on the same addresses, and no request is lost. */
@EnabledOnOs(OS.LINUX)
final class TakeoverTest {

  private static final int CLIENTS = 4;
  private static final int ANSWERED_BEFORE = 200;

  /** Connections that ask before the first of them is read: the backlog takes as many. */
  private static final int AT_A_TIME = 100;

  private static final long PATIENCE_NANOS = 60_000_000_000L;

  @TempDir private Path folder;

  private final DemoUpstream upstream = new DemoUpstream();
  private final List<Program> programs = new ArrayList<>();
  private final List<Thread> clients = new ArrayList<>();
  private final Queue<String> lost = new ConcurrentLinkedQueue<>();
  private final AtomicInteger answered = new AtomicInteger();
  private volatile boolean over;

  @AfterEach
  void stop() throws InterruptedException {
    over = true;
    for (Thread client : clients) {
      client.join();
    }
    programs.forEach(Program::close);
    upstream.close();
  }

  private static int freePort() {
    try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return any.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path file(int port, int admin) throws IOException {
    return Files.writeString(
        folder.resolve("quotatree.yaml"),
        """
        server: { listen: "127.0.0.1:%d", admin: "127.0.0.1:%d", node_id: gateway-01 }
        routes: [{ match: "/**", upstream: service }]
        upstreams: { service: { targets: ["%s"] } }
        quotas: { caller: { default: unlimited } }
        """
            .formatted(port, admin, upstream.uri()));
  }

  private Program serve(Path file) {
    Program program = Program.start("serve", file.toString());
    programs.add(program);
    program.says("api +");
    return program;
  }

  /** Asks again and again, each time on a connection of its own. */
  private void askOnNewConnections(int port) {
    while (!over) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream().write(request("close"));
        byte[] answer = socket.getInputStream().readAllBytes();
        note(new String(answer, ISO_8859_1));
      } catch (IOException e) {
        lost.add("a new connection: " + e);
      }
    }
  }

  /** Asks again and again on one connection, and opens another when it was told to. */
  private void askOnKeptConnections(int port) {
    while (!over) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
        while (!over && !askOnce(socket, in)) {
          LockSupport.parkNanos(1);
        }
      } catch (IOException e) {
        lost.add("a kept connection: " + e);
      }
    }
  }

  /** Whether the answer was the connection's last. */
  private boolean askOnce(Socket socket, BufferedReader in) throws IOException {
    socket.getOutputStream().write(request("keep-alive"));
    String status = in.readLine();
    boolean last = false;
    int length = 0;
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      String lower = line.toLowerCase(java.util.Locale.ROOT);
      last |= lower.equals("connection: close");
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring("content-length:".length()).strip());
      }
    }
    for (int i = 0; i < length; i++) {
      in.read();
    }
    note(String.valueOf(status));
    return last;
  }

  private void note(String answer) {
    if (answer.startsWith("HTTP/1.1 200 ")) {
      answered.incrementAndGet();
    } else {
      lost.add("answered `" + answer + "`");
    }
  }

  private static byte[] request(String connection) {
    return ("GET /a HTTP/1.1\r\nHost: h\r\nConnection: " + connection + "\r\n\r\n")
        .getBytes(ISO_8859_1);
  }

  private void client(Runnable asks) {
    Thread client = new Thread(asks);
    client.start();
    clients.add(client);
  }

  private static void eventually(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as(what).isLessThan(PATIENCE_NANOS);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void moreAnswers() {
    int before = answered.get();
    eventually("more answers", () -> answered.get() > before + ANSWERED_BEFORE);
  }

  @Test
  void a_second_process_takes_over_under_load_and_no_request_is_lost() throws IOException {
    int port = freePort();
    Path file = file(port, freePort());
    Program running = serve(file);
    for (int i = 0; i < CLIENTS; i++) {
      client(() -> askOnNewConnections(port));
      client(() -> askOnKeptConnections(port));
    }
    moreAnswers();
    for (int round = 0; round < 3; round++) {
      Program next = serve(file);
      moreAnswers();
      running.terminate();
      assertThat(running.exitCode()).isZero();
      assertThat(running.output()).endsWith("stopped");
      moreAnswers();
      running = next;
    }
    assertThat(lost).isEmpty();
  }

  @Test
  void the_second_says_that_it_is_not_alone() throws IOException {
    Path file = file(freePort(), freePort());
    serve(file);
    Program second = Program.start("serve", file.toString());
    programs.add(second);
    second.says("another process listens on .* too");
    second.says("api +");
  }

  @Test
  void ten_thousand_connections_that_ask_nothing_cost_little_and_others_are_served()
      throws Exception {
    int wanted = connectionsThatFit();
    assumeTrue(wanted >= 1_000, "the limit of open files leaves too few connections");
    int port = freePort();
    Program program = serve(file(port, freePort()));
    List<Socket> idle = new ArrayList<>();
    try {
      hold(wanted / 10, port, idle);
      long few = residentKib(program);
      hold(wanted, port, idle);
      long many = residentKib(program);
      long bytesEach = (many - few) * 1024 / (wanted - wanted / 10);
      assertThat(bytesEach).as("bytes for each of %d", wanted).isLessThan(16 * 1024);
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/a")).build(),
                  HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  /** Both processes and this one have the same limit; each connection takes a file of each. */
  private static int connectionsThatFit() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/limits")).stream()
        .filter(line -> line.startsWith("Max open files"))
        .map(line -> line.split(" {2,}", -1)[1].strip())
        .map(text -> text.equals("unlimited") ? Integer.MAX_VALUE : Integer.parseInt(text))
        .map(limit -> Math.min(10_000, limit - 500))
        .findFirst()
        .orElse(0);
  }

  /** Opens connections that have asked once, and then ask nothing, up to so many. */
  private static void hold(int count, int port, List<Socket> idle) throws IOException {
    while (idle.size() < count) {
      int asked = idle.size();
      while (idle.size() < Math.min(count, asked + AT_A_TIME)) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        idle.add(socket);
        socket.getOutputStream().write(request("keep-alive"));
      }
      for (Socket socket : idle.subList(asked, idle.size())) {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1), 512);
        assertThat(in.readLine()).startsWith("HTTP/1.1 200 ");
      }
    }
  }

  private static long residentKib(Program program) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + program.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }
}
