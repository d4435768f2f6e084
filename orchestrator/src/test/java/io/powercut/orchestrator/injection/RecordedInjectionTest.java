// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.nestedcrash.CutRecovery;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Injection from one recorded run, with a target and a recovery that are functions. */
class RecordedInjectionTest {
  private static final String FIRST_ONLY = "occurrences: {first: 1}\n";

  @RegisterExtension private final HandRun run = HandRun.open();
  private final KeptResults results = new KeptResults();
  private final AtomicInteger killed = new AtomicInteger();
  private Predicate<FailurePointId> wanted = id -> true;
  private Map<Occurrence, Judgement> judged = Map.of();
  private Consumer<Execution> control = execution -> {};
  private CutRecovery cut = (images, cuts) -> Optional.empty();

  private final FakeRecovery recovery = FakeRecovery.ofFlagAndValue();

  private static TargetByHand.Program correct(int times) {
    return calls -> {
      for (int time = 1; time <= times; time++) {
        calls.store(10, 0, time).flush(11, 0).fence(12);
        calls.store(20, 1, time).flush(21, 1).fence(22);
      }
    };
  }

  private static final TargetByHand.Program VALUE_NOT_FLUSHED =
      calls -> calls.store(10, 0, 1).fence(12).store(20, 1, 1).flush(21, 1).fence(22);

  private Optional<Execution> inject(Campaign campaign, TargetByHand.Program program)
      throws IOException {
    return inject(campaign, new TargetByHand(program));
  }

  private Optional<Execution> inject(Campaign campaign, TargetByHand target) throws IOException {
    Budget budget = new Budget(campaign);
    StateLog states = StateLog.open(run.folder().resolve("states.jsonl"));
    RecoveryCrashLog crashes =
        RecoveryCrashLog.open(run.folder().resolve("recovery-crashes.jsonl"));
    RecordedInjection injection =
        new RecordedInjection(
            campaign,
            run.workplace(),
            Recording.of(
                new InstrumentedRun(campaign, target, run.resources(), Progress.SILENT),
                Observation.of(campaign, false),
                control,
                killed::incrementAndGet),
            new Recoveries(recovery, Optional.empty(), cut, true),
            new Scope(wanted, budget),
            new InjectionLogs(
                new Logged(results, states, crashes),
                judged,
                Optional.of(states),
                Optional.of(crashes)));
    FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
    Optional<Execution> execution = injection.run(run.base(), tree);
    execution.ifPresent(Execution::close);
    return execution;
  }

  /** Results that are kept and logged, as in a run. */
  private record Logged(KeptResults kept, StateLog states, RecoveryCrashLog crashes)
      implements io.powercut.orchestrator.judging.ResultListener {
    @Override
    public void judged(Judgement judgement) {
      kept.judged(judgement);
    }

    @Override
    public void explored(StateVerdicts verdicts) {
      kept.explored(verdicts);
      states.add(verdicts);
    }

    @Override
    public void cut(RecoveryCrashVerdicts verdicts) {
      kept.cut(verdicts);
      crashes.add(verdicts);
    }
  }

  private static FailurePointId id(int source) {
    return TargetByHand.stack(source).id();
  }

  private List<String> bugs() {
    return results.judged().stream()
        .filter(Judgement::isBug)
        .map(one -> one.failurePointId() + "/" + one.occurrence())
        .toList();
  }

  private List<Judgement> findings() {
    return results.explored().stream().flatMap(one -> one.findings().stream()).toList();
  }

  @Test
  void flagStoredFirstShouldBeABugWhereItIsInTheImageAlone() throws IOException {
    inject(run.campaign(FIRST_ONLY), TargetByHand.FLAG_FIRST);

    assertThat(bugs()).containsExactly(id(21) + "/1");
    assertThat(results.judged().get(0).ordinal()).isPresent();
  }

  @Test
  void correctProgramShouldHaveNeitherBugsNorFindings() throws IOException {
    inject(run.campaign(FIRST_ONLY), correct(1));

    assertThat(results.judged()).hasSize(2).noneMatch(Judgement::isBug);
    assertThat(findings()).isEmpty();
  }

  @Test
  void missingFlushShouldBeFoundInACrashStateWithItsPlaceInTheTraceAndAdvice() throws IOException {
    inject(run.campaign(FIRST_ONLY), VALUE_NOT_FLUSHED);

    assertThat(bugs()).isEmpty();
    assertThat(findings()).isNotEmpty();
    Judgement finding = findings().get(0);
    assertThat(finding.state().orElseThrow().lost().get(0).store().stack().get(0).line())
        .isEqualTo(10);
    assertThat(finding.ordinal()).isPresent();
    assertThat(StateLog.open(run.folder().resolve("states.jsonl")).findings().toString())
        .contains("add a flush of its line");
  }

  @Test
  void statesShouldNotBeJudgedWhereTheCampaignDoesNotWantThem() throws IOException {
    inject(run.campaign(FIRST_ONLY + "crashStates: {enabled: false}\n"), VALUE_NOT_FLUSHED);

    assertThat(results.judged()).isNotEmpty();
    assertThat(results.explored()).isEmpty();
  }

  @Test
  void verdictsOfAnEarlierPartShouldNotBeAskedForAgain() throws IOException {
    Occurrence first = new Occurrence(TargetByHand.stack(11).id(), 1);
    judged = Map.of(first, FakeRecovery.verdict(first, Optional.empty()));
    inject(run.campaign(FIRST_ONLY + "crashStates: {enabled: false}\n"), correct(1));

    assertThat(results.judged()).extracting(Judgement::failurePointId).containsExactly(id(21));
  }

  @Test
  void failurePointsOfOtherPartsShouldNotBeJudged() throws IOException {
    wanted = id(21)::equals;
    inject(run.campaign(FIRST_ONLY), correct(1));

    assertThat(results.judged()).extracting(Judgement::failurePointId).containsExactly(id(21));
  }

  @Test
  void laterOccurrencesShouldBeJudgedFromTheStoredTrace() throws IOException {
    TargetByHand target =
        new TargetByHand(
            calls -> {
              correct(3).run(calls);
              calls.store(20, 1, 9).flush(21, 1).fence(22);
            });
    inject(run.campaign("occurrences: {first: 1, last: 1}\n"), target);

    assertThat(target.runs()).isEqualTo(1);
    assertThat(bugs()).containsExactly(id(21) + "/4");
  }

  @Test
  void spentBudgetShouldLeaveTheRestUnjudged() throws IOException {
    Optional<Execution> execution =
        inject(run.campaign(FIRST_ONLY + "limits: {images: 1}\n"), correct(1));

    assertThat(execution).isEmpty();
    assertThat(results.judged()).hasSize(1);
  }

  @Test
  void failedControlOfTheEndShouldEndTheRunAndItsRecoveries() throws IOException {
    control =
        execution -> {
          throw new IllegalStateException("recovery does not accept the end");
        };
    Campaign campaign = run.campaign(FIRST_ONLY);

    assertThatThrownBy(() -> inject(campaign, correct(1)))
        .hasMessage("recovery does not accept the end");
    assertThat(killed).hasValue(1);
  }

  @Test
  void storeThatTheRecorderDidNotSeeShouldBeRefused() throws IOException {
    Campaign campaign = run.campaign(FIRST_ONLY);

    assertThatThrownBy(
            () -> inject(campaign, calls -> calls.store(10, 0, 1).flush(11, 0).storeUnseen(5, 1)))
        .hasMessageContaining("the record is not what the target did")
        .hasMessageContaining("work at app.c:10");
  }

  @Test
  void recoveryShouldBeCutOnImagesOnWhichItSucceeds() throws IOException {
    AtomicInteger followed = new AtomicInteger();
    cut =
        (images, cuts) -> {
          followed.incrementAndGet();
          return Optional.empty();
        };
    inject(
        run.campaign(
            FIRST_ONLY
                + "recovery: {command: [\"true\"], inject: true}\n"
                + "crashStates: {enabled: false}\n"),
        TargetByHand.FLAG_FIRST);

    assertThat(followed).hasValue(1);
    assertThat(results.cuts()).hasSize(1);
    assertThat(results.cuts().get(0).failurePointId()).isEqualTo(id(11));
  }

  @Test
  void observerShouldSeeEachImageThatIsJudged() throws IOException {
    Campaign campaign = run.campaign();
    KeptResults kept = new KeptResults();
    RecordedInjection injection =
        new RecordedInjection(
            campaign,
            run.workplace(),
            Recording.uncontrolled(
                new InstrumentedRun(
                    campaign,
                    new TargetByHand(TargetByHand.FLAG_FIRST),
                    run.resources(),
                    Progress.SILENT),
                Observation.ofNumbers()),
            new Recoveries(recovery, Optional.empty(), cut, true),
            Scope.all(new Budget(campaign)),
            InjectionLogs.of(kept));
    AtomicInteger seen = new AtomicInteger();
    try (var pages = run.resources().area().newDirectory();
        var state = InstrumentedRun.openState(run.base(), pages)) {
      injection
          .run(
              run.base(),
              InstrumentedRun.emptyTree(campaign),
              state,
              (occurrence, now) -> seen.incrementAndGet())
          .ifPresent(Execution::close);
    }

    assertThat(seen).hasValue(2);
    assertThat(kept.judged()).hasSize(2);
  }
}
