// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.junit;

import io.powercut.report.findings.Report;
import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes tests as XML. */
final class JunitWriter {
  private final XMLStreamWriter xml;

  private JunitWriter(XMLStreamWriter xml) {
    this.xml = xml;
  }

  static void write(List<TestCase> cases, Report report, Writer out) throws IOException {
    try {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
      new JunitWriter(xml).suite(cases, report);
      xml.flush();
    } catch (XMLStreamException e) {
      throw new IOException(e);
    }
  }

  /** Writes a suite of one test into a document. */
  static void write(String suite, TestCase test, XMLStreamWriter xml) throws XMLStreamException {
    JunitWriter writer = new JunitWriter(xml);
    writer.begin(suite, List.of(test), 0);
    writer.test(test);
    writer.end(0);
  }

  private void suite(List<TestCase> cases, Report report) throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    xml.writeCharacters("\n");
    begin(report.campaign().name(), cases, report.timings().getOrDefault("total", 0.0));
    properties(report);
    for (TestCase test : cases) {
      test(test);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
    xml.writeCharacters("\n");
    xml.writeEndDocument();
  }

  private void begin(String name, List<TestCase> cases, double time) throws XMLStreamException {
    xml.writeStartElement("testsuite");
    attribute("name", name);
    attribute("tests", Integer.toString(cases.size()));
    attribute("failures", count(cases, TestCase.Outcome.FAILED));
    attribute("errors", count(cases, TestCase.Outcome.ERROR));
    attribute("skipped", count(cases, TestCase.Outcome.SKIPPED));
    attribute("time", seconds(time));
  }

  private static String count(List<TestCase> cases, TestCase.Outcome outcome) {
    return Long.toString(cases.stream().filter(test -> test.outcome() == outcome).count());
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }

  private void properties(Report report) throws XMLStreamException {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("campaign file", report.campaign().file());
    properties.put("started", report.campaign().started());
    properties.put("target build id", report.campaign().targetBuildId());
    report.campaign().shard().ifPresent(shard -> properties.put("part", shard));
    properties.put(
        "exit code", report.outcome().exitCode() + " (" + report.outcome().meaning() + ")");
    start("properties", 1);
    for (Map.Entry<String, String> property : properties.entrySet()) {
      start("property", 2);
      attribute("name", property.getKey());
      attribute("value", property.getValue());
      xml.writeEndElement();
    }
    end(1);
  }

  private void test(TestCase test) throws XMLStreamException {
    start("testcase", 1);
    attribute("classname", test.group());
    attribute("name", test.name());
    attribute("time", seconds(test.seconds()));
    switch (test.outcome()) {
      case PASSED -> text("system-out", test.text());
      case FAILED -> problem("failure", test);
      case ERROR -> problem("error", test);
      case SKIPPED -> skipped(test);
    }
    end(1);
  }

  private void problem(String element, TestCase test) throws XMLStreamException {
    start(element, 2);
    attribute("type", test.type());
    attribute("message", test.message());
    xml.writeCharacters(XmlText.clean(test.text()));
    xml.writeEndElement();
  }

  private void skipped(TestCase test) throws XMLStreamException {
    start("skipped", 2);
    attribute("message", test.message());
    xml.writeEndElement();
    text("system-out", test.text());
  }

  private void text(String element, String text) throws XMLStreamException {
    if (!text.isEmpty()) {
      start(element, 2);
      xml.writeCharacters(XmlText.clean(text));
      xml.writeEndElement();
    }
  }

  private void start(String element, int depth) throws XMLStreamException {
    indent(depth);
    xml.writeStartElement(element);
  }

  private void end(int depth) throws XMLStreamException {
    indent(depth);
    xml.writeEndElement();
  }

  private void indent(int depth) throws XMLStreamException {
    xml.writeCharacters("\n" + "  ".repeat(depth));
  }

  private void attribute(String name, String value) throws XMLStreamException {
    xml.writeAttribute(name, XmlText.clean(value));
  }
}
