package io.quotatree.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * {@code quotatree_api_seconds}: how long allowed requests took, from their decision to the end of
 * their answer; a series for each named api, and one for all other paths.
 */
final class ApiTimers {

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofMillis(2_500),
    Duration.ofSeconds(10),
  };

  private final MeterRegistry registry;
  private final Timer others;

  /**
   * The series of the quotas in force; immutable once published. Written by {@link #use} under this
   * object's monitor, read by all without it.
   */
  private volatile Map<String, Timer> named = Map.of();

  ApiTimers(MeterRegistry registry) {
    this.registry = registry;
    this.others = timer(NamedSubjects.OTHER);
  }

  synchronized void use(Set<String> apis) {
    Map<String, Timer> before = named;
    Map<String, Timer> after = new HashMap<>();
    for (String api : apis) {
      Timer kept = before.get(api);
      after.put(api, kept == null ? timer(api) : kept);
    }
    named = after;
    before.forEach(
        (api, timer) -> {
          if (!after.containsKey(api)) {
            registry.remove(timer);
          }
        });
  }

  Timer of(String api) {
    Timer timer = named.get(api);
    return timer == null ? others : timer;
  }

  Timer others() {
    return others;
  }

  private Timer timer(String api) {
    return Timer.builder("quotatree.api")
        .description("Time from an allowed request's decision to the end of its answer")
        .tag("api", api)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }
}
