package io.quotatree.bench.load;

import java.util.Locale;

/** What limiters are measured at. */
public enum Job {
  /** Four layers, Zipf; a tenth of the requests is refused at the user layer. */
  PASS(0.1, "four layers, 90% pass"),
  /** Four layers, Zipf; half of the requests is refused at the user layer. */
  HALF(0.5, "four layers, half refused"),
  /** Four layers, Zipf; every request is refused at the user layer. */
  STORM(1, "four layers, all refused"),
  /** Four layers; each request comes from a user never seen before, who soon has all back. */
  CHURN(0, "never-seen users"),
  /** One counter that all requests share. */
  NODE(0, "one hot node alone"),
  /** Four layers; a million users whose names have the same {@code String.hashCode}. */
  FLOOD(0, "a million colliding names"),
  /** Four layers; a million users with names of the same length, drawn at random. */
  FLOOD_RANDOM(0, "a million random names"),
  /** Four layers; users are added and stay. */
  FILL(0, "bytes a live subject"),
  /** Four layers; users are added, and are forgotten after seconds. */
  EXPIRE(0, "subjects expire under traffic"),
  /** Finding the limits among 50 api lines and 50 caller lines. */
  PLAN_SMALL(0, "plan: 50 apis, 50 callers"),
  /** The same requests among 5,000 api lines and 10,000 caller lines. */
  PLAN_LARGE(0, "plan: 5,000 apis, 10,000 callers, same requests"),
  /** Requests to all of 5,000 api lines by all of 10,000 callers. */
  PLAN_WIDE(0, "plan: 5,000 apis, 10,000 callers, requests to all");

  private final double debtShare;
  private final String title;

  Job(double debtShare, String title) {
    this.debtShare = debtShare;
    this.title = title;
  }

  /** The share of requests whose user is deep in debt. */
  double debtShare() {
    return debtShare;
  }

  /** What it is, for a table. */
  public String title() {
    return title;
  }

  /** The job as it is written on a command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether the subjects are there before anything is measured. */
  public boolean isPreloaded() {
    return switch (this) {
      case PASS, HALF, STORM, FLOOD, FLOOD_RANDOM -> true;
      default -> false;
    };
  }

  /** Whether each request's user is new. */
  public boolean isOfNewUsers() {
    return this == CHURN;
  }
}
