// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A change of a name or a size is acknowledged, and the power cut undoes it. */
@Tag("campaign")
class LostMetadataTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    Path program = workbench.compile("programs/directory.c");
    Path campaign =
        workbench.write(
            "directory.yaml",
            """
            name: directory
            parameters: {habits: correct}
            target: {command: [%1$s, run, "{habits}", "{pm}"]}
            recovery: {command: [%1$s, check, "{habits}", "{pm}", "{acknowledged}"]}
            patterns: {enabled: false}
            """
                .formatted(program));
    runs = new CampaignRuns(workbench, campaign, "directory", "parameters.habits", List.of());
  }

  private static List<String> titles(Report report) {
    return report.findings().stream()
        .map(finding -> finding.title().replaceAll(" at \\S*/directory\\.c:\\d+", ""))
        .toList();
  }

  private static String ofDirectory(String change, String directory) {
    return change
        + " is acknowledged before its directory is synchronised: call fsync on "
        + directory
        + " after it, before it is acknowledged (verified)";
  }

  @ParameterizedTest
  @CsvSource({
    "rename, the rename of value.new to value at replace, that directory",
    "late, the rename of value.new to value at replace, that directory",
    "create, the creation of marks/1 at mark, the directory marks",
    "unlink, the unlink of marks/1 at unmark, the directory marks",
    "adopt, the link to marks/adopted1 at adopt, the directory marks",
  })
  void changeOfANameShouldBeSynchronisedBeforeItIsAcknowledged(
      String habit, String change, String directory) throws Exception {
    assertThat(titles(runs.report(habit))).containsExactly(ofDirectory(change, directory));
  }

  @Test
  void changeOfASizeShouldBeSynchronisedToo() throws Exception {
    assertThat(titles(runs.report("resize")))
        .containsExactly(
            "the resize of log at cut is acknowledged before the file is synchronised: call fsync"
                + " on the file after it, before it is acknowledged (verified)");
  }

  /** Through a descriptor with O_DSYNC it is durable, and the correct program does that. */
  @Test
  void roomThatIsAllocatedShouldBeSynchronisedToo() throws Exception {
    assertThat(titles(runs.report("grow")))
        .singleElement()
        .asString()
        .startsWith("the resize of room at grow is acknowledged before the file is synchronised");
  }

  @Test
  void everyMistakeShouldBeAFinding() throws Exception {
    assertThat(titles(runs.report("rename,resize,create,unlink")))
        .extracting(title -> title.replaceAll(" (of|is) .*", ""))
        .containsExactlyInAnyOrder("the rename", "the resize", "the creation", "the unlink");
  }

  @Test
  void correctProgramShouldHaveNoFinding() throws Exception {
    Report report = runs.report("correct");
    assertThat(report.findings()).isEmpty();
    assertThat(report.outcome().complete()).isTrue();
  }

  /** A file whose contents are synchronised may still have its former name. */
  @Test
  void lostContentsAndALostNameShouldBeTwoMistakes() throws Exception {
    assertThat(titles(runs.report("unsynchronised")))
        .containsExactlyInAnyOrder(
            "the store at replace is not synchronised: call fsync on the file before the rename to"
                + " value (verified)",
            ofDirectory("the rename of value.new to value at replace", "that directory"));
  }

  @Test
  void campaignShouldBeAbleToLeaveItOut() throws Exception {
    assertThat(runs.report("rename", "crashStates.metadataLost=false").findings()).isEmpty();
  }

  @Test
  void findingShouldBeReplayed() throws Exception {
    Report report = runs.report("create");
    Finding finding = report.findings().get(0);
    InjectionEvidence proof = finding.injection().orElseThrow();
    Path run = runs.latest();
    assertThat(run.resolve(proof.image().orElseThrow()).resolve("marks/1")).doesNotExist();
    assertThat(proof.replay()).contains("--state " + proof.lostMetadata().orElseThrow().id());

    Workbench.Said said = Workbench.powercut("replay", run.toString(), finding.fingerprint());

    assertThat(said.output())
        .contains("lost: the creation of marks/1", "recovery said: a mark is missing");
    assertThat(said.exitCode()).isEqualTo(1);
    assertThat(said.errors()).doesNotContain("differs");
  }

  @Test
  void everyFormOfTheReportShouldNameTheChange() throws Exception {
    runs.report("create");
    Path run = runs.latest();
    assertThat(Files.readString(run.resolve("report.html")))
        .contains("Undone: <code>the creation of marks/1</code>");
    assertThat(Files.readString(run.resolve("report.sarif")))
        .contains("lost: the creation of marks/1");
    assertThat(Files.readString(run.resolve("junit.xml")))
        .contains("lost: the creation of marks/1");
    assertThat(Workbench.powercut("report", run.toString()).output())
        .contains("lost: the creation of marks/1, by mark");
  }
}
