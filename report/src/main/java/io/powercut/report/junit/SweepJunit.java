// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.xml.stream.XMLEventReader;
import javax.xml.stream.XMLEventWriter;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.stream.events.XMLEvent;

/** The suites of several campaigns in one file; a campaign without a result is a suite, too. */
public final class SweepJunit {
  private static final List<String> COUNTS = List.of("tests", "failures", "errors", "skipped");

  private final List<Suite> suites = new ArrayList<>();
  private double seconds;

  /**
   * A campaign.
   *
   * @param file its own suite; nothing when it came to no result
   * @param outcome of the only test of one that came to none
   * @param reason why
   */
  private record Suite(
      String campaign, Optional<Path> file, TestCase.Outcome outcome, String reason) {}

  /** Adds a campaign's suite from its own file. */
  public void add(String campaign, Path file) {
    suites.add(new Suite(campaign, Optional.of(file), TestCase.Outcome.PASSED, ""));
  }

  /** Adds a campaign that failed. */
  public void addFailure(String campaign, String reason) {
    suites.add(new Suite(campaign, Optional.empty(), TestCase.Outcome.ERROR, reason));
  }

  /** Adds a campaign that was not run. */
  public void addNotRun(String campaign, String reason) {
    suites.add(new Suite(campaign, Optional.empty(), TestCase.Outcome.SKIPPED, reason));
  }

  /**
   * Writes the file.
   *
   * @throws IOException if a suite cannot be read, or this not be written
   */
  public void write(Writer out) throws IOException {
    try {
      int[] totals = totals();
      XMLOutputFactory outputs = XMLOutputFactory.newDefaultFactory();
      XMLStreamWriter xml = outputs.createXMLStreamWriter(out);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      xml.writeStartElement("testsuites");
      xml.writeAttribute("name", "powercut sweep");
      for (int index = 0; index < totals.length; index++) {
        xml.writeAttribute(COUNTS.get(index), Integer.toString(totals[index]));
      }
      xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", seconds));
      xml.writeCharacters("\n");
      xml.flush();
      for (Suite suite : suites) {
        if (suite.file().isPresent()) {
          copy(suite.file().get(), outputs.createXMLEventWriter(out));
        } else {
          JunitWriter.write(suite.campaign(), test(suite), xml);
          xml.flush();
        }
        out.write("\n");
      }
      out.write("</testsuites>\n");
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
  }

  private static TestCase test(Suite suite) {
    return new TestCase(
        suite.campaign() + ".run",
        "the campaign has a result",
        0,
        suite.outcome(),
        suite.outcome() == TestCase.Outcome.ERROR ? "FAILED" : "",
        suite.reason().lines().findFirst().orElse(""),
        suite.reason());
  }

  private static XMLInputFactory inputs() {
    XMLInputFactory inputs = XMLInputFactory.newDefaultFactory();
    inputs.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    return inputs;
  }

  private int[] totals() throws IOException, XMLStreamException {
    int[] totals = new int[COUNTS.size()];
    for (Suite suite : suites) {
      if (suite.file().isPresent()) {
        addTotals(suite.file().get(), totals);
      } else {
        totals[0]++;
        totals[COUNTS.indexOf(suite.outcome() == TestCase.Outcome.ERROR ? "errors" : "skipped")]++;
      }
    }
    return totals;
  }

  private void addTotals(Path file, int[] totals) throws IOException, XMLStreamException {
    try (InputStream stream = Files.newInputStream(file)) {
      XMLStreamReader xml = inputs().createXMLStreamReader(stream);
      xml.nextTag();
      for (int index = 0; index < totals.length; index++) {
        totals[index] += Integer.parseInt(attribute(xml, COUNTS.get(index)));
      }
      seconds += Double.parseDouble(attribute(xml, "time"));
    } catch (NumberFormatException e) {
      throw new XMLStreamException(file + " is no suite of tests", e);
    }
  }

  private static String attribute(XMLStreamReader xml, String name) {
    return Optional.ofNullable(xml.getAttributeValue(null, name)).orElse("0");
  }

  private static void copy(Path file, XMLEventWriter out) throws IOException, XMLStreamException {
    try (InputStream stream = Files.newInputStream(file)) {
      XMLEventReader events = inputs().createXMLEventReader(stream);
      int depth = 0;
      while (events.hasNext()) {
        XMLEvent event = events.nextEvent();
        depth += event.isStartElement() ? 1 : 0;
        if (depth > 0) {
          out.add(event);
        }
        depth -= event.isEndElement() ? 1 : 0;
      }
      out.flush();
    }
  }
}
