package io.quotatree.app;

import io.quotatree.cli.CommandException;
import io.quotatree.cli.ExitCode;
import io.quotatree.gateway.server.Gateway;
import io.quotatree.gateway.server.ListenException;
import io.quotatree.gateway.server.Settings;
import io.quotatree.gateway.server.TlsException;
import io.quotatree.quotafile.QuotaFile;
import io.quotatree.quotafile.QuotaFiles;
import io.quotatree.quotafile.Reading;
import io.quotatree.quotafile.WatchedFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the gateway until it is told to stop. */
@Command(
    name = "serve",
    description = "Run the gateway; without a file, a demo with a service built in.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A changed file is read again within a second, or at once on SIGHUP; one with errors",
      "changes nothing. SIGTERM and Ctrl-C finish what is under way, 30 s at most.",
      "",
      "Examples:",
      "  quotatree serve",
      "  quotatree serve quotatree.yaml",
      "",
      "Exit codes: 0 stopped as told; 1 the file has errors; 2 it could not run."
    })
final class ServeCommand implements Callable<Integer> {

  private static final Duration DRAIN = Duration.ofSeconds(30);

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "A quota file.")
  private @Nullable Path file;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the spec before anything runs
  ServeCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    return file == null ? demo() : serve(file);
  }

  private int serve(Path path) throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    Reading reading = QuotaFiles.read(path);
    if (reading instanceof Reading.Faulty faulty) {
      faulty.errors().forEach(err::println);
      return ExitCode.BAD;
    }
    Reading.Sound sound = (Reading.Sound) reading;
    sound.warnings().forEach(err::println);
    QuotaFile said = sound.file();
    Stop stop = Stop.onSignals();
    Settings settings = Wiring.settings(said).withNeighbours(Settings.Neighbours.GATEWAYS);
    boolean taken = Gateway.isTaken(settings.listen());
    FileGateway gateway = start(said, settings);
    if (taken) {
      err.println(
          "another process listens on "
              + settings.listen()
              + " too; each counts for itself: stop it once this one serves");
    }
    try (WatchedFile watched = new WatchedFile(path, said, new Reloads(gateway))) {
      watched.start();
      gateway.reloadsBy(watched::reloadNow);
      Signals.on("HUP", () -> lookAgain(gateway, watched));
      new Banner(spec.commandLine().getOut()).print(gateway, NodeId.of(said));
      stop.await();
    }
    return end(gateway);
  }

  private static void lookAgain(FileGateway gateway, WatchedFile watched) {
    gateway.lookAgain();
    watched.reloadNow();
  }

  private int demo() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Stop stop = Stop.onSignals();
    try (DemoUpstream upstream = new DemoUpstream()) {
      QuotaFile said = Demo.file(upstream.uri());
      FileGateway gateway = startDemo(said);
      new Banner(out).print(gateway, NodeId.of(said));
      Demo.invite(out, gateway.listen());
      out.flush();
      stop.await();
      return end(gateway);
    }
  }

  /** A demo may be anywhere: where its usual ports are taken it takes others. */
  private FileGateway startDemo(QuotaFile said) {
    Settings settings = Wiring.settings(said);
    try {
      return new FileGateway(said, settings, NodeId.of(said));
    } catch (ListenException taken) {
      spec.commandLine().getErr().println(taken.getMessage() + "; the demo takes free ports");
      return start(said, settings.onFreePorts());
    } catch (TlsException e) {
      throw new IllegalStateException("the demo speaks in the clear", e);
    }
  }

  private static FileGateway start(QuotaFile said, Settings settings) {
    try {
      return new FileGateway(said, settings, NodeId.of(said));
    } catch (TlsException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (ListenException e) {
      throw new CommandException(
          e.getMessage() + "; name another address in `server`, or stop who uses it", e);
    }
  }

  private int end(FileGateway gateway) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("stopping: finishing what is under way, " + DRAIN.toSeconds() + " s at most");
    long cut = gateway.drain(DRAIN);
    err.println(cut == 0 ? "stopped" : "stopped; requests that were cut off: " + cut);
    return ExitCode.FINE;
  }
}
