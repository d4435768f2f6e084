// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.powercut.report.evidence.Judgement;
import io.powercut.report.facts.OracleControls;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modes, owners, names, links, extended attributes and holes, in whole runs. */
@Tag("campaign")
class FileAttributesTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path program;

  @BeforeAll
  static void compile() {
    program = workbench.compile("programs/kept.c");
  }

  private static Path campaign(String wrong) {
    return workbench.write(
        wrong + ".yaml",
        """
        name: kept-%s
        pm: {directory: "%s", limit: 8MiB}
        setup: {command: ["%s", setup, "{pm}"], timeout: 10s}
        target: {command: ["%s", run, "%s", "{pm}"], timeout: 60s}
        recovery: {command: ["%s", check, "{pm}"], timeout: 10s}
        """
            .formatted(wrong, workbench.pm(), program, program, wrong, program));
  }

  private static Path latest(String wrong) {
    try {
      return workbench.runs().resolve("kept-" + wrong).resolve("latest").toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void recoveryThatLooksAtThemShouldFindNothingWrongInACorrectProgram() {
    Workbench.Said said = workbench.runCampaign(campaign("none"));

    assertThat(said.exitCode()).as(said.output() + said.errors()).isZero();
    assertThat(Workbench.tree(latest("none")).size()).isGreaterThan(20);
    assertThat(said.errors()).doesNotContain("copies and images lose");
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret", "vault", "seal", "twins", "replace", "switch", "mark", "vast"})
  void mistakeThatShowsInThemShouldBeFound(String wrong) throws IOException {
    assumeThat(!wrong.equals("mark") || hasMarks()).as("no extended attributes here").isTrue();

    Workbench.Said run = workbench.runCampaign(campaign(wrong));

    assertThat(run.exitCode()).as(run.output() + run.errors()).isEqualTo(1);
    assertThat(Workbench.judgements(latest(wrong)))
        .filteredOn(Judgement::isBug)
        .isNotEmpty()
        .allSatisfy(judgement -> assertThat(judgement.output()).contains("broken: " + wrong));
  }

  /** tmpfs has those of users since Linux 6.6. */
  private static boolean hasMarks() throws IOException {
    Path file = Files.createFile(workbench.pm().resolve("marked"));
    try {
      Files.setAttribute(file, "user:try", ByteBuffer.allocate(1));
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    } finally {
      Files.delete(file);
    }
  }

  /** Done to both names, inversion would be undone. */
  @Test
  void fileOfTwoNamesShouldBeDamagedOnceForTheControls() {
    workbench.runCampaign(campaign("alone"));

    assertThat(Workbench.report(latest("alone")).controls().orElseThrow().damaged())
        .extracting(OracleControls.Damaged::how)
        .contains("all bytes that the run changed inverted");
  }

  @Test
  void bothWaysOfInjectionShouldGiveTheSameImages() {
    Workbench.Said said = Workbench.powercut("verify", campaign("none").toString());

    assertThat(said.exitCode()).as(said.output() + said.errors()).isZero();
  }

  @Test
  void keptImageShouldHaveThemAndReplay() throws IOException {
    workbench.runCampaign(campaign("seal"));
    Judgement bug =
        Workbench.judgements(latest("seal")).stream()
            .filter(Judgement::isBug)
            .findFirst()
            .orElseThrow();
    RunDirectory directory = RunDirectory.open(latest("seal"));
    Path image = directory.path().resolve(bug.image().orElseThrow());

    assertThat(Files.getAttribute(image.resolve("sealed"), "unix:mode")).isEqualTo(0100400);
    assertThat(Files.isSameFile(image.resolve("twin a"), image.resolve("twin b"))).isTrue();
    Workbench.Said said =
        Workbench.powercut("replay", latest("seal").toString(), bug.failurePointId().toString());
    assertThat(said.output() + said.errors())
        .contains("broken: seal")
        .doesNotContain("differs from the judged one");
  }
}
