package io.quotatree.scenario;

import io.quotatree.core.policy.QuotaTree;
import io.quotatree.core.policy.Request;
import io.quotatree.quotafile.yaml.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** One thing that happens in a scenario. */
public sealed interface Step {

  /** Which step it is, where it is written and when it happens. */
  Heading heading();

  /** What happens, in a few words for reports. */
  String summary();

  /** How long it takes. */
  default Duration lasts() {
    return Duration.ZERO;
  }

  /**
   * Which step it is, where it is written and when it happens.
   *
   * @param number its number in the scenario, from 1
   * @param line its line in the file, from 1
   * @param at its time since the scenario's start
   */
  record Heading(int number, int line, Duration at) {
    /** Refuses a time before the start. */
    public Heading {
      if (at.isNegative()) {
        throw new IllegalArgumentException("step " + number + " at " + at + ", before the start");
      }
    }

    @Override
    public String toString() {
      return "step " + number + " at " + (at.isZero() ? "0s" : Durations.words(at));
    }
  }

  /**
   * Equal requests, one after the other.
   *
   * @param request each of them
   * @param times how many, 1 to {@link #MAX_TIMES}
   * @param every the time between two of them
   * @param instance the gateway that takes them
   * @param permits what becomes of their permits in flight
   * @param expected what the author expects of them
   */
  record Send(
      Heading heading,
      Request request,
      int times,
      Duration every,
      String instance,
      Permits permits,
      List<Expectation> expected)
      implements Step {

    /** The most requests of one step. */
    public static final int MAX_TIMES = 100_000_000;

    /** Copies the expectations; refuses numbers of requests that nobody would wait for. */
    public Send {
      Objects.requireNonNull(request, "request");
      expected = List.copyOf(expected);
      if (times < 1 || times > MAX_TIMES) {
        throw new IllegalArgumentException("times " + times + ": write 1 to " + MAX_TIMES);
      }
      if (every.isNegative()) {
        throw new IllegalArgumentException("every " + every + ": write 0s or more");
      }
    }

    @Override
    public Duration lasts() {
      return every.multipliedBy(times - 1L);
    }

    @Override
    public String summary() {
      StringBuilder text = new StringBuilder("send ");
      text.append(request.method()).append(' ').append(request.path());
      if (!request.caller().isEmpty()) {
        text.append(" of ").append(request.caller());
        if (!request.user().isEmpty()) {
          text.append('/').append(request.user());
        }
      }
      return times == 1 ? text.toString() : text + ", " + times + " times";
    }
  }

  /**
   * What becomes of the permits in flight of a step's requests.
   *
   * @param held whether they are kept until released; else given back at once
   * @param id by what name a later step releases them
   */
  record Permits(Held held, Optional<String> id) {
    /** Each request ends at once. */
    public static final Permits GIVEN_BACK = new Permits(Held.UNTIL_ANSWERED, Optional.empty());
  }

  /** How long requests keep their permits in flight. */
  enum Held {
    /** Until they are answered, which is at once. */
    UNTIL_ANSWERED,
    /** Until a step releases them. */
    UNTIL_RELEASED
  }

  /**
   * Requests that were held end.
   *
   * @param id the id of the step that sent them
   */
  record Release(Heading heading, String id) implements Step {
    @Override
    public String summary() {
      return "release " + id;
    }
  }

  /**
   * Other quotas come into force at every gateway.
   *
   * @param quotas the quotas from now on
   */
  record Reload(Heading heading, QuotaTree quotas) implements Step {
    @Override
    public String summary() {
      return "reload";
    }
  }

  /**
   * The wall clock steps; the scenario's own time goes on.
   *
   * @param step how far: forward, or back where negative
   */
  record Clock(Heading heading, Duration step) implements Step {
    @Override
    public String summary() {
      return "clock " + (step.isNegative() ? "-" : "") + Durations.words(step.abs());
    }
  }
}
