// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code powercut run} with {@code dataRaces}: what the three forms of report say of them. */
@Tag("campaign")
class DataRaceCampaignTest {
  @RegisterExtension private final Workbench workbench = Workbench.with("data-races");

  private static Path campaign() {
    return Workbench.home().resolve("configs/data-races.yaml");
  }

  private Said run(String... settings) {
    return workbench.runCampaign(
        campaign(),
        Stream.of(settings).flatMap(setting -> Stream.of("--set", setting)).toArray(String[]::new));
  }

  private Report report() {
    return Workbench.report(latest());
  }

  private Path latest() {
    return workbench.runs().resolve("data-races/latest");
  }

  private static List<String> kinds(Report report) {
    return report.findings().stream()
        .filter(finding -> !finding.dataRaces().isEmpty())
        .flatMap(finding -> finding.kinds().stream())
        .distinct()
        .toList();
  }

  @Test
  void racesShouldBeFindingsInAllForms() throws IOException {
    Said said = run();

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output()).contains("RACE data race  ", "global next_slot");
    assertThat(kinds(report())).contains("DATA_RACE", "OBSERVED_RACE");
    assertThat(report().dataRaces().orElseThrow().runs()).isEqualTo(3);
    RunDirectory directory = RunDirectory.open(latest());
    for (String form : List.of("report.html", "report.sarif", "junit.xml")) {
      assertThat(Files.readString(directory.path().resolve(form)))
          .as(form)
          .contains("and nothing orders them", "visits.c");
    }
  }

  /** The place that reads before the persist also reads without any order. */
  @Test
  void raceThatIsPersistencyInducedTooShouldBeOneFinding() {
    run();

    List<Finding> both =
        report().findings().stream()
            .filter(finding -> !finding.races().isEmpty() && !finding.dataRaces().isEmpty())
            .toList();
    assertThat(both).hasSize(1);
    assertThat(both.get(0).fails()).isTrue();
    assertThat(both.get(0).dataRaces().get(0).object().name())
        .isEqualTo("byte 0 of the mapped file visits");
  }

  @Test
  void correctTwinShouldHaveNone() {
    Said said = run("parameters.variant=fixed");

    assertThat(said.exitCode()).as(said.output()).isZero();
    assertThat(said.output()).contains("data races      none in 3 runs\n");
    assertThat(kinds(report())).isEmpty();
  }

  @Test
  void suppressedRacesShouldOnlyBeCounted() {
    Said said =
        run("dataRaces.suppress=[{function: last_visitor}, {file: visits.c, function: visit}]");

    assertThat(said.exitCode()).as(said.output()).isZero();
    assertThat(kinds(report())).isEmpty();
    assertThat(report().dataRaces().orElseThrow().suppressed()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void acceptedRacesShouldNotFailTheRun() {
    Path baseline = workbench.directory().resolve("accepted.yaml");
    run("baseline=" + baseline);
    for (Finding finding : report().findings()) {
      if (finding.fails()) {
        Said said =
            Workbench.powercut(
                "accept", finding.fingerprint(), "--run", latest().toString(), "--reason", "known");
        assertThat(said.exitCode()).as(said.errors()).isZero();
      }
    }

    Said again = run("baseline=" + baseline);

    assertThat(again.output()).contains("accepted race");
    assertThat(report().findings().stream().filter(Finding::fails).map(Finding::title))
        .allMatch(title -> title.contains("visits.c:51"));
  }

  /** Code does not tell atomic loads from plain ones, so nothing is confirmed. */
  @Test
  void recordedTargetShouldOnlyHaveSuspectedRaces() {
    Said said = run("dataRaces.backend=recorder", "dataRaces.runs=1");

    assertThat(said.output())
        .containsPattern("data races      none in one run, \\d+ unconfirmed\n");
    assertThat(kinds(report())).contains("UNCONFIRMED_DATA_RACE").doesNotContain("DATA_RACE");
  }

  @Test
  void targetThatWasCompiledInAnotherWayShouldBeRefused() {
    Said said = run("target.command=[/bin/true]");

    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors())
        .contains("dataRaces: the target: the program says nothing", "powercut cc");
  }
}
