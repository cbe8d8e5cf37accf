package io.quotatree.bench.load;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The requests of a job: the same for every limiter that is measured with the same seed.
 *
 * <p>Users are drawn by Zipf's law, each belongs to one caller (drawn so as well), and apis are
 * drawn by it too. Users in debt are a fixed set whose share of the requests is what the job says,
 * spread over frequent and rare users alike.
 *
 * <p>Safe for use by several threads once made.
 */
public final class Load {

  /** Callers of every job. */
  public static final int CALLERS = 10_000;

  /** Users of the jobs that are preloaded. */
  public static final int USERS = 1_000_000;

  /** Apis of every job. */
  public static final int APIS = 1_000;

  private static final int SAME_CODE_BITS = 20;

  private final Job job;
  private final long seed;
  private final int[] callerOfUser = new int[USERS];
  private final boolean[] inDebt = new boolean[USERS];
  private final Zipf users = new Zipf(USERS);
  private final Zipf callers = new Zipf(CALLERS);
  private final Zipf apis = new Zipf(APIS);
  private final AtomicLong newUsers = new AtomicLong();

  /** The load of a job. */
  public Load(Job job, long seed) {
    this.job = job;
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < USERS; i++) {
      callerOfUser[i] = callers.draw(random);
    }
    putInDebt(job.debtShare());
  }

  /** Goes down the ranks, and puts a user in debt as long as the share is not passed. */
  private void putInDebt(double share) {
    double total = 0;
    double debt = 0;
    for (int i = 0; i < USERS; i++) {
      total += Zipf.weight(i);
      if (debt + Zipf.weight(i) <= share * total) {
        debt += Zipf.weight(i);
        inDebt[i] = true;
      }
    }
  }

  /** The job. */
  public Job job() {
    return job;
  }

  /** Tells the names of all users once, with an api each, so that all subjects are met. */
  public void eachUser(Consumer<Names> told) {
    for (int i = 0; i < USERS; i++) {
      told.accept(names(i, i % APIS));
    }
  }

  /** Tells the names of so many requests. */
  public void eachRequest(int count, Consumer<Names> told) {
    SplittableRandom random = new SplittableRandom(seed ^ 0x5eedL);
    for (int i = 0; i < count; i++) {
      told.accept(request(random));
    }
  }

  private Names request(SplittableRandom random) {
    return switch (job) {
      case FLOOD, FLOOD_RANDOM -> names(random.nextInt(USERS), apis.draw(random));
      case CHURN -> newUser();
      case PLAN_SMALL, PLAN_LARGE -> PlanLines.names(random, PlanLines.FEW, PlanLines.FEW);
      case PLAN_WIDE -> PlanLines.names(random, PlanLines.APIS, PlanLines.CALLERS);
      default -> names(users.draw(random), apis.draw(random));
    };
  }

  /** The names of a user that was never told before. */
  public Names newUser() {
    long number = newUsers.getAndIncrement();
    return new Names(
        Names.caller((int) (number % CALLERS)),
        Names.numbered("n-", number, 10),
        Names.path((int) (number % APIS)),
        false);
  }

  private Names names(int user, int api) {
    boolean flood = job == Job.FLOOD || job == Job.FLOOD_RANDOM;
    return new Names(
        Names.caller(flood ? 0 : callerOfUser[user]),
        userName(user),
        Names.path(api),
        inDebt[user]);
  }

  private String userName(int user) {
    return switch (job) {
      case FLOOD -> sameCode(user);
      case FLOOD_RANDOM -> randomText(user);
      default -> Names.user(user);
    };
  }

  /** Twenty pairs of letters, each "Aa" or "BB": all such texts have one hash code. */
  static String sameCode(int number) {
    char[] text = new char[2 * SAME_CODE_BITS];
    for (int bit = 0; bit < SAME_CODE_BITS; bit++) {
      boolean set = (number >>> bit & 1) == 1;
      text[2 * bit] = set ? 'B' : 'A';
      text[2 * bit + 1] = set ? 'B' : 'a';
    }
    return new String(text);
  }

  private static String randomText(int number) {
    SplittableRandom random = new SplittableRandom(number);
    char[] text = new char[2 * SAME_CODE_BITS];
    for (int i = 0; i < text.length; i++) {
      text[i] = (char) ('a' + random.nextInt(26));
    }
    return new String(text);
  }
}
