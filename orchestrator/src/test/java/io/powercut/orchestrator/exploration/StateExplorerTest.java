// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.reads.ImageLine;
import io.powercut.oracle.reads.LineRead;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.reads.RecoveryReads;
import io.powercut.orchestrator.searches.Searches;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.EarlyStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.Timeline;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exploration and blame, with a recovery that is a function. */
class StateExplorerTest {
  private static final long MAGIC = 77;

  @TempDir private Path folder;
  private ProgramByHand program;
  private Judging judging;
  private final KeptResults results = new KeptResults();
  private final AdviceQuestions advice = new AdviceQuestions();

  /** A valid flag promises the value beside it. */
  private final FakeRecovery flagPromisesValue =
      new FakeRecovery(
          pool ->
              pool.at(1, 0) == 1 && pool.at(0, 0) != MAGIC
                  ? Optional.of("the flag is set and the value is missing")
                  : Optional.empty());

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
    judging = program.judging(flagPromisesValue, results);
  }

  @AfterEach
  void close() throws IOException {
    program.close();
  }

  private StateExplorer explorer(FakeRecovery recovery) {
    return explorer(recovery, Optional.empty());
  }

  /** With a recovery that fails where a root leads nowhere. */
  private StateExplorer explorerThatFails(Predicate<FakeRecovery.Words> isBroken) {
    return explorer(
        new FakeRecovery(
            pool ->
                isBroken.test(pool) ? Optional.of("the root leads nowhere") : Optional.empty()));
  }

  private StateExplorer explorer(FakeRecovery recovery, Optional<RecoveryReads> reads) {
    return explorer(recovery, reads, 0);
  }

  private StateExplorer explorer(
      FakeRecovery recovery, Optional<RecoveryReads> reads, int complete) {
    judging = program.judging(recovery, results);
    return new StateExplorer(
        program.workplace(),
        judging,
        new StateOptions(
            reads, new Searches(reads.isPresent(), complete, Optional.of(Duration.ofMinutes(1)))),
        program.tables(),
        new KnownCulprits(),
        advice);
  }

  private StateVerdicts explore(StateExplorer explorer, CrashPoint point) throws IOException {
    judging.images().pass(point.image().hash(), point.occurrence());
    try (RecordedImages places = RecordedImages.in(program.resources().area());
        CrashPoint cut = point) {
      explorer.explore(cut, places, Optional.empty());
    }
    return results.explored().get(results.explored().size() - 1);
  }

  private static List<Integer> lostAt(Judgement finding) {
    return finding.state().orElseThrow().lost().stream()
        .map(store -> store.store().stack().get(0).line())
        .toList();
  }

  /** The same lines where recovery was cut, on what the same first cut left, are another state. */
  @Test
  void stateShouldHaveANameOfItsOwnAtEachCutOfRecovery() throws IOException {
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1);
    Set<String> names = new HashSet<>();
    for (Optional<FailurePointId> cut :
        List.of(
            Optional.<FailurePointId>empty(),
            Optional.of(new FailurePointId(1)),
            Optional.of(new FailurePointId(2)))) {
      CrashPoint again =
          program.cut(
              ProgramByHand.at(30),
              cut.map(id -> new RecoveryCrash(id, 1, "recovery", "clwb", List.of())));
      StateExplorer explorer = explorer(flagPromisesValue);
      judging.images().pass(again.image().hash(), again.lastCut());
      names.add(explore(explorer, again).findings().get(0).state().orElseThrow().id());
    }

    assertThat(names).hasSize(3);
  }

  @Test
  void forgottenFlushShouldBeBlamedOnItsStore() throws IOException {
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1).persist(21, 1);
    StateVerdicts verdicts = explore(explorer(flagPromisesValue), program.cut(30));

    assertThat(verdicts.findings()).hasSize(1);
    assertThat(lostAt(verdicts.findings().get(0))).containsExactly(10);
    JudgedState.Store store = verdicts.findings().get(0).state().orElseThrow().lost().get(0);
    assertThat(store.missing()).isEqualTo(JudgedState.Missing.FLUSH);
  }

  @Test
  void stateThatDiffersInUnreadLinesShouldBeJudgedOnlyToCheckThat() throws IOException {
    RecoveryReads none = (images, asked, effort) -> Optional.of((path, offset) -> LineRead.NONE);
    StateExplorer explorer =
        explorer(new FakeRecovery(pool -> Optional.empty()), Optional.of(none));
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1);
    StateVerdicts verdicts = explore(explorer, program.cut(30));

    assertThat(verdicts.unread()).isGreaterThan(1);
    assertThat(verdicts.recoveries()).isEqualTo(2); // One shows what is read, one checks that.
    assertThat(verdicts.inconclusive()).isEmpty();
  }

  @Test
  void recoveryThatReadsMoreThanWasSeenShouldEndThePruning() throws IOException {
    RecoveryReads none = (images, asked, effort) -> Optional.of((path, offset) -> LineRead.NONE);
    StateExplorer explorer = explorer(flagPromisesValue, Optional.of(none));
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1).persist(21, 1);
    StateVerdicts first = explore(explorer, program.cut(30));
    program.store(40, 5, 0, 1).persist(41, 5);
    StateVerdicts second = explore(explorer, program.cut(50));

    assertThat(first.findings()).hasSize(1);
    assertThat(first.inconclusive().keySet())
        .singleElement()
        .asString()
        .contains("lines it does not read");
    assertThat(second.unread()).isZero();
    assertThat(second.inconclusive()).isEmpty();
  }

  /** Three lines in flight, each with three contents, of which recovery reads two. */
  private StateVerdicts exploreThreeLines(int complete) throws IOException {
    RecoveryReads firstTwo =
        (images, asked, effort) ->
            Optional.of((path, offset) -> offset < 128 ? LineRead.ALL : LineRead.NONE);
    StateExplorer explorer =
        explorer(new FakeRecovery(pool -> Optional.empty()), Optional.of(firstTwo), complete);
    for (int line = 0; line < 3; line++) {
      program.store(10 + line, line, 0, MAGIC).store(20 + line, line, 0, 1);
    }
    return explore(explorer, program.cut(30));
  }

  @Test
  void momentShouldBeDecidedOnceAllIsJudgedThatRecoveryTellsApart() throws IOException {
    StateVerdicts verdicts = exploreThreeLines(9);

    assertThat(verdicts.decided()).isTrue();
    assertThat(verdicts.chosen()).containsKey("complete");
  }

  @Test
  void momentShouldNotBeDecidedWhileRecoveriesAreMissing() throws IOException {
    StateVerdicts verdicts = exploreThreeLines(0);

    assertThat(verdicts.decided()).isFalse();
    assertThat(verdicts.chosen()).doesNotContainKey("complete");
  }

  @Test
  void momentWithoutCandidatesShouldBeExploredForTheSearchAlone() throws IOException {
    RecoveryReads all = (images, asked, effort) -> Optional.of((path, offset) -> LineRead.ALL);
    FakeRecovery recovery =
        new FakeRecovery(
            pool -> pool.at(0, 0) == 0 ? Optional.of("it is missing") : Optional.empty());
    program.store(10, 0, 0, 1);
    try (CrashPoint cut = program.cut(20)) {
      StateExplorer searching = explorer(recovery, Optional.of(all), 16);
      assertThat(searching.explores(cut.states(), Candidates.NONE, MetadataLosses.NONE)).isTrue();
      assertThat(searching.explores(CrashStates.NONE, Candidates.NONE, MetadataLosses.NONE))
          .isFalse();
      assertThat(
              explorer(recovery, Optional.of(all), 0)
                  .explores(cut.states(), Candidates.NONE, MetadataLosses.NONE))
          .isFalse();
      assertThat(
              explorer(recovery, Optional.empty(), 16)
                  .explores(cut.states(), Candidates.NONE, MetadataLosses.NONE))
          .isFalse();
    }
    StateVerdicts verdicts =
        explore(explorer(recovery, Optional.of(all), 16), program.cut(20, Candidates.NONE));

    assertThat(verdicts.decided()).isTrue();
    assertThat(verdicts.chosen()).containsOnlyKeys("complete");
    assertThat(verdicts.findings()).hasSize(1);
  }

  @Test
  void bugThatOnlyTheSearchComesByShouldBeFound() throws IOException {
    RecoveryReads all = (images, asked, effort) -> Optional.of((path, offset) -> LineRead.ALL);
    FakeRecovery recovery =
        new FakeRecovery(
            pool ->
                pool.at(0, 0) == 2 && pool.at(1, 0) == 0 && pool.at(2, 0) == 2
                    ? Optional.of("the middle is missing")
                    : Optional.empty());
    StateExplorer explorer = explorer(recovery, Optional.of(all), 100);
    for (int line = 0; line < 3; line++) {
      program
          .store(10 + line, line, 0, 1)
          .store(20 + line, line, 0, 2)
          .store(30 + line, line, 0, 3);
    }
    StateVerdicts verdicts = explore(explorer, program.cut(40));

    assertThat(verdicts.decided()).isTrue();
    assertThat(verdicts.failing()).isOne();
    assertThat(verdicts.findings()).hasSize(1);
  }

  @Test
  void onlyBytesInWhichStatesDifferShouldBeAskedFor() throws IOException {
    Map<ImageLine, Long> asked = new HashMap<>();
    RecoveryReads reads =
        (images, lines, effort) -> {
          asked.putAll(lines);
          return Optional.of((path, offset) -> LineRead.ALL);
        };
    StateExplorer explorer =
        explorer(new FakeRecovery(pool -> Optional.empty()), Optional.of(reads));
    program.store(10, 0, 0, MAGIC).store(20, 3, 1, 1);
    StateVerdicts verdicts = explore(explorer, program.cut(30));

    assertThat(asked.values()).containsExactlyInAnyOrder(1L, 0x100L);
    assertThat(asked.keySet()).extracting(ImageLine::offset).containsExactlyInAnyOrder(0L, 192L);
    assertThat(verdicts.unread()).isZero();
  }

  @Test
  void persistedProgramShouldHaveNoStateToJudge() throws IOException {
    program.store(10, 0, 0, MAGIC).persist(11, 0).store(20, 1, 0, 1).persist(21, 1);
    StateVerdicts verdicts = explore(explorer(flagPromisesValue), program.cut(30));

    assertThat(verdicts.findings()).isEmpty();
    assertThat(flagPromisesValue.runs()).isZero();
  }

  @Test
  void reorderedPairShouldBeFoundAlthoughBothAreFlushedLater() throws IOException {
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1);
    StateVerdicts verdicts = explore(explorer(flagPromisesValue), program.cut(30));

    assertThat(verdicts.findings()).hasSize(1);
    assertThat(lostAt(verdicts.findings().get(0))).containsExactly(10);
  }

  /** A forgotten flush among twenty lines in flight that recovery does not read. */
  private StateVerdicts blameAmongOthers(Optional<RecoveryReads> reads) throws IOException {
    StateExplorer explorer = explorer(flagPromisesValue, reads);
    for (int line = 2; line < 22; line++) {
      program.store(100 + line, line, 0, 1);
    }
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1).persist(21, 1);
    return explore(explorer, program.cut(30));
  }

  @Test
  void linesThatRecoveryDoesNotReadShouldNotBeTriedAsTheCause() throws IOException {
    RecoveryReads firstTwo =
        (images, asked, effort) ->
            Optional.of((path, offset) -> offset < 128 ? LineRead.ALL : LineRead.NONE);
    StateVerdicts without = blameAmongOthers(Optional.empty());
    program.close();
    program = new ProgramByHand(Files.createDirectory(folder.resolve("again")));
    StateVerdicts with = blameAmongOthers(Optional.of(firstTwo));

    assertThat(without.findings()).hasSize(1);
    assertThat(with.findings()).hasSize(1);
    assertThat(lostAt(with.findings().get(0))).containsExactly(10);
    assertThat(with.findings().get(0).state().orElseThrow().hasCause()).isTrue();
    assertThat(with.inconclusive()).isEmpty();
    assertThat(with.recoveries()).isLessThan(10).isLessThan(without.recoveries() / 8);
  }

  @Test
  void twoMistakesInOneStateShouldBeTwoFindings() throws IOException {
    FakeRecovery recovery =
        new FakeRecovery(
            pool ->
                pool.at(0, 0) == 0 || pool.at(2, 0) == 0
                    ? Optional.of("a root is missing")
                    : Optional.empty());
    program.store(10, 0, 0, 1).store(20, 2, 0, 1);
    StateVerdicts verdicts = explore(explorer(recovery), program.cut(30));

    assertThat(verdicts.findings().stream().flatMap(one -> lostAt(one).stream()))
        .containsExactlyInAnyOrder(10, 20);
  }

  @Test
  void sameMistakeAtAnotherFailurePointShouldBeSeenAgainNotFoundAgain() throws IOException {
    StateExplorer explorer = explorer(flagPromisesValue);
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1).persist(21, 1);
    StateVerdicts first = explore(explorer, program.cut(30));
    program.store(40, 5, 0, 1).persist(41, 5);
    StateVerdicts second = explore(explorer, program.cut(50));

    assertThat(second.findings()).isEmpty();
    assertThat(second.again())
        .containsExactly(first.findings().get(0).state().orElseThrow().fingerprint());
  }

  /** Where the root came too early, the store after it is not to blame; elsewhere it is. */
  @Test
  void mistakeBehindOneOfProgramOrderShouldBeFoundWhereThereIsNone() throws IOException {
    StateExplorer explorer = explorerThatFails(pool -> pool.at(2, 0) == 1 && pool.at(0, 0) == 0);
    program.store(1, 2, 0, 1).persist(2, 2).store(10, 0, 0, MAGIC);
    StateVerdicts first = explore(explorer, program.cut(20));
    program.store(30, 2, 0, 0).persist(31, 2).store(40, 0, 0, 0).persist(41, 0);
    program.store(10, 0, 0, MAGIC).store(50, 2, 0, 1);
    StateVerdicts second = explore(explorer, program.cut(60));
    StateVerdicts third = explore(explorer, program.cut(70));

    assertThat(first.findings()).hasSize(1);
    assertThat(second.findings()).hasSize(1);
    assertThat(lostAt(second.findings().get(0))).containsExactly(10);
    assertThat(third.findings()).isEmpty();
    assertThat(third.again()).hasSize(1);
  }

  /** Most occurrences of a loop are not judged, so their images are not known. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void programOrderShouldShowAMistakeAtAFailurePointThatOccurredBefore(boolean occurred)
      throws IOException {
    StateExplorer explorer = explorerThatFails(pool -> pool.at(2, 0) == 1 && pool.at(0, 0) == 0);
    program.store(1, 2, 0, 1).persist(2, 2).store(10, 0, 0, MAGIC);
    FailurePointId id = program.tables().stack(2).id();
    if (occurred) {
      judging.images().pass(program.state().hash(), new Occurrence(id, 1));
    }
    StateVerdicts verdicts = explore(explorer, program.cut(20));

    assertThat(verdicts.findings())
        .singleElement()
        .extracting(finding -> finding.state().orElseThrow().shownBefore())
        .isEqualTo(Optional.of(id).filter(known -> occurred));
  }

  /** Either of two words promises a third one, so that none of the two is needed by itself. */
  @Test
  void firstStoreThatNeedsALaterOneShouldBeNamedBesideIt() throws IOException {
    StateExplorer explorer =
        explorerThatFails(pool -> pool.at(2, 0) + pool.at(4, 0) > 0 && pool.at(4, 1) == 0);
    program.store(10, 2, 0, 1).store(20, 4, 0, 1).store(30, 4, 1, 1);
    StateVerdicts verdicts = explore(explorer, program.cut(40));

    assertThat(verdicts.findings()).hasSize(1);
    JudgedState state = verdicts.findings().get(0).state().orElseThrow();
    assertThat(lostAt(verdicts.findings().get(0))).containsExactly(30);
    assertThat(state.arrived())
        .extracting(store -> store.store().stack().get(0).line())
        .containsExactly(10);
    assertThat(state.remedy()).contains("can persist without").contains(", which comes later");
    assertThat(state.shownBefore()).isEmpty();
  }

  /** A failure point at which recovery succeeds shows nothing. */
  @Test
  void imageOfProgramOrderThatIsConsistentShouldNotBeSaidToShowAMistake() throws IOException {
    StateExplorer explorer =
        explorerThatFails(pool -> pool.at(2, 0) + pool.at(4, 0) > 0 && pool.at(0, 0) == 0);
    judging.images().pass(program.state().hash(), ProgramByHand.at(5));
    program.store(10, 2, 0, 1).store(20, 4, 0, 1).store(30, 0, 0, MAGIC);
    StateVerdicts verdicts = explore(explorer, program.cut(40));

    assertThat(verdicts.findings().get(0).state().orElseThrow().shownBefore()).isEmpty();
  }

  /** What persisted since then is in the way: nobody knows whether recovery failed before. */
  @Test
  void mistakeBehindOneOfProgramOrderShouldBeFoundWhereLaterStoresHavePersisted()
      throws IOException {
    StateExplorer explorer =
        explorer(
            new FakeRecovery(
                pool ->
                    pool.at(4, 0) > pool.at(2, 0)
                        ? Optional.of("the total is too large")
                        : pool.at(2, 0) == 1 && pool.at(0, 0) == 0
                            ? Optional.of("a value is missing")
                            : Optional.empty()));
    program.store(1, 4, 0, 1).persist(2, 4).store(10, 0, 0, MAGIC).store(20, 2, 0, 1);
    StateVerdicts first = explore(explorer, program.cut(30));
    program.persist(21, 2);
    StateVerdicts second = explore(explorer, program.cut(40));
    StateVerdicts third = explore(explorer, program.cut(50));

    assertThat(first.findings()).extracting(StateExplorerTest::lostAt).contains(List.of(10));
    assertThat(second.findings()).hasSize(1);
    assertThat(lostAt(second.findings().get(0))).containsExactly(10);
    assertThat(third.findings()).isEmpty();
    assertThat(third.again()).hasSize(1);
    // The value is to be flushed before the total, too, not only before the place of the second.
    assertThat(advice.all()).hasSize(1);
    assertThat(advice.all().get(0).occurrences())
        .extracting(Occurrence::id)
        .containsExactly(
            ProgramByHand.at(40).id(), ProgramByHand.at(50).id(), ProgramByHand.at(30).id());
  }

  /** Workers may come to the later one first. */
  @Test
  void momentBeforeTheOneWhereAMistakeWasFoundShouldSayWhatReliesOnTheStore() throws IOException {
    StateExplorer explorer = explorer(flagPromisesValue);
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1);
    CrashPoint early = program.cut(30);
    program.persist(31, 1);
    StateVerdicts late = explore(explorer, program.cut(40));
    StateVerdicts verdicts = explore(explorer, early);

    assertThat(late.findings().get(0).state().orElseThrow().arrived()).isEmpty();
    assertThat(verdicts.findings()).hasSize(1);
    assertThat(verdicts.findings().get(0).state().orElseThrow().arrived())
        .extracting(store -> store.store().stack().get(0).line())
        .containsExactly(20);
  }

  @Test
  void knownMistakesOfOneStateShouldBeTakenOutOfItAtOnce() throws IOException {
    StateExplorer explorer =
        explorer(
            new FakeRecovery(
                pool ->
                    Stream.of(0, 2, 4, 6).anyMatch(line -> pool.at(line, 0) == 0)
                        ? Optional.of("a root is missing")
                        : Optional.empty()));
    program.store(10, 0, 0, 1).store(20, 2, 0, 1).store(30, 4, 0, 1).store(40, 6, 0, 1);
    StateVerdicts first = explore(explorer, program.cut(50));
    program.store(60, 8, 0, 1).persist(61, 8);
    StateVerdicts second = explore(explorer, program.cut(70));
    program.store(80, 9, 0, 1).persist(81, 9);
    StateVerdicts third = explore(explorer, program.cut(90));

    // At first there are no roots before them all either.
    assertThat(first.findings()).hasSize(4);
    assertThat(second.findings()).hasSize(4);
    assertThat(third.findings()).isEmpty();
    assertThat(third.again()).hasSize(4);
    // Each state once, and what is left when the four mistakes are out: they are states themselves.
    int states = third.chosen().values().stream().mapToInt(Integer::intValue).sum();
    assertThat(third.recoveries()).isEqualTo(states);
  }

  @Test
  void equalImagesShouldNeedOneRecovery() throws IOException {
    StateExplorer explorer = explorer(flagPromisesValue);
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1).persist(21, 1);
    explore(explorer, program.cut(30));
    int before = flagPromisesValue.runs();
    explore(explorer, program.cut(31));

    assertThat(flagPromisesValue.runs()).isEqualTo(before);
  }

  private Timeline timelineOfTheOnlyFinding(StateVerdicts verdicts) {
    assertThat(verdicts.findings()).hasSize(1);
    return verdicts.findings().get(0).timeline().orElseThrow();
  }

  @Test
  void timelineShouldShowWhatIsLostAndWhatPersistedMeanwhile() throws IOException {
    program.store(5, 0, 1, 9).persist(6, 0);
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1).persist(21, 1).store(25, 2, 0, 3);
    Timeline timeline =
        timelineOfTheOnlyFinding(explore(explorer(flagPromisesValue), program.cut(30)));

    assertThat(timeline.steps())
        .extracting(step -> step.stack().get(0).line() + " " + step.kind() + " " + step.fate())
        .containsExactly(
            "5 store persisted",
            "6 flush none",
            "6 fence none",
            "10 store lost",
            "20 store persisted",
            "21 flush none",
            "21 fence none",
            "25 store in-flight");
    assertThat(timeline.more()).isZero();
    assertThat(timeline.steps().get(3).bytes()).startsWith("4d");
    assertThat(timeline.steps().get(4).offset()).isEqualTo(64);
  }

  @Test
  void timelineShouldStaySmallWhateverHappened() throws IOException {
    for (int number = 0; number < 100; number++) {
      program.store(5, 0, 1, number);
    }
    program.store(10, 0, 0, MAGIC).store(20, 1, 0, 1).persist(21, 1);
    for (int number = 0; number < 700; number++) {
      program.store(25, 2, 0, number).persist(26, 2);
    }
    Timeline timeline =
        timelineOfTheOnlyFinding(explore(explorer(flagPromisesValue), program.cut(30)));

    assertThat(timeline.steps()).hasSize(20);
    assertThat(timeline.steps().get(0).fate()).isEqualTo(Timeline.Fate.LOST);
    assertThat(timeline.more()).isGreaterThan(400);
  }

  /** What came right behind the lost store tells whether one flush is missing behind both. */
  @Test
  void timelineShouldKeepWhatCameBehindTheLostStore() throws IOException {
    program.store(10, 0, 0, MAGIC).store(11, 0, 1, 5).persist(12, 2).store(20, 1, 0, 1);
    program.persist(21, 1);
    for (int number = 0; number < 100; number++) {
      program.store(25, 2, 0, number).persist(26, 2);
    }
    Timeline timeline =
        timelineOfTheOnlyFinding(explore(explorer(flagPromisesValue), program.cut(30)));

    assertThat(timeline.steps())
        .hasSize(20)
        .extracting(step -> step.stack().get(0).line() + " " + step.kind() + " " + step.fate())
        .startsWith("10 store lost", "11 store lost", "12 flush none");
  }

  @Test
  void bugInProgramOrderShouldHaveATimelineToo() throws IOException {
    program.store(20, 1, 0, 1);
    CrashPoint point = program.cut(30);
    StateExplorer explorer = explorer(flagPromisesValue);
    try (RecordedImages places = RecordedImages.in(program.resources().area());
        CrashPoint cut = point) {
      Judgement bug =
          flagPromisesValue.judge(cut.occurrence(), places.of(cut.image(), Optional.empty()));
      Timeline timeline = explorer.explained(cut, places, bug).timeline().orElseThrow();

      assertThat(timeline.steps())
          .extracting(Timeline.Event::fate)
          .containsExactly(Timeline.Fate.IN_FLIGHT);
      assertThat(new Timelines(program.tables(), cut).ofProgramOrder()).contains(timeline);
    }
  }

  @Test
  void storeThatIsThereTooEarlyShouldBeNamed() throws IOException {
    program.store(20, 1, 0, 1);
    CrashPoint point = program.cut(30);
    StateExplorer explorer = explorer(flagPromisesValue);
    judging.images().pass(point.image().hash(), point.occurrence());
    try (RecordedImages places = RecordedImages.in(program.resources().area());
        CrashPoint cut = point) {
      Judgement bug =
          flagPromisesValue.judge(cut.occurrence(), places.of(cut.image(), Optional.empty()));
      Optional<EarlyStore> early = explorer.explained(cut, places, bug).tooEarly();

      assertThat(bug.isBug()).isTrue();
      assertThat(early.orElseThrow().toString()).contains("line=20");
    }
  }

  /** A lock is held, and other lines were stored to since. */
  @Test
  void lockForWhichRecoveryHangsShouldBeNamedBehindOtherStores() throws IOException {
    FakeRecovery locked = FakeRecovery.hanging(pool -> pool.at(1, 0) == 1);
    program.store(20, 1, 0, 1);
    for (int number = 2; number < 6; number++) {
      program.store(20 + number, number, 0, 7);
    }
    CrashPoint point = program.cut(30);
    StateExplorer explorer = explorer(locked);
    judging.images().pass(point.image().hash(), point.occurrence());
    try (RecordedImages places = RecordedImages.in(program.resources().area());
        CrashPoint cut = point) {
      Judgement bug = locked.judge(cut.occurrence(), places.of(cut.image(), Optional.empty()));
      Optional<EarlyStore> early = explorer.explained(cut, places, bug).tooEarly();

      assertThat(early.orElseThrow().toString()).contains("line=20");
    }
  }
}
