// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.injection.LaterChanges;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.orchestrator.target.TraceReading;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.MetadataCall;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.trace.TraceEvent.MetadataKind;
import io.powercut.trace.file.TraceReader;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ImagesOfBugsTest {
  @RegisterExtension private final HandRun run = HandRun.open();

  /** Two rounds: the second one's failure point is where recovery succeeds again. */
  private static void program(TargetByHand.Calls calls) throws IOException {
    calls.store(10, 0, 1).flush(11, 0).fence(12);
    calls.store(20, 1, 1).flush(21, 1).fence(22);
    calls.store(30, 2, 1).store(31, 3, 1);
    calls.store(10, 0, 2).flush(11, 0).fence(12);
    calls.store(40, 4, 1).flush(41, 4).fence(42);
  }

  private ImageChanges changes(List<Judgement> verdicts) throws IOException {
    return changes(verdicts, at(21, 1));
  }

  private ImageChanges changes(List<Judgement> verdicts, Occurrence wanted) throws IOException {
    return changes(ImagesOfBugsTest::program, verdicts, wanted);
  }

  private ImageChanges changes(
      TargetByHand.Program program, List<Judgement> verdicts, Occurrence wanted)
      throws IOException {
    Observation observation = Observation.of(run.campaign(), false);
    FailurePointTree tree = InstrumentedRun.emptyTree(run.campaign());
    new TraceReading(run.campaign().failurePoints(), observation)
        .read(
            TraceReader.of(run.trace(program)),
            tree,
            (ordinal, stack, instruction, isNew) -> {},
            List.of());
    new LaterChanges(run.campaign(), observation).read(run.trace(program), Set.of(at(11, 2)));
    RunDirectory directory = new RunDirectory(Files.createDirectory(run.folder().resolve("run")));
    VerdictLog log = VerdictLog.open(run.folder().resolve("verdicts.jsonl"));
    verdicts.forEach(log::add);
    new ImagesOfBugs(run.campaign(), observation, tree, directory)
        .storeChanges(log, StateLog.open(run.folder().resolve("states.jsonl")));
    return directory.changes().of(wanted);
  }

  private static Occurrence at(int line, long number) {
    return new Occurrence(TargetByHand.stack(line).id(), number);
  }

  private static Judgement verdict(Occurrence at, boolean succeeds, long ordinal) {
    return FakeRecovery.verdict(at, succeeds ? Optional.empty() : Optional.of("no")).at(ordinal);
  }

  /** Ordinals that are larger than that of any record of the trace, in the order of the trace. */
  private static final long LATE = 1_000;

  @Test
  void imageShouldLackWhatComesUntilTheNextOccurrenceThatIsConsistent() throws IOException {
    ImageLacks lacks =
        changes(
                List.of(
                    verdict(at(11, 1), true, 1),
                    verdict(at(21, 1), false, 2),
                    verdict(at(11, 2), true, LATE),
                    verdict(at(41, 1), true, LATE + 1)))
            .lacks()
            .orElseThrow();

    assertThat(lacks.consistentAt()).isEqualTo(at(11, 2).id());
    assertThat(lacks.consistentOccurrence()).isEqualTo(2);
    assertThat(lacks.first()).contains("app.c:30");
  }

  @Test
  void imageShouldLackWhatComesUntilTheNextFirstOccurrenceWhereOthersAreNotKnown()
      throws IOException {
    ImageLacks lacks =
        changes(
                List.of(
                    verdict(at(11, 1), true, 1),
                    verdict(at(21, 1), false, 2),
                    FakeRecovery.verdict(at(41, 1), Optional.empty())))
            .lacks()
            .orElseThrow();

    assertThat(lacks.consistentAt()).isEqualTo(at(41, 1).id());
    assertThat(lacks.consistentOccurrence()).isEqualTo(1);
    assertThat(lacks.stores()).hasSize(4);
    assertThat(lacks.last()).contains("app.c:40");
  }

  /** Of the first occurrence behind it, all is known, but it comes after the end of the failure. */
  @Test
  void imageShouldLackAtLeastWhatIsKnownUntilANearerOccurrence() throws IOException {
    TargetByHand.Program program =
        calls -> {
          program(calls);
          for (int number = 0; number < 20; number++) {
            calls.store(30, 2, number);
          }
          calls.store(10, 0, 3).flush(11, 0).fence(12);
          calls.store(50, 5, 1).flush(51, 5).fence(52);
        };
    ImageLacks lacks =
        changes(
                program,
                List.of(
                    verdict(at(41, 1), false, 2),
                    verdict(at(11, 3), true, 60),
                    verdict(at(51, 1), true, LATE)),
                at(41, 1))
            .lacks()
            .orElseThrow();

    assertThat(lacks.consistentAt()).isEqualTo(at(11, 3).id());
    assertThat(lacks.inWords()).startsWith("at least 16 stores that come later, the first is ");
  }

  @Test
  void nothingShouldBeLackingWhereRecoveryNeverSucceedsAgain() throws IOException {
    assertThat(changes(List.of(verdict(at(21, 1), false, 2))).lacks()).isEmpty();
  }

  @Test
  void laterOccurrenceShouldHaveWhatChangedBeforeItselfAndLackWhatChangesBehind()
      throws IOException {
    ImageChanges changes =
        changes(
            List.of(
                verdict(at(11, 1), true, 1),
                verdict(at(11, 2), false, LATE),
                verdict(at(41, 1), true, LATE + 1)),
            at(11, 2));

    assertThat(changes.stores())
        .extracting(store -> store.stack().get(0).line())
        .containsExactly(30, 31, 10);
    assertThat(changes.stores().get(2).bytes()).isEqualTo("0200000000000000");
    assertThat(changes.lacks().orElseThrow().inWords()).contains("app.c:40", "which comes later");
  }

  private static void resizing(TargetByHand.Calls calls) throws IOException {
    calls.store(40, 4, 1).flush(41, 4).fence(42);
    calls.change(50, MetadataKind.RESIZE, "pool", "").store(51, 5, 1).flush(52, 5);
  }

  /** What is said of a state that lost a store behind a change of metadata. */
  private Optional<MetadataCall> early(
      Campaign campaign, boolean succeedsBefore, StateVerdicts proof) throws IOException {
    Observation observation = Observation.of(campaign, false);
    FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
    new TraceReading(campaign.failurePoints(), observation)
        .read(
            TraceReader.of(run.trace(ImagesOfBugsTest::resizing)),
            tree,
            (ordinal, stack, instruction, isNew) -> {},
            List.of());
    Path folder = Files.createTempDirectory(run.folder(), "run");
    VerdictLog log = VerdictLog.open(folder.resolve("verdicts.jsonl"));
    log.add(
        verdict(
            at(42, 1), succeedsBefore, observation.changes().previous(at(52, 1)).orElseThrow()));
    StateLog states = StateLog.open(folder.resolve("states.jsonl"));
    states.add(proof);
    RunDirectory directory = new RunDirectory(folder);
    new ImagesOfBugs(campaign, observation, tree, directory).storeChanges(log, states);
    return directory.changes().of(at(52, 1)).call();
  }

  private static StateVerdicts proof(
      int line, JudgedState.Role role, JudgedState.Store... arrived) {
    return FakeRecovery.proof(at(52, 1), FakeRecovery.unflushed(line, role), List.of(arrived));
  }

  @Test
  void changeOfMetadataBeforeALostStoreShouldBeNamed() throws IOException {
    assertThat(
            early(run.campaign(), true, proof(5, JudgedState.Role.CAUSE)).orElseThrow().inWords())
        .isEqualTo("the resize of pool at work at /src/app.c:50");
  }

  /** Else something else may be to blame. */
  @Test
  void changeOfMetadataShouldNotBeNamedUnlessRecoverySucceedsJustBeforeIt() throws IOException {
    StateVerdicts lost = proof(5, JudgedState.Role.CAUSE);
    Campaign excluding = run.campaign("failurePoints: {exclude: [trusted]}");

    assertThat(early(run.campaign(), false, lost)).as("it fails before").isEmpty();
    assertThat(early(excluding, true, lost)).as("not all is judged").isEmpty();
    assertThat(early(run.campaign(), true, proof(4, JudgedState.Role.CAUSE)))
        .as("stored before it")
        .isEmpty();
    assertThat(early(run.campaign(), true, proof(5, JudgedState.Role.INVOLVED)))
        .as("no cause")
        .isEmpty();
    assertThat(
            early(
                run.campaign(),
                true,
                proof(
                    5,
                    JudgedState.Role.CAUSE,
                    FakeRecovery.unflushed(4, JudgedState.Role.INVOLVED))))
        .as("relied on by another store")
        .isEmpty();
    assertThat(early(run.campaign(), true, torn(lost))).as("torn").isEmpty();
  }

  /** Recovery succeeds without all of such a store. */
  private static StateVerdicts torn(StateVerdicts proof) {
    Judgement whole = proof.findings().get(0);
    JudgedState torn =
        whole.state().orElseThrow().withRemedy("torn", Set.of(JudgedState.Trait.TORN));
    return proof.withFindings(List.of(whole.withState(torn)));
  }
}
