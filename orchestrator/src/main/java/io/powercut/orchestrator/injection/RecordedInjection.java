// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import com.google.common.collect.Sets;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.OccurrencesSection;
import io.powercut.image.PmArea;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.exploration.AdviceCheck;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.reads.StoreReads;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.persistency.choice.ChoiceOptions;
import io.powercut.persistency.choice.StateShare;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.format.Text;
import io.powercut.report.rundir.StateLog;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Injection from one recorded run: the trace is replayed over the state after set-up while the
 * target still runs, and at chosen occurrences of each failure point the image that a crash there
 * would leave is judged. The trace is kept until it is over, for those that can only be chosen
 * then, and for those that are judged after all others: where the C library's locks are taken. Tree
 * and images come from the same execution, so the target need not be deterministic.
 */
public final class RecordedInjection {
  /** So often an occurrence further ahead is judged, while recovery fails there as well. */
  private static final int STEPS_BETWEEN = 4;

  private final Campaign campaign;
  private final Workplace workplace;
  private final Scope scope;
  private final Extent extent;
  private final OccurrenceChoice choice;
  private final Observation observation;
  private final BugsInTrace bugs;
  private final LaterChanges laterChanges;
  private final Preceding preceding = new Preceding();
  private final Passes passes;
  private final RecordingPass recordingPass;
  private final StoredPass storedPass;

  /**
   * @param logs take the results; crash states are judged if they take those and the campaign wants
   *     it
   */
  public RecordedInjection(
      Campaign campaign,
      Workplace workplace,
      Recording recording,
      Recoveries recoveries,
      Scope scope,
      InjectionLogs logs) {
    this.campaign = campaign;
    this.workplace = workplace;
    this.scope = scope;
    this.extent = Extent.of(campaign, logs);
    this.choice = new OccurrenceChoice(extent.occurrences());
    this.observation = recording.observation();
    this.laterChanges = new LaterChanges(campaign, observation);
    this.bugs =
        new BugsInTrace(
            logs.results(),
            logs.judged().values(),
            logs.states().map(StateLog::all).orElse(List.of()));
    PlacesInTrace places = new PlacesInTrace(bugs);
    Judging judging =
        new Judging(
            recoveries.judge(), new VerdictCache(), observation.identity(), scope.budget(), places);
    this.passes = new Passes(campaign, workplace, judging, recoveries, extent);
    OccurrenceInjection injection =
        new OccurrenceInjection(
            scope, extent, logs.judged(), judging, places, choice(campaign, recoveries));
    this.recordingPass = new RecordingPass(recording, passes, injection, choice, preceding, extent);
    this.storedPass =
        new StoredPass(
            campaign, passes, injection, extent.occurrences(), preceding, scope.budget());
  }

  private static ChoiceOptions choice(Campaign campaign, Recoveries recoveries) {
    ChoiceOptions options = campaign.crashStates().choice();
    return recoveries.isLong() ? options.withWholeShares(ChoiceOptions.FEW_WHOLE_SHARES) : options;
  }

  /**
   * Runs the target and judges the images.
   *
   * @param base the PM directory after set-up
   * @param tree to which the failure points are added
   * @return the execution, whose PM directory holds the state after a clean exit; nothing when the
   *     budget ended it before. The caller closes it
   */
  public Optional<Execution> run(Path base, FailurePointTree tree) {
    boolean keep = campaign.trace().keep();
    PmArea area = workplace.resources().area();
    try (PrivateDirectory scratch = area.newDirectory()) {
      Path stored = keep ? workplace.directory().traceFile() : scratch.path().resolve("trace.zst");
      Execution execution =
          record(
              base,
              tree,
              keep || extent.needsStoredTrace() ? Optional.of(stored) : Optional.empty());
      try {
        judgeOthers(base, stored, tree);
        if (extent.states().isPresent()) {
          new AdviceCheck(
                  campaign, workplace.resources(), workplace.phases().progress(), base, stored)
              .run(passes.advice(), extent.states().get());
        }
      } catch (IOException | RuntimeException e) {
        execution.close();
        throw e;
      }
      return Optional.of(execution);
    } catch (BudgetSpentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs the target with a writer held, and judges what a crash leaves where a race has happened.
   *
   * @param base the PM directory after set-up
   * @param tree to which the failure points are added
   * @return the execution, which the caller closes; nothing when the budget ended it before
   */
  public Optional<Execution> runHeld(Path base, FailurePointTree tree) {
    try {
      Execution execution = record(base, tree, Optional.empty());
      extent.states().ifPresent(log -> AdviceCheck.sayWhatPersists(passes.advice(), log));
      return Optional.of(execution);
    } catch (BudgetSpentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What recovery read of stores, in all that was judged so far. */
  public StoreReads reads() {
    return passes.reads();
  }

  /** Sees the state at every occurrence whose image is going to be judged. */
  @FunctionalInterface
  public interface StateObserver {
    /** The state is that of the image. */
    void at(Occurrence occurrence, PmState state) throws IOException;
  }

  /**
   * Runs the target and judges the images of first occurrences.
   *
   * @param base the PM directory after set-up
   * @param tree to which the failure points are added
   * @param state holds what base holds; the images that are taken of it are good until the caller
   *     closes it
   * @param observer may take images
   * @return the execution, which the caller closes; nothing when the budget ended it before
   */
  public Optional<Execution> run(
      Path base, FailurePointTree tree, PmState state, StateObserver observer) {
    try {
      return Optional.of(recordingPass.run(base, tree, state, observer, Optional.empty()));
    } catch (BudgetSpentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Execution record(Path base, FailurePointTree tree, Optional<Path> stored)
      throws IOException {
    try (PrivateDirectory pages = workplace.resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(base, pages)) {
      return recordingPass.run(base, tree, state, (occurrence, unchanged) -> {}, stored);
    }
  }

  /**
   * What could only be chosen when the run was over, then what there is time for, and last of all
   * what was postponed.
   */
  private void judgeOthers(Path base, Path stored, FailurePointTree tree) throws IOException {
    Map<Occurrence, StateShare> postponed = recordingPass.postponed();
    OccurrencesSection occurrences = extent.occurrences();
    Later all = new Later(postponed, Set.of(), Set.of(), Set.of(), false);
    if (occurrences.needsWholeRun()) {
      all =
          new Later(
              postponed, choice.withOtherStores(), choice.later(), Set.of(), extent.coversTheEnd());
    }
    FurtherTime time =
        new FurtherTime(
            scope.budget().elapsed(),
            choice.chosen() - all.size(),
            occurrences.isLeftToPowercut() ? occurrences.share() : 0);
    Later later = all.of(id -> !choice.isLast(id)).with(further(time.affordable()));
    if (!later.isEmpty()) {
      workplace.phases().begin("judging other occurrences", wanted(later));
    }
    boolean isFurther = false;
    while (!later.isEmpty()) {
      time.begin();
      storedPass.run(base, stored, tree, later);
      time.end(later.size());
      later = Later.NOTHING.with(further(scope.budget().isLeft() ? time.affordable() : 0));
      if (!later.isEmpty() && !isFurther) {
        workplace.phases().begin("judging more occurrences while there is time");
        isFurther = true;
      }
    }
    if (occurrences.isLeftToPowercut()) {
      judgeMoreUnusual(base, stored, tree, all.other());
      tellApart(base, stored, tree);
    }
    Later last = all.of(choice::isLast);
    if (!last.isEmpty()) {
      workplace.phases().begin("judging occurrences that hold the C library's locks", wanted(last));
      storedPass.run(base, stored, tree, last);
    }
    readLaterChanges(stored);
  }

  /** A program that unusual stores show bugs of may have more of them than any run looks at. */
  private void judgeMoreUnusual(
      Path base, Path stored, FailurePointTree tree, Set<Occurrence> judged) throws IOException {
    Set<Occurrence> last = judged;
    while (bugs.isNewAt(last)) {
      Later more = Later.ofOther(choice.withOtherStores()).of(id -> !choice.isLast(id));
      if (!more.isEmpty()) {
        workplace
            .phases()
            .begin("judging more occurrences with unusual stores in flight", wanted(more));
        storedPass.run(base, stored, tree, more);
      }
      last = more.other();
    }
  }

  /**
   * Two failure points on whose images recovery fails alike are one bug or two: that depends on
   * whether it succeeds between them. And a change of metadata is to blame if it succeeds before.
   */
  private void tellApart(Path base, Path stored, FailurePointTree tree) throws IOException {
    readLaterChanges(stored);
    for (int step = 0; step < STEPS_BETWEEN; step++) {
      Set<Occurrence> asked =
          Sets.union(
              bugs.between(preceding),
              bugs.beforeMetadata(preceding, cut -> observation.changes().call(cut).isPresent()));
      Later between = Later.NOTHING.with(asked).of(scope.wanted());
      if (between.isEmpty()) {
        return;
      }
      workplace.phases().begin("judging what tells failures apart", between.size());
      storedPass.run(base, stored, tree, between);
    }
  }

  private void readLaterChanges(Path stored) throws IOException {
    Set<Occurrence> missing = laterChanges.missing(bugs.later(observation.changes().haveCalls()));
    if (!missing.isEmpty()) {
      workplace
          .phases()
          .begin(
              "reading what changed before "
                  + Text.counted(missing.size(), "later occurrence")
                  + " with bugs");
      laterChanges.read(stored, missing);
    }
  }

  private long wanted(Later later) {
    return later.of(scope.wanted()).size();
  }

  private Set<Occurrence> further(long most) {
    return choice.further(most, id -> scope.wanted().test(id) && !choice.isLast(id));
  }
}
