package io.quotatree.bench.redis;

import io.quotatree.testkit.store.RedisConnection;
import io.quotatree.testkit.store.RedisServer;

/** What a store has done so far, by its own account. */
final class StoreMeter implements AutoCloseable {

  private final RedisConnection connection;

  /** What the store wrote to this meter, which is no contender's. */
  private double toldBytes;

  StoreMeter(RedisServer server) {
    this.connection = server.connection();
  }

  /**
   * What a store has done.
   *
   * @param cpuSeconds its CPU time, in the kernel too
   * @param bytesIn that it has read
   * @param bytesOut that it has written
   */
  record Reading(double cpuSeconds, double bytesIn, double bytesOut) {

    Reading since(Reading before) {
      return new Reading(
          cpuSeconds - before.cpuSeconds, bytesIn - before.bytesIn, bytesOut - before.bytesOut);
    }
  }

  Reading read() {
    String cpu = told("cpu");
    double toldBefore = toldBytes;
    return reading(cpu + "\n" + told("stats"), toldBefore);
  }

  private String told(String section) {
    String told = String.valueOf(connection.ask("INFO", section));
    toldBytes += told.length();
    return told;
  }

  static Reading reading(String told, double toldBytes) {
    return new Reading(
        figure(told, "used_cpu_user") + figure(told, "used_cpu_sys"),
        figure(told, "total_net_input_bytes"),
        figure(told, "total_net_output_bytes") - toldBytes);
  }

  private static double figure(String told, String name) {
    return told.lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> Double.parseDouble(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the store does not tell its " + name));
  }

  @Override
  public void close() {
    connection.close();
  }
}
