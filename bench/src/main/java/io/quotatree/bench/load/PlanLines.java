package io.quotatree.bench.load;

import java.util.SplittableRandom;

/**
 * The lines that plan resolution is measured with: api names, three in five of them with a
 * parameter or an open end.
 */
public final class PlanLines {

  /** Lines of the small file, and of what is asked of both. */
  public static final int FEW = 50;

  /** Api lines of the large file. */
  public static final int APIS = 5_000;

  /** Caller lines of the large file. */
  public static final int CALLERS = 10_000;

  private PlanLines() {}

  /** The name of an api line. */
  public static String api(int number) {
    String base = base(number);
    return switch (number % 5) {
      case 0 -> "GET " + base + "/{id}";
      case 1 -> base + "/{id}/items/{item}";
      case 2 -> base + "/**";
      default -> "GET " + base + "/list";
    };
  }

  private static String base(int number) {
    return Names.numbered("/v1/svc", number % 50, 2) + Names.numbered("/res", number, 4);
  }

  private static String path(int number, int id) {
    String base = base(number);
    return switch (number % 5) {
      case 0 -> base + Names.numbered("/", id, 6);
      case 1 -> base + Names.numbered("/", id, 6) + "/items/7";
      case 2 -> base + "/a/b";
      default -> base + "/list";
    };
  }

  /** The name of a caller that has a line. */
  public static String caller(int number) {
    return Names.caller(number);
  }

  static Names names(SplittableRandom random, int apis, int callers) {
    return new Names(
        caller(random.nextInt(callers)),
        Names.user(random.nextInt(Load.USERS)),
        path(random.nextInt(apis), random.nextInt(1_000_000)),
        false);
  }
}
