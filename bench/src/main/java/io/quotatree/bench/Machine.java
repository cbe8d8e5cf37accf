package io.quotatree.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Where figures were taken, in one line. */
final class Machine {

  private Machine() {}

  static String described() {
    return String.format(
        Locale.ROOT,
        "%s %s (%s), %d processors (%s), %s %s, load %.1f at the start",
        System.getProperty("java.vm.name"),
        System.getProperty("java.runtime.version"),
        System.getProperty("java.vendor"),
        Runtime.getRuntime().availableProcessors(),
        processor(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private static String processor() {
    try {
      return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
