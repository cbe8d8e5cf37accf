package io.quotatree.observe;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads a page as Prometheus would, anew for each question. */
record Scraped(PrometheusPage page) {

  private static final String TYPE = "# TYPE ";

  /** Name and type of each metric. */
  Set<String> families() {
    return page.scrape()
        .lines()
        .filter(line -> line.startsWith(TYPE))
        .map(line -> line.substring(TYPE.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Name and labels of each series. */
  Set<String> series() {
    return samples().stream()
        .map(line -> line.substring(0, line.lastIndexOf(' ')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  double value(String series) {
    return samples().stream()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(Scraped::figure)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no series " + series + " in\n" + page.scrape()));
  }

  /** The sum over all series whose line begins so. */
  double sum(String prefix) {
    return samples().stream()
        .filter(line -> line.startsWith(prefix))
        .mapToDouble(Scraped::figure)
        .sum();
  }

  private List<String> samples() {
    return page.scrape().lines().filter(line -> !line.startsWith("#")).toList();
  }

  private static double figure(String sample) {
    return Double.parseDouble(sample.substring(sample.lastIndexOf(' ') + 1));
  }
}
