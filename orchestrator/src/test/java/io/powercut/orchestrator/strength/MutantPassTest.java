// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.exploration.WatchedStates;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.SharedVerdicts;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.orchestrator.target.TraceReading;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.trace.file.TraceReader;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mutants of a trace, with a target and a recovery that are functions. */
class MutantPassTest {
  private static final TargetByHand.Program PROGRAM =
      calls ->
          calls
              .store(10, 0, 1)
              .flush(11, 0)
              .fence(12)
              .flush(13, 0)
              .store(20, 1, 1)
              .flush(21, 1)
              .fence(22);

  @RegisterExtension private final HandRun run = HandRun.open();

  private final FakeRecovery thorough = FakeRecovery.ofFlagAndValue();
  private final FakeRecovery blind = new FakeRecovery(pool -> Optional.empty());

  private List<PersistSite> sites(ExcludedFunctions excluded) throws IOException {
    Campaign campaign = run.campaign();
    Observation observation = Observation.ofStacks();
    PersistSurvey survey = new PersistSurvey(observation.tables(), excluded, true);
    try (PrivateDirectory pages = run.resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(run.base(), pages)) {
      CacheLineTracker tracker = new CacheLineTracker(campaign.domain(), state);
      tracker.tell(survey);
      new TraceReading(campaign.failurePoints(), observation)
          .read(
              TraceReader.of(run.trace(PROGRAM)),
              InstrumentedRun.emptyTree(campaign),
              (ordinal, stack, instruction, isNew) -> {},
              List.of(survey, tracker, new ProgramOrder(state)));
    }
    assertThat(survey.storingStacks()).hasSize(2);
    return survey.sites();
  }

  private static PersistSite at(int source, List<PersistSite> sites) {
    return sites.stream()
        .filter(site -> site.stack().id().equals(TargetByHand.stack(source).id()))
        .findFirst()
        .orElseThrow();
  }

  private MutantResult without(int source, FakeRecovery recovery) throws IOException {
    Campaign campaign = run.campaign();
    int number = at(source, sites(ExcludedFunctions.NONE)).number();
    try (PrivateDirectory pages = run.resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(run.base(), pages);
        AcknowledgedLog log = AcknowledgedLog.open(Set.of(), run.resources().area());
        RecordedImages workspace = RecordedImages.in(run.resources().area())) {
      MutantJudge judge =
          new MutantJudge(
              workspace,
              new SharedVerdicts(recovery),
              new WatchedStates.Trust(Optional.empty()),
              new Budget(campaign),
              20,
              at -> {});
      MutantPass pass = new MutantPass(campaign, number, state, log, judge, 10);
      try {
        new TraceReading(campaign.failurePoints(), Observation.ofNumbers())
            .read(
                TraceReader.of(run.trace(PROGRAM)),
                InstrumentedRun.emptyTree(campaign),
                pass,
                pass.consumers());
      } catch (MutantPass.OverException over) {
        assertThat(judge.isOver()).isTrue();
      }
      return judge.result(pass.makesDifference(), pass.occurrences());
    }
  }

  @Test
  void surveyShouldCountWhatHadSomethingToDo() throws IOException {
    List<PersistSite> sites = sites(ExcludedFunctions.NONE);

    assertThat(sites).hasSize(5);
    assertThat(at(11, sites).instruction()).isEqualTo(Instruction.CLWB);
    assertThat(at(11, sites).used()).isEqualTo(1);
    assertThat(at(13, sites).count()).isEqualTo(1);
    assertThat(at(13, sites).used()).isZero();
  }

  @Test
  void excludedFunctionsShouldHaveNoSites() throws IOException {
    assertThat(sites(ExcludedFunctions.of(List.of("work")))).isEmpty();
  }

  @Test
  void missingFlushShouldBeKilledByARecoveryThatLooks() throws IOException {
    MutantResult killed = without(12, thorough);
    assertThat(killed.killed()).isPresent();
    assertThat(killed.killed().get().stack().id()).isEqualTo(TargetByHand.stack(21).id());
    assertThat(killed.makesDifference()).isTrue();
  }

  @Test
  void missingFlushShouldSurviveARecoveryThatIsBlind() throws IOException {
    MutantResult survived = without(12, blind);

    assertThat(survived.killed()).isEmpty();
    assertThat(survived.consistent()).isPositive();
    assertThat(survived.unread()).isZero(); // Nobody watched.
    assertThat(survived.isComplete()).isTrue();
  }

  @Test
  void flushThatIsNotNeededShouldMakeNoDifference() throws IOException {
    assertThat(without(13, thorough).makesDifference()).isFalse();
  }
}
