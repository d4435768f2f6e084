// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.sections.OccurrencesSection;
import io.powercut.orchestrator.judging.FakeRecovery;
import io.powercut.orchestrator.judging.KeptResults;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.choice.UnusualCode;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.trace.TraceConsumer;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The parts of a recorded injection, one by one. */
class InjectionPartsTest {
  private static final String IMAGES = "crashStates: {enabled: false}\noccurrences: {first: 1}\n";

  @RegisterExtension private final HandRun run = HandRun.open();

  private HandInjection parts(String sections) throws IOException {
    return new HandInjection(run, sections, Map.of());
  }

  private static Occurrence at(int source, long number) {
    return new Occurrence(TargetByHand.stack(source).id(), number);
  }

  private static OccurrenceInjection.Reached reached(int source) {
    return new OccurrenceInjection.Reached(
        at(source, 1), source, Instruction.CLWB, MetadataLosses.NONE);
  }

  private static List<Occurrence> judged(KeptResults results) {
    return results.judged().stream()
        .map(one -> new Occurrence(one.failurePointId(), one.occurrence()))
        .toList();
  }

  @Test
  void extentShouldBeWhatTheCampaignWantsAsFarAsThereAreLogs() throws IOException {
    StateLog states = StateLog.open(run.folder().resolve("states.jsonl"));
    RecoveryCrashLog crashes = RecoveryCrashLog.open(run.folder().resolve("crashes.jsonl"));
    InjectionLogs all =
        new InjectionLogs(new KeptResults(), Map.of(), Optional.of(states), Optional.of(crashes));

    Extent usual = Extent.of(run.campaign(), all);
    assertThat(usual.states()).contains(states);
    assertThat(usual.recoveryCrashes()).isEmpty();
    assertThat(usual.comparesDumps()).isFalse();
    assertThat(usual.coversTheEnd()).isTrue();
    Extent chosen = Extent.of(run.campaign("occurrences: {first: 2}\n"), all);
    assertThat(chosen.coversTheEnd()).isFalse();
    assertThat(chosen.needsInFlight()).isTrue();
    Extent images = Extent.of(run.campaign(IMAGES), all);
    assertThat(images.states()).isEmpty();
    assertThat(images.needsInFlight()).isFalse();
    assertThat(images.needsStoredTrace()).isFalse();
    Extent cut =
        Extent.of(run.campaign("recovery: {command: ['true'], inject: true}\n" + IMAGES), all);
    assertThat(cut.recoveryCrashes()).contains(crashes);
    Extent dumps = Extent.of(run.campaign("dump: {command: ['true']}\n"), all);
    assertThat(dumps.comparesDumps()).isTrue();
    Extent without =
        Extent.of(run.campaign("dump: {command: ['true']}\n"), InjectionLogs.of(new KeptResults()));
    assertThat(without)
        .isEqualTo(new Extent(OccurrencesSection.FIRST, Optional.empty(), Optional.empty(), false));
  }

  @Test
  void resultsShouldGetTheirPlacesInTheTrace() {
    KeptResults results = new KeptResults();
    PlacesInTrace places = new PlacesInTrace(results);
    places.reached(at(11, 2), 77);
    Judgement judgement = FakeRecovery.verdict(at(11, 2), Optional.of("lost"));
    places.judged(judgement);
    places.judged(FakeRecovery.verdict(at(11, 1), Optional.empty()));
    places.explored(StateVerdicts.none(at(11, 2), true).withFindings(List.of(judgement)));

    assertThat(results.judged())
        .extracting(Judgement::ordinal)
        .containsExactly(Optional.of(77L), Optional.empty());
    assertThat(results.explored().get(0).findings().get(0).ordinal()).contains(77L);
  }

  @Test
  void occurrenceShouldBeJudgedOnceAndNotIfAnEarlierPartDid() throws IOException {
    Judgement known = FakeRecovery.verdict(at(21, 1), Optional.empty());
    HandInjection parts =
        new HandInjection(run, IMAGES + "limits: {images: 1}\n", Map.of(at(21, 1), known));
    parts.pass(
        pass -> {
          parts.injection.inject(reached(11), pass, StateShare.USUAL, UnusualCode.NONE);
          parts.injection.inject(reached(21), pass, StateShare.USUAL, UnusualCode.NONE);
          parts.injection.finish(pass);
        });

    assertThat(judged(parts.results)).containsExactly(at(11, 1));
    assertThat(parts.results.judged().get(0).ordinal()).contains(11L);
    assertThat(parts.results.explored()).isEmpty();
  }

  @Test
  void spentBudgetShouldEndThePassBehindWhatWasPaidFor() throws IOException {
    HandInjection parts = parts(IMAGES + "limits: {images: 1}\n");

    assertThatThrownBy(
            () ->
                parts.pass(
                    pass -> {
                      parts.injection.inject(reached(11), pass, StateShare.USUAL, UnusualCode.NONE);
                      parts.injection.inject(reached(21), pass, StateShare.USUAL, UnusualCode.NONE);
                    }))
        .isInstanceOf(BudgetSpentException.class);
    assertThat(judged(parts.results)).containsExactly(at(11, 1));
  }

  @Test
  void endWithNothingInFlightShouldHaveNoStatesToJudge() throws IOException {
    HandInjection parts = parts("");
    parts.pass(parts.injection::injectAtTheEnd);

    assertThat(parts.results.explored())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.at()).isEqualTo(Occurrence.END);
              assertThat(one.isSettled()).isTrue();
            });
    assertThat(parts.recovery.runs()).isZero();
  }

  @Test
  void linesShouldBeFollowedOnlyWhereSomeoneAsks() throws IOException {
    HandInjection images = parts(IMAGES);
    images.pass(
        pass -> assertThat(images.injection.followers(pass)).doesNotContain(pass.pending()));
    HandInjection states = parts("");
    states.pass(pass -> assertThat(states.injection.followers(pass)).contains(pass.pending()));
  }

  @Test
  void failedWorkerShouldEndThePassWhileTheTargetWaits() throws IOException {
    HandInjection parts = parts(IMAGES);

    assertThatThrownBy(
            () ->
                parts.pass(
                    pass -> {
                      pass.workers().fail(new IllegalStateException("no recovery"));
                      for (TraceConsumer follower : parts.injection.followers(pass)) {
                        follower.caughtUp();
                      }
                    }))
        .hasMessage("no recovery");
  }

  @Test
  void recordingShouldJudgeFirstOccurrencesAndCountAll() throws IOException {
    HandInjection parts = parts(IMAGES);
    OccurrenceChoice choice = new OccurrenceChoice(parts.extent.occurrences());
    RecordingPass pass =
        parts.record(
            calls -> {
              TargetByHand.FLAG_FIRST.run(calls);
              TargetByHand.FLAG_FIRST.run(calls);
            },
            choice,
            Optional.empty());

    assertThat(judged(parts.results)).containsExactlyInAnyOrder(at(21, 1), at(11, 1));
    assertThat(choice.count(TargetByHand.stack(11).id(), 0)).isEqualTo(3);
    assertThat(pass.postponed()).isEmpty();
    assertThat(parts.cuts()).isZero();
  }

  @Test
  void storedTraceShouldBeJudgedWhereItIsWantedAlone() throws IOException {
    Path stored =
        run.trace(
            calls -> {
              for (int time = 1; time <= 3; time++) {
                calls.store(20, 1, time).flush(21, 1).fence(22);
                calls.store(10, 0, time).flush(11, 0).fence(12);
              }
            });
    HandInjection parts = parts(IMAGES);
    FailurePointId flag = TargetByHand.stack(21).id();
    parts.replay(
        stored,
        new Later(
            Map.of(),
            Set.of(new Occurrence(flag, 2)),
            Set.of(at(11, 3)),
            Set.of(at(11, 1)),
            false));

    assertThat(judged(parts.results))
        .containsExactlyInAnyOrder(new Occurrence(flag, 2), at(11, 3), at(11, 1));
    assertThat(parts.results.judged().stream().filter(Judgement::isBug))
        .extracting(Judgement::failurePointId)
        .containsExactly(flag);
  }
}
