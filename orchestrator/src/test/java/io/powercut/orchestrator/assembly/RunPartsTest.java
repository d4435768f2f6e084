// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.RunContext;
import io.powercut.orchestrator.session.Session;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is open while a run lasts, and what is made of it; the target is not run. */
class RunPartsTest {
  @RegisterExtension private final HandRun run = HandRun.open();

  private String pm() throws IOException {
    return "pm: {directory: %s}\n".formatted(Files.createDirectories(run.folder().resolve("pm")));
  }

  private Session open(Campaign campaign) throws IOException {
    RunDirectory directory = new RunDirectory(run.folder().resolve("run"));
    Files.createDirectories(directory.outputDirectory());
    return Session.open(campaign, directory, Progress.SILENT, new Timings());
  }

  private static long entries(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  @Test
  void sessionShouldKeepPmFilesWhereTheCampaignWantsAndRemoveThem() throws IOException {
    Path pm = run.folder().resolve("pm");
    try (Session session = open(run.campaign(pm() + "limits: {parallel: 3}\n"))) {
      RunContext context = session.context();

      assertThat(context.area().root()).startsWith(pm);
      assertThat(context.parallel()).isEqualTo(3);
      assertThat(context.resources().parallel()).isEqualTo(3);
      assertThat(context.workplace().directory()).isEqualTo(context.directory());
      context.checkInterrupted();
      context.interrupted().set(true);
      assertThatThrownBy(context::checkInterrupted).hasMessageContaining("interrupted");
      context.interrupted().set(false); // Else its hook waits for the end of the JVM.
    }
    assertThat(entries(pm)).isZero();
  }

  @Test
  void workersShouldBeAsManyAsProcessorsUnlessTheCampaignSaysOtherwise() throws IOException {
    try (Session session = open(run.campaign(pm()))) {
      assertThat(session.context().parallel())
          .isEqualTo(Runtime.getRuntime().availableProcessors());
    }
  }

  @Test
  void directoryThatCannotHoldPmFilesShouldBeRefusedWithTheKey() throws IOException {
    Path file = Files.writeString(run.folder().resolve("file"), "no directory");
    Campaign campaign = run.campaign("pm: {directory: %s}\n".formatted(file));

    assertThatThrownBy(() -> open(campaign).close())
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("Set pm.directory to another directory");
  }

  @Test
  void stateAfterSetUpShouldBeRefusedIfRecoveryRefusesIt() throws IOException {
    String recovery = "recovery: {command: [grep, -q, good, '{pm}/pool']}\n";
    String setUp = "setup: {command: [sh, -c, 'echo %s > $1/pool', sh, '{pm}']}\n";

    controlSetUp(run.campaign(pm() + recovery + setUp.formatted("good")));
    Campaign bad = run.campaign(pm() + recovery + setUp.formatted("bad"));
    assertThatThrownBy(() -> controlSetUp(bad))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("recovery does not accept the state after set-up");
  }

  private void controlSetUp(Campaign campaign) throws IOException {
    try (Session session = open(campaign)) {
      RunParts parts = new RunParts(session.context());
      try (ExecutionDirectories base = parts.preparation().setUp()) {
        parts.controlSetUp(base.pm());
      }
    }
  }
}
