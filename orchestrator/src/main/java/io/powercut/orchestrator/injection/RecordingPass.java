// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import com.google.common.io.Closer;
import io.powercut.image.PmState;
import io.powercut.orchestrator.code.LockingCode;
import io.powercut.orchestrator.judging.MetadataLosses;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.RecordCheck;
import io.powercut.orchestrator.target.StartUp;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.choice.UnusualCode;
import io.powercut.persistency.lines.StorePlaces;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.file.TraceStore;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The pass while the target runs: first occurrences are judged, and all of them are counted. */
final class RecordingPass {
  private final Recording recording;
  private final Passes passes;
  private final OccurrenceInjection injection;
  private final OccurrenceChoice choice;
  private final Preceding preceding;
  private final Extent extent;

  /** First occurrences that are judged after all others, with their shares. */
  private final Map<Occurrence, StateShare> postponed = new HashMap<>();

  /**
   * @param choice counts the occurrences
   * @param preceding gets what is before those that are judged
   */
  RecordingPass(
      Recording recording,
      Passes passes,
      OccurrenceInjection injection,
      OccurrenceChoice choice,
      Preceding preceding,
      Extent extent) {
    this.recording = recording;
    this.passes = passes;
    this.injection = injection;
    this.choice = choice;
    this.preceding = preceding;
    this.extent = extent;
  }

  /**
   * First occurrences that are to be judged after all others, from the stored trace: where the C
   * library's locks are taken.
   */
  Map<Occurrence, StateShare> postponed() {
    return postponed;
  }

  /**
   * Runs the target and judges the images.
   *
   * @param base the PM directory after set-up
   * @param tree to which the failure points are added
   * @param state holds what base holds
   * @param observer sees the state at first occurrences
   * @param stored where the trace is to be kept; nothing is postponed without it
   * @return the execution, which the caller closes
   */
  Execution run(
      Path base,
      FailurePointTree tree,
      PmState state,
      RecordedInjection.StateObserver observer,
      Optional<Path> stored)
      throws IOException {
    Observation observation = recording.observation();
    try (Pass pass = passes.open(state, observation.tables(), tree);
        Closer closer = Closer.create()) {
      if (extent.needsInFlight()) {
        observation.lookAt(pass.pending());
      }
      StartUp startUp = new StartUp(observation.tables(), tree.program());
      Optional<TraceStore> store = Optional.empty();
      if (stored.isPresent()) {
        store = Optional.of(closer.register(TraceStore.create(stored.get())));
      }
      RecordCheck check = new RecordCheck(observation.tables(), state);
      List<TraceConsumer> followers = new ArrayList<>(injection.followers(pass));
      followers.add(startUp);
      followers.add(check);
      Following following =
          Following.of(listener(pass, startUp, observer, stored.isPresent()), followers)
              .storingInto(store)
              .beginning(passes::followRun)
              .telling(passes.tellsRecovery() ? Following.Ended.IGNORED : controlling(pass));
      Execution execution = recording.target().run(base, tree, observation, following);
      try {
        observation.ended();
        passes.advice().ended(pass.pending().means()::areInstructionsFor);
        if (recording.hasFiles()) {
          check.compare(execution.places().pm()).forEach(passes.workplace().phases()::note);
        }
        execution.keepAcknowledged(pass.acknowledged().now());
        if (passes.tellsRecovery()) {
          recording.control().accept(execution);
        }
        injection.finish(pass);
        passes.cutRecovery(pass);
        return execution;
      } catch (IOException | RuntimeException e) {
        execution.close();
        throw e;
      }
    }
  }

  private FailurePointListener listener(
      Pass pass, StartUp startUp, RecordedInjection.StateObserver observer, boolean mayPostpone) {
    return (ordinal, stack, instruction, isNew) -> {
      long number = choice.count(stack.id(), pass.pending().inFlightPlaces());
      startUp.reached(number);
      if (number == 1 && mayPostpone && LockingCode.contains(stack, instruction)) {
        choice.judgeLast(stack.id());
      }
      Occurrence occurrence = new Occurrence(stack.id(), number, recording.order());
      preceding.reached(occurrence);
      Set<Integer> raced = recording.observation().raced(occurrence);
      boolean isHeld = recording.order() > 0;
      boolean isTried =
          extent.states().isPresent() && !raced.isEmpty() && (choice.take(occurrence) || isHeld);
      boolean isChosen = (!isHeld && choice.isFirst(number)) || isTried;
      MetadataLosses losses =
          isHeld || choice.isLast(stack.id()) ? MetadataLosses.NONE : pass.losses();
      if (!isChosen && (losses.isEmpty() || !choice.take(occurrence))) {
        losses.close();
        return;
      }
      preceding.keep();
      observer.at(occurrence, pass.state());
      StateShare share = startUp.isOver() || isTried ? StateShare.USUAL : StateShare.START_UP;
      if (choice.isLast(stack.id())) {
        postponed.put(occurrence, share);
        return;
      }
      injection.inject(
          new OccurrenceInjection.Reached(occurrence, ordinal, instruction, losses),
          pass,
          isChosen ? share : StateShare.FURTHER,
          new UnusualCode(raced, StorePlaces.INSTRUCTIONS));
    };
  }

  /** Controls the end as soon as it is there: images that wait would be judged in vain. */
  private Following.Ended controlling(Pass pass) {
    return execution -> {
      try {
        recording.control().accept(execution);
      } catch (RuntimeException e) {
        pass.workers().fail(e);
        recording.endRecoveries().run(); // A recovery that hangs would be waited for.
        throw e;
      }
    };
  }
}
