// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.analysis.PatternKind;
import io.powercut.oracle.Verdict;
import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.Acceptance;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.ReportedRun;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Fingerprint;
import io.powercut.tree.Severity;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

class JunitFormTest {
  private static final Schema SCHEMA = schemaOfSurefire();

  @TempDir private Path directory;

  /** Of Maven's Surefire 3.2.5, whose reports everybody reads. */
  private static Schema schemaOfSurefire() {
    try {
      return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
          .newSchema(JunitFormTest.class.getResource("/schemas/surefire-test-report.xsd"));
    } catch (SAXException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(ReportedRun run) throws IOException {
    StringWriter out = new StringWriter();
    new JunitForm().write(run, out);
    return out.toString();
  }

  private static Element write(ReportedRun run)
      throws IOException, SAXException, ParserConfigurationException {
    String xml = text(run);
    SCHEMA.newValidator().validate(new StreamSource(new StringReader(xml)));
    Element suite =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(xml)))
            .getDocumentElement();
    assertThat(suite.getAttribute("tests")).isEqualTo("" + elements(suite, "testcase").size());
    assertThat(suite.getAttribute("failures")).isEqualTo("" + elements(suite, "failure").size());
    assertThat(suite.getAttribute("errors")).isEqualTo("" + elements(suite, "error").size());
    assertThat(suite.getAttribute("skipped")).isEqualTo("" + elements(suite, "skipped").size());
    return suite;
  }

  private static List<Element> elements(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int index = 0; index < found.getLength(); index++) {
      elements.add((Element) found.item(index));
    }
    return elements;
  }

  private static List<String> names(Element suite) {
    return elements(suite, "testcase").stream().map(test -> test.getAttribute("name")).toList();
  }

  private static FailurePoint point(ReportedRun run, int index) {
    return run.tree().failurePoints().get(index);
  }

  private static String fingerprint(ReportedRun run, int index, Verdict.Kind kind) {
    return Fingerprint.of(point(run, index).stack(), kind.name()).toString();
  }

  /** The first failure point's verdict, with what recovery said. */
  private static ReportedRun saying(ReportedRun run, Verdict.Kind kind, String output) {
    FailurePointId id = point(run, 0).id();
    Map<FailurePointId, Judgement> verdicts = new HashMap<>(run.verdicts());
    verdicts.put(
        id,
        new Judgement(
            id,
            1,
            0,
            kind,
            "it was so",
            "check",
            output,
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0.25,
            Optional.empty(),
            Optional.empty()));
    return new ReportedRun(run.report(), run.tree(), verdicts, run.directory());
  }

  private static Finding finding(
      ReportedRun run, String fingerprint, boolean fails, boolean accepted) {
    Finding shown =
        SampleRuns.finding(
            "CRASHED",
            Severity.BUG,
            fingerprint,
            List.of(
                SampleRuns.injection(
                    point(run, 0).stack(), "clwb", run.verdict(point(run, 0).id()).orElseThrow())));
    return shown.judged(
        fails, accepted ? Optional.of(new Acceptance("we know", "2026-01-31")) : Optional.empty());
  }

  @Test
  void schemaShouldRefuseWhatIsNoReport() {
    String wrong = "<testsuite name='a' tests='0' errors='0' skipped='0' failures='0' id='1'/>";

    assertThatThrownBy(
            () -> SCHEMA.newValidator().validate(new StreamSource(new StringReader(wrong))))
        .isInstanceOf(SAXException.class);
  }

  @Test
  void runWithoutFailurePointsShouldFailAndSayWhy() throws Exception {
    Element suite = write(SampleRuns.nothing(directory));

    assertThat(suite.getAttribute("name")).isEqualTo("sample");
    assertThat(suite.getAttribute("failures")).isEqualTo("1");
    assertThat(elements(suite, "failure").get(0).getAttribute("message"))
        .contains("nothing was tested");
  }

  @Test
  void everyFailurePointThatIsNotConsistentShouldBeATest() throws Exception {
    ReportedRun run = SampleRuns.withFindings(directory);
    Element suite = write(run);

    String crashed = fingerprint(run, 0, Verdict.Kind.CRASHED);
    assertThat(names(suite))
        .containsExactly(
            "failure points with consistent images",
            "crashed in pmem_persist, " + crashed,
            "unrecoverable in btree_map_insert, " + point(run, 1).id(),
            "unrecoverable in btree_map_insert, dddddddddddddddd", // after a second crash
            "everything was judged");
    Element failure = elements(suite, "failure").get(0);
    assertThat(failure.getAttribute("type")).isEqualTo("CRASHED");
    assertThat(failure.getAttribute("message")).contains("SIGSEGV");
    assertThat(failure.getTextContent())
        .contains(
            "power cut before clwb:\n  pmem_persist (libpmem.so.1+0x1a2b)\n  btree_map_insert at"
                + " /src/btree_map.c:300",
            "recovery crashed:\n  read_value at /src/check.c:58",
            "fingerprint: " + crashed);
  }

  @Test
  void largeRunShouldHaveOneTestForAllThatIsConsistentAndDifferentNames() throws Exception {
    Element suite = write(SampleRuns.large(directory, 3000));

    assertThat(names(suite)).hasSize(5).doesNotHaveDuplicates();
    assertThat(elements(suite, "system-out").get(0).getTextContent())
        .isEqualTo("2997 of 3000 failure points are consistent");
  }

  @Test
  void acceptedFindingShouldBeSkippedAndOneThatDoesNotFailTheRunPassed() throws Exception {
    ReportedRun run = SampleRuns.withFindings(directory);
    String fingerprint = fingerprint(run, 0, Verdict.Kind.CRASHED);
    Element accepted = write(SampleRuns.with(run, List.of(finding(run, fingerprint, false, true))));
    Element passed = write(SampleRuns.with(run, List.of(finding(run, fingerprint, false, false))));
    Element failed = write(SampleRuns.with(run, List.of(finding(run, fingerprint, true, false))));

    assertThat(elements(accepted, "skipped").get(0).getAttribute("message"))
        .isEqualTo("accepted on 2026-01-31: we know");
    assertThat(elements(accepted, "failure")).hasSize(1);
    assertThat(elements(passed, "failure")).hasSize(1);
    assertThat(elements(passed, "skipped")).isEmpty();
    assertThat(elements(failed, "failure")).hasSize(2);
    assertThat(elements(failed, "failure").get(0).getTextContent()).contains("replay: /powercut/");
  }

  @Test
  void patternShouldBeATestOnlyWhenItFailsTheRunOrIsAccepted() throws Exception {
    ReportedRun nothing = SampleRuns.nothing(directory);
    Finding silent =
        SampleRuns.finding(
            "REDUNDANT_FLUSH",
            Severity.PERFORMANCE,
            "bbbbbbbbbbbbbbbb",
            List.of(SampleRuns.pattern(PatternKind.REDUNDANT_FLUSH, Severity.PERFORMANCE)));
    Finding failing =
        SampleRuns.finding(
            "NOT_PERSISTED",
            Severity.BUG,
            "cccccccccccccccc",
            List.of(SampleRuns.pattern(PatternKind.NOT_PERSISTED, Severity.BUG)));
    Element suite = write(SampleRuns.with(nothing, List.of(silent, failing)));

    assertThat(names(suite))
        .contains("not persisted in flush, cccccccccccccccc")
        .noneMatch(name -> name.contains("bbbbbbbbbbbbbbbb"));
    assertThat(elements(suite, "failure").get(1).getTextContent())
        .contains("flush (clwb):\n  flush at /src/map.c:12", "earlier flush (clwb):");
  }

  @Test
  void whatCouldNotBeJudgedShouldBeAnError() throws Exception {
    Element suite =
        write(saying(SampleRuns.withFindings(directory), Verdict.Kind.INCONCLUSIVE, ""));

    assertThat(elements(suite, "error").get(0).getAttribute("message")).isEqualTo("it was so");
    assertThat(names(suite)).anyMatch(name -> name.startsWith("not judged in pmem_persist, "));
  }

  @Test
  void hostileOutputShouldStayText() throws Exception {
    String hostile =
        "]]><failure/>&amp;\"'\0\u0007\u001b[31m\ud800 \udc00 \uffff \ud83d\ude00 ü\ttab\r\nend";
    Element suite =
        write(saying(SampleRuns.withFindings(directory), Verdict.Kind.UNRECOVERABLE, hostile));

    assertThat(elements(suite, "failure").get(0).getTextContent())
        .contains(
            "recovery said: ]]><failure/>&amp;\"'\ufffd\ufffd\ufffd[31m\ufffd \ufffd \ufffd"
                + " \ud83d\ude00 ü\ttab\nrecovery said: end");
  }
}
