package io.quotatree.testkit.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** How a program ended, and all that it had said on either output. */
record Ending(int exitCode, String said) {

  private static final long PATIENCE_SECONDS = 120;

  /** Runs a program to its end. */
  static Ending of(ProcessBuilder builder) {
    try {
      // A file takes all that is said, however long nobody reads it.
      Path output = Files.createTempFile("program", ".out");
      try {
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        process.getOutputStream().close();
        boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String said = new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip();
        if (!ended) {
          throw new AssertionError(
              "`%s` did not end within %d s; it said: %s"
                  .formatted(String.join(" ", builder.command()), PATIENCE_SECONDS, said));
        }
        return new Ending(process.exitValue(), said);
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
