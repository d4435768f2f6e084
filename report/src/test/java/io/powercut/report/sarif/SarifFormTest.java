// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sarif;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.powercut.analysis.PatternKind;
import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportedRun;
import io.powercut.tree.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SarifFormTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Schema SCHEMA = officialSchema();

  @TempDir private Path directory;

  /** The standard's own schema, which comes with a library of its classes. */
  private static Schema officialSchema() {
    try (InputStream schema =
        SarifFormTest.class.getResourceAsStream("/schema/sarif-schema-2.1.0.json")) {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
          .getSchema(MAPPER.readTree(schema));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode write(ReportedRun run) throws IOException {
    StringWriter out = new StringWriter();
    new SarifForm().write(run, out);
    JsonNode log = MAPPER.readTree(out.toString());
    assertThat(SCHEMA.validate(log)).isEmpty();
    return log;
  }

  private static JsonNode only(JsonNode log) {
    assertThat(log.get("runs")).hasSize(1);
    return log.get("runs").get(0);
  }

  private static JsonNode result(JsonNode log, String fingerprint) {
    for (JsonNode result : only(log).get("results")) {
      if (result.at("/partialFingerprints/powercut~1v1").asText().equals(fingerprint)) {
        return result;
      }
    }
    throw new AssertionError("no result " + fingerprint);
  }

  /** The finding of the sample run that injection and trace both show. */
  private JsonNode crashed(JsonNode log) {
    return result(log, SampleRuns.withFindings(directory).report().findings().get(0).fingerprint());
  }

  private ReportedRun of(Path campaign, StackFrame... stack) {
    Finding finding =
        SampleRuns.finding(
            "REDUNDANT_FLUSH",
            Severity.PERFORMANCE,
            "aaaaaaaaaaaaaaaa",
            List.of(
                new TraceEvidence(
                    PatternKind.REDUNDANT_FLUSH,
                    Severity.PERFORMANCE,
                    "seen",
                    List.of(new TraceEvidence.Place("flush", "clwb", List.of(stack))),
                    3,
                    Optional.of(0.5),
                    "pool",
                    64)));
    return in(campaign, SampleRuns.with(SampleRuns.nothing(directory), List.of(finding)));
  }

  private static ReportedRun in(Path campaign, ReportedRun run) {
    Report report = run.report();
    Report.CampaignSummary summary = report.campaign();
    return new ReportedRun(
        new Report(
            report.format(),
            new Report.CampaignSummary(
                summary.name(),
                campaign.toString(),
                summary.injection(),
                summary.granularity(),
                summary.started(),
                summary.targetBuildId(),
                summary.shard()),
            report.outcome(),
            report.failurePoints(),
            report.images(),
            report.verdicts(),
            report.states(),
            report.recoveryCrashes(),
            report.trace(),
            report.races(),
            report.dataRaces(),
            report.findings(),
            report.untested(),
            report.baseline(),
            Map.of("out of budget", 7L),
            report.controls(),
            report.outside(),
            report.timings(),
            report.environment()),
        run.tree(),
        run.verdicts(),
        run.directory());
  }

  @Test
  void schemaShouldRefuseWhatIsNoSarif() throws IOException {
    ObjectNode log = (ObjectNode) write(SampleRuns.withFindings(directory));
    ((ObjectNode) crashed(log)).put("level", "fatal");

    assertThat(SCHEMA.validate(log)).isNotEmpty();
  }

  @Test
  void runWithoutFindingsShouldHaveNoResults() throws IOException {
    JsonNode run = only(write(SampleRuns.nothing(directory)));

    assertThat(run.get("results")).isEmpty();
    assertThat(run.at("/invocations/0/exitCode").asInt(-1)).isZero();
    assertThat(run.at("/invocations/0/startTimeUtc").asText()).isEqualTo("2026-01-31T11:00:00Z");
    assertThat(run.at("/automationDetails/id").asText()).isEqualTo("powercut/sample/");
  }

  @Test
  void findingsShouldHaveLevelsRulesAndFingerprints() throws IOException {
    JsonNode log = write(SampleRuns.withFindings(directory));

    assertThat(only(log).get("results")).hasSize(4);
    assertThat(crashed(log).get("level").asText()).isEqualTo("error");
    assertThat(result(log, "bbbbbbbbbbbbbbbb").get("level").asText()).isEqualTo("warning");
    assertThat(only(log).at("/invocations/0/exitCode").asInt()).isEqualTo(1);
    JsonNode rules = only(log).at("/tool/driver/rules");
    for (JsonNode result : only(log).get("results")) {
      JsonNode rule = rules.get(result.get("ruleIndex").asInt());
      assertThat(rule.get("id")).isEqualTo(result.get("ruleId"));
      assertThat(rule.at("/help/text").asText()).isNotBlank();
      assertThat(rule.get("helpUri").asText()).startsWith("file:///").endsWith(".md");
    }
  }

  @Test
  void warningShouldBeThereIfItIsAskedFor() throws IOException {
    Finding warning =
        SampleRuns.finding(
            "DIRTY_OVERWRITE",
            Severity.WARNING,
            "cccccccccccccccc",
            List.of(SampleRuns.pattern(PatternKind.DIRTY_OVERWRITE, Severity.WARNING)));
    ReportedRun nothing = SampleRuns.nothing(directory);

    assertThat(only(write(SampleRuns.with(nothing, List.of(warning)))).get("results")).isEmpty();
    JsonNode log = write(SampleRuns.with(nothing, List.of(warning.judged(true, Optional.empty()))));
    assertThat(result(log, "cccccccccccccccc").get("level").asText()).isEqualTo("note");
  }

  @Test
  void everyKindOfFindingShouldHaveItsRule() throws IOException {
    List<Finding> findings = new ArrayList<>();
    List<String> kinds = new ArrayList<>(List.of("UNRECOVERABLE", "CRASHED", "HUNG"));
    for (PatternKind kind : PatternKind.values()) {
      kinds.add(kind.name());
    }
    for (String level : List.of("lockset", "region", "observed", "consequence")) {
      kinds.add(SampleRuns.race(level, 10, 30, 20, Optional.empty()).kind());
    }
    kinds.add(SampleRuns.dataRace(true).kind());
    kinds.add(SampleRuns.dataRace(false).kind());
    for (String kind : kinds) {
      List<Evidence> evidence =
          List.of(SampleRuns.pattern(PatternKind.NOT_PERSISTED, Severity.BUG));
      findings.add(
          SampleRuns.finding(kind, Severity.BUG, "%016x".formatted(kinds.indexOf(kind)), evidence));
    }
    JsonNode log = write(SampleRuns.with(SampleRuns.nothing(directory), findings));

    assertThat(only(log).get("results")).hasSize(kinds.size());
    assertThat(only(log).at("/tool/driver/rules")).hasSize(kinds.size());
  }

  @Test
  void dataRaceShouldLeadFromOneAccessToTheOther() throws IOException {
    Finding race =
        SampleRuns.finding(
            "DATA_RACE", Severity.RACE, "dddddddddddddddd", List.of(SampleRuns.dataRace(true)));
    JsonNode result =
        result(
            write(SampleRuns.with(SampleRuns.nothing(directory), List.of(race))),
            "dddddddddddddddd");

    assertThat(result.get("ruleId").asText()).isEqualTo("data-race");
    assertThat(result.get("stacks"))
        .extracting(stack -> stack.at("/message/text").asText())
        .containsExactly(
            "write of 8 bytes by thread 2, with global lock_put",
            "read of 8 bytes by thread 3, with global lock_get",
            "allocated");
  }

  @Test
  void raceShouldLeadFromTheStoreToItsPersistAndTheLoad() throws IOException {
    JsonNode race = result(write(SampleRuns.withFindings(directory)), "eeeeeeeeeeeeeeee");

    assertThat(race.get("ruleId").asText()).isEqualTo("observed-race");
    assertThat(race.get("level").asText()).isEqualTo("warning");
    assertThat(race.at("/stacks/0/message/text").asText()).isEqualTo("stored by thread 2");
    assertThat(race.at("/stacks/1/message/text").asText()).isEqualTo("persisted by thread 2");
    assertThat(race.at("/stacks/2/message/text").asText()).isEqualTo("loaded by thread 3");
    assertThat(race.at("/relatedLocations")).hasSize(2);
  }

  @Test
  void onlyAcceptedFindingsShouldBeSuppressedWithTheirReason() throws IOException {
    JsonNode log = write(SampleRuns.withFindings(directory));
    JsonNode suppressions = result(log, "dddddddddddddddd").get("suppressions");

    assertThat(suppressions).hasSize(1);
    assertThat(suppressions.get(0).get("kind").asText()).isEqualTo("external");
    assertThat(suppressions.get(0).get("justification").asText()).isEqualTo("only a demonstration");
    assertThat(crashed(log).has("suppressions")).isFalse();
  }

  @Test
  void everyStackShouldBeThereAsStackAndAsCodeFlow() throws IOException {
    JsonNode crashed = crashed(write(SampleRuns.withFindings(directory)));

    // The power cut, the crash of recovery, and the two places of the pattern.
    assertThat(crashed.get("stacks")).hasSize(4);
    assertThat(crashed.get("codeFlows")).hasSize(4);
    JsonNode steps = crashed.at("/codeFlows/0/threadFlows/0/locations");
    JsonNode frames = crashed.at("/stacks/0/frames");
    assertThat(steps).hasSize(frames.size()).hasSize(3);
    assertThat(steps.at("/0/location/logicalLocations/0/name").asText()).isEqualTo("main");
    assertThat(steps.at("/2/location/message/text").asText()).isEqualTo("power cut before clwb");
    assertThat(frames.at("/0/location/logicalLocations/0/name").asText()).isEqualTo("pmem_persist");
    assertThat(crashed.get("relatedLocations")).hasSize(3);
    assertThat(crashed.at("/message/text").asText()).contains("SIGSEGV", "Replay: ", "powercut");
  }

  @Test
  void sourceInTheRepositoryShouldBeFoundByItsPathThere() throws IOException {
    Path repository = Files.createDirectories(directory.resolve("my repo"));
    Files.createDirectory(repository.resolve(".git"));
    Path campaign = Files.createFile(repository.resolve("app.yaml"));
    Path sources = Files.createDirectories(repository.resolve("src/a b"));
    Path source = Files.createFile(sources.resolve("map#1.c"));
    JsonNode log =
        write(
            of(
                campaign,
                new StackFrame("memcpy", "/usr/src/libc/memcpy.c", 3, "libc.so", "0x1"),
                new StackFrame("flush", source.toString(), 12, "app", "0x2"),
                new StackFrame("main", source.toString(), 40, "app", "0x3")));

    JsonNode result = result(log, "aaaaaaaaaaaaaaaa");
    JsonNode place = result.at("/locations/0/physicalLocation");
    assertThat(place.at("/artifactLocation/uri").asText()).isEqualTo("src/a%20b/map%231.c");
    assertThat(place.at("/artifactLocation/uriBaseId").asText()).isEqualTo("SRCROOT");
    assertThat(place.at("/region/startLine").asInt()).isEqualTo(12);
    assertThat(only(log).at("/originalUriBaseIds/SRCROOT/uri").asText())
        .isEqualTo(repository.toRealPath().toUri().toString());
    assertThat(
            result.at("/stacks/0/frames/0/location/physicalLocation/artifactLocation/uri").asText())
        .isEqualTo("file:///usr/src/libc/memcpy.c");
  }

  @Test
  void sourceOutsideAnyRepositoryShouldKeepItsPath() throws IOException {
    JsonNode log =
        write(
            of(
                directory.resolve("app.yaml"),
                new StackFrame("", "", 0, "libpmem.so", "0x1"),
                new StackFrame("flush", "/nowhere/map.c", 0, "app", "0x2")));
    JsonNode place = result(log, "aaaaaaaaaaaaaaaa").at("/locations/0/physicalLocation");

    assertThat(place.at("/artifactLocation/uri").asText()).isEqualTo("file:///nowhere/map.c");
    assertThat(place.at("/artifactLocation").has("uriBaseId")).isFalse();
    assertThat(place.has("region")).isFalse();
    assertThat(only(log).has("originalUriBaseIds")).isFalse();
  }

  @Test
  void stackWithoutAnySourceShouldStillBeAResult() throws IOException {
    JsonNode log =
        write(
            of(
                directory.resolve("app.yaml"),
                new StackFrame("flush", "map.c", 7, "app", "0x2"),
                new StackFrame("", "", 0, "app", "0x3")));
    JsonNode location = result(log, "aaaaaaaaaaaaaaaa").at("/locations/0");

    assertThat(location.has("physicalLocation")).isFalse();
    assertThat(location.at("/logicalLocations/0/name").asText()).isEqualTo("flush");
  }

  @Test
  void whatWasNotJudgedShouldBeNotified() throws IOException {
    JsonNode log = write(of(directory.resolve("app.yaml")));

    assertThat(only(log).at("/invocations/0/toolExecutionNotifications/0/message/text").asText())
        .isEqualTo("7 failure points were not judged: out of budget");
  }
}
