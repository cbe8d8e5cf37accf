package io.quotatree.app;

import io.quotatree.cli.CommandException;
import io.quotatree.quotafile.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads secrets from where the quota file says they are. */
final class Secrets {

  private static final int MOST_BYTES = 4_096;

  private Secrets() {}

  /**
   * A secret, without the white space around it that editors leave.
   *
   * @param key the key that names its place, for the error
   * @throws CommandException if there is none
   */
  static String read(Secret place, String key) {
    String found = place instanceof Secret.Env env ? ofEnvironment(env, key) : ofFile(place, key);
    if (found.isBlank()) {
      throw new CommandException(key + ": " + place + " is empty; put the secret there");
    }
    return found.strip();
  }

  private static String ofEnvironment(Secret.Env env, String key) {
    String value = System.getenv(env.name());
    if (value == null) {
      throw new CommandException(
          key + ": the environment has no " + env.name() + "; set it, or write `file:PATH`");
    }
    return value;
  }

  private static String ofFile(Secret place, String key) {
    Path path = Path.of(((Secret.InFile) place).path());
    try (InputStream in = Files.newInputStream(path)) {
      return new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CommandException(
          key + ": " + path + " cannot be read (" + e + "); see to its name and permissions", e);
    }
  }
}
