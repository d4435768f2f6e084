// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.base.Stopwatch;
import io.powercut.campaign.Campaign;
import io.powercut.image.PmState;
import io.powercut.oracle.OracleSettings;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.YesSample;
import io.powercut.oracle.reads.Effort;
import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.ImageReads;
import io.powercut.orchestrator.judging.CopiedImages;
import io.powercut.orchestrator.judging.SupervisedRecovery;
import io.powercut.orchestrator.nestedcrash.CutRecovery;
import io.powercut.orchestrator.nestedcrash.RecordedRecovery;
import io.powercut.orchestrator.reads.RecordedReads;
import io.powercut.orchestrator.reads.WatchedReads;
import io.powercut.orchestrator.session.CommandOutcome;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.persistency.states.CrashStates;
import io.powercut.recorder.RecorderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recovery as processes, recorded or not, without Valgrind. */
class RecordedRecoveryTest {
  private static final String TWO_STEPS =
      """
      recovery:
        - {name: first, command: [sh, -c, 'echo first >> $1/steps', sh, '{run}']}
        - {name: second, command: ['true'], inject: true}
        - {name: third, command: [sh, -c, 'exit 9']}
      """;

  private static final TargetByHand.Program REDO =
      calls -> calls.store(10, 0, 1).flush(11, 0).fence(12).store(20, 1, 1).flush(21, 1).fence(22);

  @RegisterExtension private final HandRun run = HandRun.open();

  private CopiedImages images() {
    return new CopiedImages(run.base(), Optional.empty(), run.resources().area());
  }

  /** Takes all, and remembers the two words of each image. */
  private static final class Taken implements CutRecovery.Cuts {
    private final List<String> images = new ArrayList<>();
    private final List<String> inFlight = new ArrayList<>();

    @Override
    public boolean wants(CutRecovery.Point point, PmState state, Supplier<CrashStates> states) {
      return true;
    }

    @Override
    public void take(CutRecovery.Point point, CutRecovery.Left left) throws IOException {
      inFlight.add(point.instruction().label() + ": " + left.states().size());
      Path pm = Files.createTempDirectory("taken");
      try {
        left.image().writeTo(pm);
        byte[] pool = Files.readAllBytes(pm.resolve(TargetByHand.FILE));
        images.add("%s: %d %d".formatted(point.step(), pool[0], pool[64]));
      } finally {
        Files.delete(pm.resolve(TargetByHand.FILE));
        Files.delete(pm);
      }
    }
  }

  private Optional<String> follow(Campaign campaign, CutRecovery.Cuts cuts, boolean isTimeLeft)
      throws IOException {
    try (HandRecovery recovery = new HandRecovery(campaign, run.folder(), REDO)) {
      return new RecordedRecovery(
              campaign, recovery.steps(), run.resources(), Progress.SILENT, () -> isTimeLeft)
          .follow(images(), cuts);
    }
  }

  @Test
  void stepsShouldBeCutWhereTheyAreToBeAndNoStepShouldRunAfterTheLastOfThem() throws IOException {
    Taken taken = new Taken();

    assertThat(follow(run.campaign(TWO_STEPS), taken, true)).isEmpty();
    assertThat(taken.images).containsExactly("second: 1 0", "second: 1 1");
    assertThat(taken.inFlight).containsExactly("clwb: 1", "clwb: 1");
  }

  /** Without crash states there is nothing to lose, and the end is no failure point. */
  @ParameterizedTest
  @CsvSource({"true, 'clwb: 1, end-of-run: 1'", "false, clwb: 0"})
  void whatAStepNeverPersistsShouldBeInFlightAtItsEnd(boolean withStates, String inFlight)
      throws IOException {
    String sections =
        "recovery: {command: ['true'], inject: true}\nrecoveryCrash: {crashStates: %s}\n"
            .formatted(withStates);
    Taken taken = new Taken();
    Campaign campaign = run.campaign(sections);
    try (HandRecovery recovery =
        new HandRecovery(
            campaign,
            run.folder(),
            calls -> calls.store(10, 0, 1).flush(11, 0).fence(12).store(20, 1, 1))) {
      new RecordedRecovery(campaign, recovery.steps(), run.resources(), Progress.SILENT, () -> true)
          .follow(images(), taken);
    }

    assertThat(String.join(", ", taken.inFlight)).isEqualTo(inFlight);
  }

  @Test
  void stepThatBehavesDifferentlyUnderTheRecorderShouldBeTheReason() throws IOException {
    Taken taken = new Taken();
    Optional<String> problem =
        follow(
            run.campaign("recovery: {command: [sh, -c, 'exit 5'], inject: true}\n"), taken, true);

    assertThat(problem.orElseThrow())
        .contains("behaves differently under the recorder")
        .contains("exited with code 5");
    assertThat(taken.images).hasSize(2);
  }

  @Test
  void stepBeforeThatFailsShouldBeTheReason() throws IOException {
    String sections =
        """
        recovery:
          - {name: first, command: [sh, -c, 'exit 5']}
          - {name: second, command: ['true'], inject: true}
        """;

    assertThat(follow(run.campaign(sections), new Taken(), true).orElseThrow())
        .contains("step first behaves differently");
  }

  @Test
  void interruptionShouldEndARecording() throws IOException {
    Campaign campaign = run.campaign(TWO_STEPS);
    run.interrupt();

    assertThatThrownBy(() -> follow(campaign, new Taken(), true))
        .isInstanceOf(InterruptedRunException.class);
  }

  @Test
  @Timeout(30)
  void stepThatIsNotWaitedForShouldBeKilled() throws IOException {
    Campaign campaign = run.campaign("recovery: {command: [sleep, '60'], inject: true}\n");
    try (HandRecovery recovery = new HandRecovery(campaign, run.folder(), REDO);
        ExecutionDirectories places = ExecutionDirectories.in(run.resources().area())) {
      Files.write(places.pm().resolve(TargetByHand.FILE), new byte[TargetByHand.SIZE]);
      Path trace = Files.createDirectory(places.scratch().resolve("trace"));
      RecoverySteps steps = recovery.steps();
      RunningStep running =
          steps.start(
              steps.on(places).get(0), RecorderOptions.recording(places.pm(), trace).build());
      assertThat(running.isOver()).isFalse();
      running.close();

      assertThat(running.isOver()).isTrue();
    }
  }

  @Test
  void stepShouldRunToItsEnd() throws IOException {
    Campaign campaign = run.campaign("recovery: {command: [sh, -c, 'exit 5']}\n");
    try (HandRecovery recovery = new HandRecovery(campaign, run.folder(), REDO);
        ExecutionDirectories places = ExecutionDirectories.in(run.resources().area())) {
      CommandOutcome outcome = recovery.steps().run(recovery.steps().on(places).get(0));

      assertThat(outcome.problem().orElseThrow()).contains("exited with code 5");
    }
  }

  private Optional<ImageReads> reads(String sections) throws IOException {
    Campaign campaign = run.campaign(sections);
    try (HandRecovery recovery =
        new HandRecovery(campaign, run.folder(), calls -> calls.say("x"))) {
      return new RecordedReads(recovery.steps(), run.resources())
          .on(images(), Map.of(), Effort.USUAL);
    }
  }

  @Test
  void linesThatNoStepReadsShouldNotBeRead() throws IOException {
    ImageReads lines = reads("recovery: {command: ['true', '{pm}']}\n").orElseThrow();

    assertThat(lines.of(TargetByHand.FILE, 0).isAny()).isFalse();
  }

  private SupervisedRecovery runs(HandRecovery recovery) {
    return new SupervisedRecovery(recovery.commands(), recovery.supervisors(), run.resources());
  }

  private Optional<ImageReads> watched(String sections, ImageLine... asked) throws IOException {
    Map<ImageLine, Long> bytes = new HashMap<>();
    for (ImageLine line : asked) {
      bytes.put(line, -1L);
    }
    try (HandRecovery recovery = new HandRecovery(run.campaign(sections), run.folder(), REDO)) {
      return new WatchedReads(recovery.steps(), runs(recovery), run.resources())
          .on(images(), bytes, Effort.USUAL);
    }
  }

  @Test
  void linesThatAStepReadsShouldBeReadNatively() throws IOException {
    ImageLine first = new ImageLine(TargetByHand.FILE, 0);
    ImageLine second = new ImageLine(TargetByHand.FILE, 64);
    ImageReads lines =
        watched(
                """
                recovery:
                  - {name: nothing, command: ['true', '{pm}']}
                  - {name: some, command: [sh, -c, 'tail -c +65 $1/pool | head -c 1', sh, '{pm}']}
                """,
                first,
                second)
            .orElseThrow();

    assertThat(lines.of(TargetByHand.FILE, 70).isAny()).isTrue();
    assertThat(lines.of(TargetByHand.FILE, 0).isAny()).isFalse();
    assertThat(lines.of("another", 0).isAny()).as("a file that is not there").isTrue();
  }

  @Test
  void stepsBehindOneThatFailsShouldReadNothing() throws IOException {
    ImageLine first = new ImageLine(TargetByHand.FILE, 0);
    ImageReads lines =
        watched(
                """
                recovery:
                  - {name: fails, command: [sh, -c, 'exit 5']}
                  - {name: reads, command: [sh, -c, 'cat $1/pool', sh, '{pm}']}
                """,
                first)
            .orElseThrow();

    assertThat(lines.of(TargetByHand.FILE, 0).isAny()).isFalse();
  }

  @Test
  void whatIsReadShouldBeUnknownWhereOthersReadOrFilesAreRenamed() throws IOException {
    assertThat(
            reads(
                """
                recovery:
                  - {name: move, command: [sh, -c, 'mv $1/pool $1/other', sh, '{pm}']}
                  - {name: check, command: ['true']}
                """))
        .isEmpty();
  }

  @Test
  void recoveryShouldBeAskedAsAProcessAndKeptUnderItsLimits() throws IOException {
    Campaign campaign =
        run.campaign("recovery: {command: [sh, -c, 'test -f $1/pool', sh, '{pm}']}\n");
    try (HandRecovery recovery = new HandRecovery(campaign, run.folder(), REDO)) {
      SupervisedRecovery runs = runs(recovery);
      Path empty = Files.createDirectory(run.folder().resolve("empty"));
      CopiedImages without = new CopiedImages(empty, Optional.empty(), run.resources().area());

      assertThat(
              runs.judge(
                      images(),
                      Optional.empty(),
                      OracleSettings.DEFAULT,
                      Optional.empty(),
                      YesSample.none())
                  .verdict()
                  .kind())
          .isEqualTo(Verdict.Kind.CONSISTENT);
      assertThat(runs.glance(without)).isEqualTo(Verdict.Kind.UNRECOVERABLE);
      run.interrupt();
      assertThatThrownBy(() -> runs.glance(without)).isInstanceOf(InterruptedRunException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, false", "200000, true"})
  void recoveryShouldBeLongThatTakesManyTimesWhatAnEmptyProgramTakes(int rounds, boolean isLong)
      throws IOException {
    Campaign campaign =
        run.campaign(
            "recovery: {command: [sh, -c, 'i=0; while [ $i -lt %d ]; do i=$((i + 1)); done']}%n"
                .formatted(rounds));
    try (HandRecovery recovery = new HandRecovery(campaign, run.folder(), REDO)) {
      SupervisedRecovery runs = runs(recovery);

      assertThat(runs.isLong()).as("before it ran").isFalse();
      for (int time = 0; time < 3; time++) {
        runs.judge(
            images(), Optional.empty(), OracleSettings.DEFAULT, Optional.empty(), YesSample.none());
      }
      assertThat(runs.isLong()).isEqualTo(isLong);
    }
  }

  /** Nothing would be known of it anyway. */
  @Test
  void recoveryThatHangsShouldBeWatchedForNoLongerThanOthersNeed() throws IOException {
    Campaign campaign =
        run.campaign(
            """
            recovery:
              timeout: 60s
              command: [sh, -c, 'test -f $1/pool || exec sleep 100', sh, '{pm}']
            """);
    try (HandRecovery recovery = new HandRecovery(campaign, run.folder(), REDO)) {
      SupervisedRecovery runs = runs(recovery);
      Path empty = Files.createDirectory(run.folder().resolve("empty"));
      CopiedImages hanging = new CopiedImages(empty, Optional.empty(), run.resources().area());
      for (int time = 0; time < 5; time++) {
        runs.judge(
            images(), Optional.empty(), OracleSettings.DEFAULT, Optional.empty(), YesSample.none());
      }
      Stopwatch watch = Stopwatch.createStarted();

      assertThat(
              new WatchedReads(recovery.steps(), runs, run.resources())
                  .on(hanging, Map.of(new ImageLine(TargetByHand.FILE, 0), -1L), Effort.USUAL))
          .isEmpty();
      assertThat(watch.elapsed()).isLessThan(Duration.ofSeconds(50));
    }
  }
}
