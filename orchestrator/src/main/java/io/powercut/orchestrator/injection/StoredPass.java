// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.OccurrencesSection;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TraceReading;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.choice.UnusualCode;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** A pass over the stored trace, when the run is over. */
final class StoredPass {
  private final Campaign campaign;
  private final Passes passes;
  private final OccurrenceInjection injection;
  private final OccurrencesSection occurrences;
  private final Preceding preceding;
  private final Budget budget;

  /**
   * @param preceding gets what is before those that are judged
   * @param budget ends the judging of further occurrences
   */
  StoredPass(
      Campaign campaign,
      Passes passes,
      OccurrenceInjection injection,
      OccurrencesSection occurrences,
      Preceding preceding,
      Budget budget) {
    this.campaign = campaign;
    this.passes = passes;
    this.injection = injection;
    this.occurrences = occurrences;
    this.preceding = preceding;
    this.budget = budget;
  }

  /**
   * Judges occurrences.
   *
   * @param base the PM directory after set-up
   * @param stored the trace
   * @param tree all failure points
   * @param later which occurrences
   */
  void run(Path base, Path stored, FailurePointTree tree, Later later) throws IOException {
    Observation numbers = Observation.ofNumbers();
    try (PrivateDirectory pages = passes.workplace().resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(base, pages);
        Pass pass = passes.open(state, numbers.tables(), tree)) {
      TraceReading reading = new TraceReading(campaign.failurePoints(), numbers);
      reading.read(
          TraceReader.of(stored),
          InstrumentedRun.emptyTree(campaign),
          listener(later, pass),
          injection.followers(pass));
      if (later.theEnd() && reading.endsInside()) {
        injection.injectAtTheEnd(pass);
      }
      injection.finish(pass);
      passes.cutRecovery(pass);
    }
  }

  private FailurePointListener listener(Later later, Pass pass) {
    OccurrenceChoice counting = new OccurrenceChoice(occurrences);
    Set<Occurrence> wanted = later.all();
    UnusualStores unusual = new UnusualStores(later.other(), passes::blamed);
    preceding.begin();
    return (ordinal, stack, instruction, isNew) -> {
      Occurrence occurrence = new Occurrence(stack.id(), counting.count(stack.id(), 0));
      preceding.reached(occurrence);
      UnusualCode code = unusual.at(occurrence, pass.pending());
      if (!wanted.contains(occurrence)) {
        return;
      }
      Optional<StateShare> share = share(later, occurrence);
      if (share.isPresent()) {
        preceding.keep();
        injection.inject(
            new OccurrenceInjection.Reached(occurrence, ordinal, instruction, pass.untriedLosses()),
            pass,
            share.get(),
            later.first().containsKey(occurrence) ? UnusualCode.NONE : code);
      }
    };
  }

  /** The share of an occurrence; nothing if it is not to be judged. */
  private Optional<StateShare> share(Later later, Occurrence occurrence) {
    if (later.first().containsKey(occurrence)) {
      return Optional.of(later.first().get(occurrence));
    }
    if (later.other().contains(occurrence)) {
      return Optional.of(StateShare.USUAL);
    }
    if (later.due().contains(occurrence)) {
      return Optional.of(occurrences.isLeftToPowercut() ? StateShare.LAST : StateShare.USUAL);
    }
    return later.further().contains(occurrence) && budget.isLeft()
        ? Optional.of(StateShare.FURTHER)
        : Optional.empty();
  }
}
