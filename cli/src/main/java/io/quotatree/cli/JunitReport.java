package io.quotatree.cli;

import io.quotatree.quotafile.yaml.Problem;
import io.quotatree.scenario.Expectation;
import io.quotatree.scenario.ScenarioResult.FailedStep;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The report of {@code quotatree test} in the XML that JUnit made and CI servers read. */
final class JunitReport {

  private static final Pattern NOT_XML =
      Pattern.compile("[^\\x09\\x0A\\x0D\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]");

  private final XMLStreamWriter xml;

  private JunitReport(XMLStreamWriter xml) {
    this.xml = xml;
  }

  static void write(List<TestOutcome> outcomes, Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
        XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(writer);
        new JunitReport(xml).suites(outcomes);
        xml.close();
      }
    } catch (IOException e) {
      throw Complaints.about(file, e);
    } catch (XMLStreamException e) {
      throw new CommandException(file + ": " + e.getMessage(), e);
    }
  }

  private void suites(List<TestOutcome> outcomes) throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuites");
    totals(outcomes);
    xml.writeCharacters("\n");
    xml.writeStartElement("testsuite");
    attribute("name", "quotatree test");
    totals(outcomes);
    for (TestOutcome outcome : outcomes) {
      testcase(outcome);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeCharacters("\n");
    xml.writeEndDocument();
  }

  private void totals(List<TestOutcome> outcomes) throws XMLStreamException {
    attribute("tests", Integer.toString(outcomes.size()));
    attribute("failures", count(outcomes.stream().filter(o -> !o.failed().isEmpty()).count()));
    attribute("errors", count(outcomes.stream().filter(o -> !o.errors().isEmpty()).count()));
    attribute("skipped", "0");
    Duration took = outcomes.stream().map(TestOutcome::took).reduce(Duration.ZERO, Duration::plus);
    attribute("time", seconds(took));
  }

  private void testcase(TestOutcome outcome) throws XMLStreamException {
    xml.writeCharacters("\n  ");
    xml.writeStartElement("testcase");
    attribute("classname", outcome.file());
    attribute("name", outcome.name());
    attribute("file", outcome.file());
    attribute("time", seconds(outcome.took()));
    if (!outcome.errors().isEmpty()) {
      outcome("error", "the scenario has errors", lines(outcome.errors()));
    } else if (!outcome.failed().isEmpty()) {
      FailedStep first = outcome.failed().get(0);
      outcome(
          "failure",
          first.title() + ": " + first.unmet().get(0).text(),
          outcome.failed().stream()
              .map(step -> TestReport.place(outcome, step) + ": " + text(step))
              .collect(Collectors.joining("\n")));
    }
    xml.writeEndElement();
  }

  private void outcome(String element, String message, String text) throws XMLStreamException {
    xml.writeCharacters("\n    ");
    xml.writeStartElement(element);
    attribute("message", message);
    attribute("type", element);
    xml.writeCharacters(legal(text));
    xml.writeEndElement();
    xml.writeCharacters("\n  ");
  }

  private static String text(FailedStep step) {
    return step.title()
        + step.unmet().stream()
            .map(Expectation.Unmet::text)
            .collect(Collectors.joining("\n  ", "\n  ", ""));
  }

  private static String lines(List<Problem> errors) {
    return errors.stream().map(Problem::toString).collect(Collectors.joining("\n"));
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, legal(value));
  }

  /** A name from a scenario may hold characters that XML cannot. */
  private static String legal(String text) {
    return NOT_XML.matcher(text).replaceAll("\uFFFD");
  }

  private static String count(long number) {
    return Long.toString(number);
  }

  private static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e9);
  }
}
