package io.quotatree.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotatree.core.limit.Layer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What others count, and metrics only read. */
final class ReadingsTest {

  @Test
  void readings_are_taken_when_the_page_is_read() {
    AtomicLong subjects = new AtomicLong(12);
    AtomicLong overflows = new AtomicLong(3);
    AtomicLong inFlight = new AtomicLong(7);
    PrometheusPage page = new PrometheusPage();
    new Metrics(
        page.registry(),
        new Readings(
            layer -> layer == Layer.USER ? subjects.get() : 0, overflows::get, inFlight::get));
    Scraped scraped = new Scraped(page);
    assertThat(scraped.value("quotatree_subjects{layer=\"user\"}")).isEqualTo(12);
    assertThat(scraped.value("quotatree_subjects{layer=\"api\"}")).isZero();
    assertThat(scraped.value("quotatree_overflow_total")).isEqualTo(3);
    assertThat(scraped.value("quotatree_in_flight")).isEqualTo(7);
    inFlight.set(0);
    assertThat(scraped.value("quotatree_in_flight")).isZero();
  }

  @Test
  void readings_outlive_the_hands_that_gave_them() {
    PrometheusPage forgotten = new PrometheusPage();
    new Metrics(forgotten.registry(), new Readings(layer -> 5, () -> 6, () -> 7));
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Scraped later = new Scraped(forgotten);
    assertThat(later.value("quotatree_subjects{layer=\"api\"}")).isEqualTo(5);
    assertThat(later.value("quotatree_overflow_total")).isEqualTo(6);
    assertThat(later.value("quotatree_in_flight")).isEqualTo(7);
  }
}
