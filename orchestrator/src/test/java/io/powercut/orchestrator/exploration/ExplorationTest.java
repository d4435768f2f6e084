// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.searches.Searches;
import io.powercut.persistency.choice.Candidate;
import io.powercut.persistency.choice.StatePolicy;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStatePolicy;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.trace.Location;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One moment at which a flag in line 1 is ahead of the value in line 0 if that is lost. */
class ExplorationTest {
  private static final Searches NO_SEARCHES = Searches.none();

  /** Line 2 has the flag, line 3 the entry of two words, lines 4 and 5 what it is applied to. */
  private static final FakeRecovery REDO =
      new FakeRecovery(
          pool -> {
            boolean isTorn = pool.at(3, 0) != pool.at(3, 1);
            boolean isOldAndPartlyApplied =
                pool.at(3, 0) == 0 && pool.at(4, 0) == 0 && pool.at(5, 0) != 0;
            return pool.at(2, 0) != 0 && (isTorn || isOldAndPartlyApplied)
                ? Optional.of("they differ")
                : Optional.empty();
          });

  @TempDir private Path folder;
  private ProgramByHand program;
  private RecordedImages places;
  private CrashPoint moment;
  private Judging judging;
  private MomentBlame.Knowledge knowledge;
  private final FakeRecovery recovery = FakeRecovery.ofFlagAndValue();

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
    program.store(10, 0, 0, 1).store(20, 1, 0, 1).persist(21, 1);
    judging = program.judging(recovery, new KeptResults());
    knowledge =
        new MomentBlame.Knowledge(
            program.workplace(),
            judging,
            program.tables(),
            new KnownCulprits(),
            new AdviceQuestions());
    places = RecordedImages.in(program.resources().area());
    moment = program.cut(30);
    judging.images().pass(moment.image().hash(), moment.occurrence());
  }

  @AfterEach
  void close() throws IOException {
    moment.close();
    places.close();
    program.close();
  }

  private CrashState valueLost() {
    return moment.states().everythingLost();
  }

  @Test
  void stateShouldBeAskedForOnce() {
    MomentOracle oracle = new MomentOracle(moment, places, judging);
    assertThat(oracle.isKnown(valueLost())).isFalse();
    assertThat(oracle.ask(valueLost())).isEqualTo(Verdict.Kind.UNRECOVERABLE);
    assertThat(oracle.ask(valueLost())).isEqualTo(Verdict.Kind.UNRECOVERABLE);

    assertThat(oracle.isKnown(valueLost())).isTrue();
    assertThat(oracle.session().recoveries()).isOne();
    assertThat(recovery.runs()).isOne();
  }

  @Test
  void nothingShouldBeLeftOfAStateWithoutItsOnlyCulprit() {
    MomentOracle oracle = new MomentOracle(moment, places, judging);
    MomentBlame blame =
        new MomentBlame(moment, knowledge, oracle, state -> oracle.ask(state).isFinding());
    CrashState rest =
        blame.rest(
            new Candidate(StatePolicy.PERSISTED_ONLY, valueLost()), Verdict.Kind.UNRECOVERABLE);

    assertThat(rest.isProgramOrder()).isTrue();
    assertThat(blame.findings()).hasSize(1);
    assertThat(blame.again()).isEmpty();
  }

  /**
   * A log entry is not flushed before the flag that vouches for it. Once the flag has persisted, it
   * looks as if the entry only had to persist as a whole: the old one does no harm. Workers may
   * judge that first.
   */
  @Test
  void entryThatSeemsTornBehindItsFlagMayOnlyLackTheFlush() throws IOException {
    Judging ofRedo = program.judging(REDO, new KeptResults());
    program.wide(11, 3, 7, 7).store(12, 4, 0, 7).store(13, 5, 0, 7).store(22, 2, 0, 1);
    try (CrashPoint before = program.cut(31)) {
      program.persist(23, 2);
      try (CrashPoint behind = program.cut(32)) {
        MomentBlame later = blame(behind, ofRedo);
        CrashState seems = oneLineLost(behind, ofRedo);
        later.rest(new Candidate(StatePolicy.ONE_LINE_LOST, seems), Verdict.Kind.UNRECOVERABLE);

        assertThat(missing(later)).containsExactly(JudgedState.Missing.ATOMICITY);
        assertThat(later.findings().get(0).state().orElseThrow().mayBeLate()).isTrue();
      }
      MomentBlame blame = blame(before, ofRedo);
      CrashState torn = oneLineLost(before, ofRedo);
      blame.rest(new Candidate(StatePolicy.ONE_LINE_LOST, torn), Verdict.Kind.UNRECOVERABLE);

      assertThat(missing(blame)).containsExactly(JudgedState.Missing.FLUSH);
    }
    AdviceQuestions.Question question = knowledge.advice().all().get(0);
    assertThat(question.occurrences())
        .containsExactlyInAnyOrder(ProgramByHand.at(31), ProgramByHand.at(32));
  }

  /**
   * The same where what the old entry leaves alone is lost, too: it does harm then, so that nothing
   * seems torn.
   */
  @Test
  void entryThatIsTornBesideWhatElseIsLostShouldLackTheFlush() throws IOException {
    Judging ofRedo = program.judging(REDO, new KeptResults());
    program.wide(11, 3, 7, 7).store(12, 4, 0, 7).store(13, 5, 0, 7).store(22, 2, 0, 1);
    program.persist(23, 2);
    try (CrashPoint behind = program.cut(32)) {
      MomentBlame blame = blame(behind, ofRedo);
      CrashState old =
          CrashState.of(
              behind.states().lostLines().stream()
                  .filter(line -> Set.of(3L, 4L).contains(Location.offset(line.location()) / 64))
                  .toList());
      blame.rest(new Candidate(StatePolicy.ONE_LINE_LOST, old), Verdict.Kind.UNRECOVERABLE);

      assertThat(missing(blame)).containsExactly(JudgedState.Missing.FLUSH);
    }
  }

  /** Workers may judge what comes later first: then the same store is lost in two findings. */
  @Test
  void adviceShouldHelpWhereverOneFindingShows() throws IOException {
    program.store(40, 5, 0, 1);
    try (CrashPoint later = program.cut(31)) {
      CrashState value =
          CrashState.of(
              later.states().lostLines().stream()
                  .filter(line -> Location.offset(line.location()) == 0)
                  .toList());
      blame(later, judging)
          .rest(new Candidate(StatePolicy.ONE_LINE_LOST, value), Verdict.Kind.UNRECOVERABLE);
    }
    blame(moment, judging)
        .rest(new Candidate(StatePolicy.ONE_LINE_LOST, valueLost()), Verdict.Kind.UNRECOVERABLE);
    knowledge.advice().ended(file -> true);

    assertThat(knowledge.advice().all())
        .hasSize(2)
        .allSatisfy(
            question ->
                assertThat(question.occurrences())
                    .containsExactlyInAnyOrder(ProgramByHand.at(30), ProgramByHand.at(31)));
  }

  private CrashState oneLineLost(CrashPoint point, Judging asked) {
    return new CrashStatePolicy.OneLineLost(8)
        .select(point.states())
        .states()
        .filter(state -> new MomentOracle(point, places, asked).ask(state).isFinding())
        .findFirst()
        .orElseThrow();
  }

  /** Two words without a snapshot: as long as the log is valid, neither may be there alone. */
  @Test
  void storesThatMayPersistAloneInNoOrderShouldHaveToBeOne() throws IOException {
    FakeRecovery undo =
        new FakeRecovery(
            pool -> {
              long logged = pool.at(4, 0) != 0 ? 0 : pool.at(5, 0);
              return pool.at(3, 0) != logged || pool.at(3, 1) != logged
                  ? Optional.of("they differ")
                  : Optional.empty();
            });
    Judging ofUndo = program.judging(undo, new KeptResults());
    program.store(41, 4, 0, 1).persist(42, 4).store(43, 5, 0, 1).persist(44, 5);
    program.store(10, 3, 0, 1).store(11, 3, 1, 1).store(45, 4, 0, 0);
    try (CrashPoint cut = program.cut(31)) {
      InFlightLine line =
          cut.states().lines().stream()
              .filter(one -> one.stores().size() == 2)
              .findFirst()
              .orElseThrow();
      CrashState second = CrashState.of(List.of(line.losing(line.stores().get(1))));
      MomentBlame blame = blame(cut, ofUndo);
      blame.rest(new Candidate(StatePolicy.ONE_LINE_LOST, second), Verdict.Kind.UNRECOVERABLE);

      assertThat(missing(blame)).containsExactly(JudgedState.Missing.ATOMICITY);
      assertThat(blame.findings().get(0).state().orElseThrow().remedy())
          .contains("can persist one without the other: write both to a log");
    }
  }

  /** As long as there is nothing, only one of the words counts; afterwards they have to agree. */
  @Test
  void orderThatOnlyHelpsWhereThereIsNothingShouldNotBeTried() throws IOException {
    assertThat(ordersOfTwoWords(pool -> pool.at(3, 0) != 0 && pool.at(3, 0) != pool.at(3, 1)))
        .isEmpty();
    assertThat(knowledge.advice().wrongInBothOrders()).hasSize(1);
  }

  /** The first word vouches for the second: it has to come later, every time. */
  @Test
  void orderThatAlwaysHelpsShouldBeTried() throws IOException {
    assertThat(ordersOfTwoWords(pool -> pool.at(3, 0) > pool.at(3, 1))).hasSize(1);
    assertThat(knowledge.advice().wrongInBothOrders()).isEmpty();
  }

  /** The findings with advice to try, once two words of a line were stored twice, one by one. */
  private List<AdviceQuestions.Question> ordersOfTwoWords(Predicate<FakeRecovery.Words> isBad)
      throws IOException {
    FakeRecovery agree =
        new FakeRecovery(pool -> isBad.test(pool) ? Optional.of("they differ") : Optional.empty());
    Judging judge = program.judging(agree, new KeptResults());
    for (int time = 1; time <= 2; time++) {
      program.store(11, 3, 0, time).store(12, 3, 1, time);
      try (CrashPoint cut = program.cut(30 + time)) {
        judging.images().pass(cut.image().hash(), cut.occurrence());
        CrashState second = oneLineLost(cut, judge);
        blame(cut, judge)
            .rest(new Candidate(StatePolicy.ONE_LINE_LOST, second), Verdict.Kind.UNRECOVERABLE);
      }
      assertThat(knowledge.advice().all()).hasSizeBetween(2 - time, 1);
      program.persist(32, 3);
    }
    return knowledge.advice().all();
  }

  private MomentBlame blame(CrashPoint at, Judging judge) {
    MomentOracle oracle = new MomentOracle(at, places, judge);
    return new MomentBlame(at, knowledge, oracle, state -> oracle.ask(state).isFinding());
  }

  private static List<JudgedState.Missing> missing(MomentBlame blame) {
    return blame.findings().stream()
        .map(finding -> finding.state().orElseThrow().lost().get(0).missing())
        .toList();
  }

  private Exploration exploration(CrashPoint at) {
    return new Exploration(
        at,
        places,
        knowledge,
        Pruning.Both.of(new StateOptions(Optional.empty(), NO_SEARCHES)),
        NO_SEARCHES,
        Optional.empty());
  }

  /** As if the old flag came back without the old value. */
  @Test
  void stateThatTearsAZeroedBlockShouldNotBeJudged() throws IOException {
    program.store(10, 0, 0, 5).persist(21, 0).store(20, 1, 0, 5).persist(21, 1).zero(40, 0, 2);
    try (CrashPoint zeroed = program.cut(31)) {
      Exploration exploration = exploration(zeroed);
      CrashState both = zeroed.states().everythingLost();
      CrashState torn = CrashState.of(List.of(both.differences().get(1)));
      assertThat(exploration.run(torn, false)).isPresent();
      assertThat(exploration.verdicts(true, false).failing()).isZero();
      assertThat(exploration.verdicts(true, false).recoveries()).isZero();

      assertThat(exploration.run(both, false)).isPresent();
      assertThat(exploration.verdicts(true, false).recoveries()).isOne();
    }
  }

  @Test
  void failingStateShouldBeCountedWithItsFinding() {
    Exploration exploration = exploration(moment);
    exploration.judge(new Candidate(StatePolicy.PERSISTED_ONLY, valueLost()));
    StateVerdicts verdicts = exploration.verdicts(true, false);

    assertThat(verdicts.failing()).isOne();
    assertThat(verdicts.findings()).hasSize(1);
    assertThat(verdicts.unread()).isZero();
  }
}
