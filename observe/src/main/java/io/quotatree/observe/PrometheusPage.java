package io.quotatree.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * The page that Prometheus reads.
 *
 * <p>Safe for use by several threads. Writing the page takes as long as there are series, so it
 * belongs on a thread that may be busy for a while.
 */
public final class PrometheusPage {

  /** What the page is to be served as. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** An empty page. */
  public PrometheusPage() {
    // A metric that cannot be registered is a mistake of ours, to be seen in the first test.
    registry.throwExceptionOnRegistrationFailure();
  }

  /** The registry whose meters the page shows. */
  public MeterRegistry registry() {
    return registry;
  }

  /** The page as it is now. */
  public String scrape() {
    return registry.scrape(CONTENT_TYPE);
  }
}
