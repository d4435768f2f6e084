// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sweep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.powercut.exit.ExitCode;
import io.powercut.report.ReportForm;
import io.powercut.report.SampleRuns;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Json;
import io.powercut.report.history.History;
import io.powercut.report.history.Reports;
import io.powercut.report.history.RunRecord;
import io.powercut.report.junit.JunitForm;
import io.powercut.report.sarif.SarifForm;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class SweepFilesTest {
  private static final Instant NIGHT = Instant.parse("2026-11-01T02:00:00Z");
  private static final String A = "aaaaaaaaaaaaaaaa";
  private static final String HOSTILE = "`x`|@all</details>";

  @TempDir private Path runs;
  private History history;

  @BeforeEach
  void open() {
    history = History.open(runs.resolve("history.db"));
  }

  @AfterEach
  void close() {
    history.close();
  }

  private void begin(String... campaigns) {
    history.sweeps().begin("{}", List.of(campaigns), NIGHT);
  }

  private Path directory(String campaign) throws IOException {
    return Files.createDirectories(runs.resolve(campaign).resolve("1"));
  }

  private void write(ReportForm form, ReportedRun run, Path directory) throws IOException {
    Path file = directory.resolve(form.fileName());
    // As runs do: halves of characters become question marks.
    try (Writer out = new OutputStreamWriter(Files.newOutputStream(file), UTF_8)) {
      form.write(run, out);
    }
  }

  /** A run that ended, with these files. */
  private void ran(String campaign, ReportedRun run) throws IOException {
    Path directory = directory(campaign);
    write(new SarifForm(), run, directory);
    write(new JunitForm(), run, directory);
    history.add(Reports.complete(campaign, NIGHT, List.of(A)), directory);
  }

  private void failed(String campaign, String message) {
    history.addFailure(
        RunRecord.failure(campaign, NIGHT, Optional.empty(), ExitCode.NOT_TRUSTWORTHY, message, 1));
  }

  private LastSweep written() {
    LastSweep sweep = LastSweep.of(history).orElseThrow();
    SweepFiles.write(runs, sweep);
    return sweep;
  }

  private JsonNode sarif() throws IOException {
    return Json.read(runs.resolve(SweepFiles.SARIF), JsonNode.class);
  }

  private void threeCampaigns() throws IOException {
    begin("first", "second", "broken", "waiting", "later");
    ran("first", SampleRuns.withFindings(runs.resolve("first/1")));
    ran("second", SampleRuns.hostile(runs.resolve("second/1")));
    failed("broken", "no such file: " + HOSTILE + "\nand more");
    assertThat(written().totals().inWords())
        .isEqualTo("5 campaigns: 2 with bugs, 1 failed, 2 not run");
  }

  @Test
  void sarifShouldBeOneRunWithTheResultsOfAllCampaigns() throws IOException {
    threeCampaigns();
    JsonNode log = sarif();

    assertThat(log.get("runs")).hasSize(1);
    JsonNode run = log.at("/runs/0");
    int expected = 0;
    for (String campaign : List.of("first", "second")) {
      JsonNode own =
          Json.read(runs.resolve(campaign).resolve("1/report.sarif"), JsonNode.class)
              .at("/runs/0/results");
      for (JsonNode result : own) {
        JsonNode merged = run.get("results").get(expected);
        assertThat(merged.at("/properties/campaign").asText()).isEqualTo(campaign);
        assertThat(merged.get("partialFingerprints")).isEqualTo(result.get("partialFingerprints"));
        assertThat(run.at("/tool/driver/rules").get(merged.get("ruleIndex").asInt()).get("id"))
            .isEqualTo(result.get("ruleId"));
        expected++;
      }
    }
    assertThat(run.get("results")).hasSize(expected);
    assertThat(expected).isGreaterThan(2);
    assertThat(run.get("invocations")).hasSize(5);
    assertThat(run.at("/invocations/2/exitCode").asInt()).isEqualTo(3);
    assertThat(run.at("/invocations/2/toolExecutionNotifications/0/message/text").asText())
        .startsWith("broken: no such file");
  }

  @Test
  void sarifShouldBeValid() throws IOException {
    threeCampaigns();
    try (InputStream schema =
        SweepFilesTest.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json")) {
      Schema valid =
          SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
              .getSchema(new ObjectMapper().readTree(schema));
      assertThat(valid.validate(sarif())).isEmpty();
    }
  }

  @Test
  void baseThatMeansAnotherDirectoryShouldGetANameOfItsOwn() throws IOException {
    begin("a", "b", "c");
    for (String campaign : List.of("a", "b", "c")) {
      Path directory = directory(campaign);
      String root = campaign.equals("c") ? "a" : campaign;
      Files.writeString(
          directory.resolve("report.sarif"),
          """
          {"runs": [{"originalUriBaseIds": {"SRCROOT": {"uri": "file:///%s/"}}, "results": [
            {"ruleId": "later", "locations": [{"physicalLocation": {"artifactLocation":
              {"uri": "x.c", "uriBaseId": "SRCROOT"}}}]}],
            "tool": {"driver": {"rules": [{"id": "later"}]}}}]}"""
              .formatted(root));
      history.add(Reports.complete(campaign, NIGHT, List.of(A)), directory);
    }
    written();
    JsonNode run = sarif().at("/runs/0");

    assertThat(run.at("/originalUriBaseIds/SRCROOT/uri").asText()).isEqualTo("file:///a/");
    assertThat(run.at("/originalUriBaseIds/SRCROOT-2/uri").asText()).isEqualTo("file:///b/");
    assertThat(run.get("results"))
        .extracting(
            one -> one.at("/locations/0/physicalLocation/artifactLocation/uriBaseId").asText())
        .containsExactly("SRCROOT", "SRCROOT-2", "SRCROOT");
    assertThat(run.at("/tool/driver/rules").get(run.at("/results/0/ruleIndex").asInt()).get("id"))
        .hasToString("\"later\"");
  }

  @Test
  void testsShouldBeOneFileInWhichAFailedCampaignIsAnError() throws Exception {
    threeCampaigns();
    Element root =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(runs.resolve(SweepFiles.JUNIT).toFile())
            .getDocumentElement();
    NodeList suites = root.getElementsByTagName("testsuite");

    assertThat(root.getTagName()).isEqualTo("testsuites");
    assertThat(suites.getLength()).isEqualTo(5);
    assertThat(root.getAttribute("tests"))
        .isEqualTo("" + root.getElementsByTagName("testcase").getLength());
    assertThat(root.getAttribute("errors"))
        .isEqualTo("" + root.getElementsByTagName("error").getLength());
    assertThat(root.getAttribute("skipped"))
        .isEqualTo("" + root.getElementsByTagName("skipped").getLength());
    assertThat(((Element) suites.item(2)).getElementsByTagName("error").item(0).getTextContent())
        .isEqualTo("no such file: " + HOSTILE + "\nand more");
    assertThat(((Element) suites.item(3)).getElementsByTagName("skipped").getLength()).isOne();
  }

  @Test
  void summaryShouldBeginWithTheTotalsAndShowNoMarkupOfATarget() throws IOException {
    threeCampaigns();
    String text = Files.readString(runs.resolve(SweepFiles.SUMMARY));

    assertThat(text)
        .startsWith("# Powercut: 5 campaigns: 2 with bugs, 1 failed, 2 not run\n")
        .containsSubsequence("## New (2)", "## Failed (1)", "## 2 with bugs", "## Not run (2)")
        .contains("``no such file: `x`|@all</details>``", "`" + A + "`")
        .doesNotContain("and more");
  }

  @Test
  void removedRunShouldBeSaidToBeMissing() throws IOException {
    begin("gone");
    history.add(Reports.complete("gone", NIGHT, List.of(A)), runs.resolve("gone/1"));
    written();

    assertThat(sarif().at("/runs/0/invocations/0/executionSuccessful").asBoolean()).isFalse();
    assertThat(runs.resolve(SweepFiles.JUNIT)).content().contains("not there any more");
  }
}
