// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.orchestrator.injection.InjectionLogs;
import io.powercut.orchestrator.judging.Announcements;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunResultsTest {
  private static final Occurrence FIRST = new Occurrence(TargetByHand.stack(1).id(), 1);
  private static final Occurrence SECOND = new Occurrence(TargetByHand.stack(2).id(), 1);
  private static final Judgement BUG = FakeRecovery.verdict(FIRST, Optional.of("lost"));
  private static final Judgement GOOD = FakeRecovery.verdict(SECOND, Optional.empty());

  @RegisterExtension private final HandRun run = HandRun.open();
  private RunDirectory directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = new RunDirectory(Files.createDirectory(run.folder().resolve("run")));
  }

  private RunResults results() throws IOException {
    Observation observation = Observation.of(run.campaign(), false);
    KeptFacts facts =
        new KeptFacts(
            directory,
            new KeptFacts.Origin(Path.of("app.yaml"), Optional.empty(), false),
            new Timings(),
            observation,
            Map.of());
    return new RunResults(
        run.campaign(), directory, observation, new Announcements(Progress.SILENT), facts);
  }

  /** Results of a run that reached these lines. */
  private RunResults reaching(int... lines) throws IOException {
    RunResults results = results();
    for (int line : lines) {
      results.tree().reach(TargetByHand.stack(line), Instruction.CLWB, line);
    }
    return results;
  }

  @Test
  void bugShouldBeInTheDirectoryAtOnce() throws IOException {
    RunResults results = reaching(1, 2);
    results.ofRecorded(run.resources()).judged(GOOD);
    assertThat(directory.treeFile()).doesNotExist();
    assertThat(results.isClean()).isTrue();

    results.ofRecorded(run.resources()).judged(BUG);

    assertThat(directory.tree().unvisited()).isEmpty();
    assertThat(directory.factsFile()).exists();
    assertThat(results.isClean()).isFalse();
  }

  @Test
  void nothingShouldBeKeptAfterAnInterruption() throws IOException {
    RunResults results = reaching(1);
    run.interrupt();

    assertThatThrownBy(() -> results.ofRecorded(run.resources()).judged(BUG))
        .isInstanceOf(InterruptedRunException.class);
    assertThat(results.isClean()).isTrue();
  }

  @Test
  void failurePointsOfAnEarlierPartShouldKeepTheirVerdicts() throws IOException {
    RunResults earlier = reaching(1, 2, 3);
    earlier.ofRecorded(run.resources()).judged(BUG);
    earlier.ofRecorded(run.resources()).judged(GOOD);

    RunResults later = reaching(2);
    later.addEarlier();

    // The third has no verdict, so this part is to reach it itself.
    assertThat(later.tree().failurePoints())
        .extracting(FailurePoint::id)
        .containsExactlyInAnyOrder(FIRST.id(), SECOND.id());
    assertThat(later.tree().unvisited()).isEmpty();
    assertThat(later.isClean()).isFalse();
  }

  @Test
  void whatWasNotDecidedShouldBeJudgedAgain() throws IOException {
    RunResults results = reaching(1, 2);
    results.ofReExecution().judged(Judgement.inconclusive(FIRST.id(), "the machine was too busy"));
    results.ofReExecution().judged(GOOD);
    results.markJudged();

    InjectionLogs again = results.logs(run.resources(), false, true);
    InjectionLogs kept = results.logs(run.resources(), true, false);

    assertThat(results.tree().unvisited()).extracting(FailurePoint::id).containsExactly(FIRST.id());
    assertThat(again.judged()).containsOnlyKeys(SECOND);
    assertThat(again.recoveryCrashes()).isPresent();
    assertThat(kept.judged()).containsOnlyKeys(FIRST, SECOND);
    assertThat(kept.recoveryCrashes()).isEmpty();
  }

  @Test
  void wholeTreeOfAnEarlierPartShouldBeTaken() throws IOException {
    reaching(1, 2).store();

    RunResults later = results();
    later.takeEarlierTree();

    assertThat(later.tree().size()).isEqualTo(2);
  }
}
