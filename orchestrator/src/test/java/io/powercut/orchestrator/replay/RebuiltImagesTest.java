// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.judging.CopiedImages;
import io.powercut.orchestrator.nestedcrash.RecordedRecovery;
import io.powercut.orchestrator.recovery.HandRecovery;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.trace.TraceEvent.OutputKind;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Crash images that are built again from another recording. */
class RebuiltImagesTest {
  /** In images, a file with two names goes by the first of them. */
  private static final String OTHER_NAME = "another";

  private static final TargetByHand.Program PROGRAM =
      calls -> {
        calls.store(10, 0, 1).say("put 1\n").store(20, 1, 1).flush(21, 1).fence(22);
        calls.store(10, 0, 2).say("put 2\n").store(20, 1, 2).flush(21, 1).fence(22);
        calls.link(OTHER_NAME).store(10, 0, 3).store(20, 1, 3).flush(21, 1).fence(22);
      };

  private static final WantedState IN_ORDER = new WantedState(List.of());

  @RegisterExtension private final HandRun run = HandRun.open();

  private Path directory() throws IOException {
    return Files.createTempDirectory(run.folder(), "rebuilt");
  }

  private static String words(Path pm) throws IOException {
    byte[] pool = Files.readAllBytes(pm.resolve(TargetByHand.FILE));
    return pool[0] + " " + pool[64];
  }

  private RebuiltState.Result rebuild(
      long occurrence, Path directory, AcknowledgedLog log, JudgedState.Line... lines)
      throws IOException {
    Campaign campaign = run.campaign();
    InstrumentedRun target =
        new InstrumentedRun(campaign, new TargetByHand(PROGRAM), run.resources(), Progress.SILENT);
    return new RebuiltState(campaign, target, run.resources(), new WantedState(List.of(lines)))
        .at(new Occurrence(TargetByHand.stack(21).id(), occurrence), run.base(), directory, log);
  }

  private AcknowledgedLog log() {
    return AcknowledgedLog.open(Set.of(OutputKind.STANDARD_OUTPUT), run.resources().area());
  }

  private static JudgedState.Line line(int line, String firstByte) {
    return new JudgedState.Line(TargetByHand.FILE, line * 64L, firstByte + "00".repeat(63));
  }

  @Test
  void imageShouldBeThatOfTheOccurrenceWithWhatWasAcknowledgedThere() throws IOException {
    Path image = directory();
    try (AcknowledgedLog log = log()) {
      assertThat(rebuild(2, image, log)).isEqualTo(RebuiltState.Result.WRITTEN);
      assertThat(log.now().orElseThrow().lines()).isEqualTo(2);
    }
    assertThat(words(image)).isEqualTo("2 2");
  }

  @Test
  void stateShouldBeRebuiltFromTheLinesThatWereNotAsInProgramOrder() throws IOException {
    Path image = directory();
    try (AcknowledgedLog log = log()) {
      assertThat(rebuild(2, image, log, line(0, "00"))).isEqualTo(RebuiltState.Result.WRITTEN);
    }
    assertThat(words(image)).isEqualTo("0 2");
  }

  @Test
  void fileWithTwoNamesShouldBeTheOneThatImagesName() throws IOException {
    Path image = directory();
    JudgedState.Line lost = new JudgedState.Line(OTHER_NAME, 0, "00".repeat(64));
    try (AcknowledgedLog log = log()) {
      assertThat(rebuild(3, image, log, lost)).isEqualTo(RebuiltState.Result.WRITTEN);
    }
    assertThat(words(image)).isEqualTo("0 3");
  }

  @Test
  void stateThatIsNotPossibleThereShouldNotBeRebuilt() throws IOException {
    try (AcknowledgedLog log = log()) {
      assertThat(rebuild(2, directory(), log, line(0, "77")))
          .isEqualTo(RebuiltState.Result.NOT_POSSIBLE);
      assertThat(rebuild(4, directory(), log)).isEqualTo(RebuiltState.Result.NOT_REACHED);
    }
  }

  @Test
  void imageOfACrashDuringRecoveryShouldBeThatBeforeItsInstruction() throws IOException {
    Campaign campaign = run.campaign("recovery: {command: ['true'], inject: true}\n");
    Path image = directory();
    RecoveryCrash wanted =
        new RecoveryCrash(
            TargetByHand.stack(21).id(), 1, campaign.recovery().get(0).name(), "clwb", List.of());
    try (HandRecovery recovery = new HandRecovery(campaign, run.folder(), PROGRAM)) {
      RecordedRecovery recorded =
          new RecordedRecovery(
              campaign, recovery.steps(), run.resources(), Progress.SILENT, () -> true);
      CopiedImages first = new CopiedImages(run.base(), Optional.empty(), run.resources().area());

      assertThat(new RebuiltSecond(recorded, Progress.SILENT, wanted, IN_ORDER).on(first, image))
          .isTrue();
      assertThat(
              new RebuiltSecond(
                      recorded,
                      Progress.SILENT,
                      new RecoveryCrash(new FailurePointId(1), 1, "recovery", "clwb", List.of()),
                      IN_ORDER)
                  .on(first, directory()))
          .isFalse();
    }
    assertThat(words(image)).isEqualTo("1 1");
  }
}
