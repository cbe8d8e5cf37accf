package io.quotatree.redis.servers;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns every minute while the store would throw counters away for want of memory: whoever's
 * counter is gone begins anew, over his limit. Where the gateway may not ask, nobody is told.
 */
public final class EvictionCheck {

  private static final Logger LOG = LoggerFactory.getLogger(EvictionCheck.class);
  private static final String SETTING = "maxmemory-policy";
  private static final String SAFE = "noeviction";

  private final Store store;

  /** A check of a store. */
  public EvictionCheck(Store store) {
    this.store = store;
  }

  /** Looks now and then every minute. */
  public void each(ScheduledExecutorService timer) {
    Future<?> unused = timer.scheduleAtFixedRate(this::look, 0, 1, TimeUnit.MINUTES);
  }

  /** Looks once; done when the store answered. */
  CompletionStage<?> look() {
    return store
        .configured(SETTING)
        .handle(
            (settings, failure) -> {
              String policy = failure == null ? settings.getOrDefault(SETTING, SAFE) : SAFE;
              if (!policy.equals(SAFE)) {
                LOG.warn(
                    "the store's {} is {}: when its memory is full it forgets what was used, and"
                        + " limits are exceeded; set it to {}",
                    SETTING,
                    policy,
                    SAFE);
              }
              return policy;
            });
  }
}
