// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.changes.OnlyLines;
import io.powercut.persistency.changes.WithSwap;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.StoreCode;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.Occurrence;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.replay.ForwardingTraceConsumer;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One piece of advice, tried on the recorded run: gets the trace, and follows it as if the program
 * did what is advised. The advice holds if, wherever the finding showed, the lost store cannot be
 * lost any more while the one that arrived is there.
 */
final class AdviceTrial extends ForwardingTraceConsumer {
  /** So often it is looked whether the store that arrives could do so without the lost one. */
  private static final int MOST_ARRIVALS = 256;

  private static final int NONE = -1;

  /**
   * What to do.
   *
   * @param text in words
   * @param newName what changes a name or a size, if it is to be done before that
   */
  record Advice(String text, Optional<String> newName) {
    /** What is not about that. */
    static Optional<Advice> of(String text) {
      return Optional.of(new Advice(text, Optional.empty()));
    }
  }

  private final Supplier<Optional<Advice>> advice;
  private final AdviceQuestions.Question question;
  private final CacheLineTracker model;
  private final Optional<WithSwap> swap;
  private final long lost;
  private final OptionalLong there;
  private final int arriving;
  private OptionalLong latest = OptionalLong.empty();
  private int arrivals;
  private boolean isRefuted;
  private boolean fallsShort;
  private int seen;
  private Optional<Advice> advised = Optional.empty();

  /**
   * @param advice asked for where the finding was found; nothing if it does not apply
   * @param model gets what the changed program would do
   * @param change makes that of what the program did, and hands it to the model
   * @param swap what puts stores in another order, so that contents mean nothing; nothing if the
   *     change is another
   */
  AdviceTrial(
      Supplier<Optional<Advice>> advice,
      AdviceQuestions.Question question,
      CacheLineTracker model,
      TraceConsumer change,
      Optional<WithSwap> swap) {
    super(new OnlyLines(lines(question), change));
    this.advice = advice;
    this.question = question;
    this.model = model;
    this.swap = swap;
    this.lost = question.culprit().lost().get(0).store().ordinal();
    this.there =
        question.culprit().arrived().stream()
            .mapToLong(store -> store.store().ordinal())
            .findFirst();
    this.arriving =
        question.culprit().arrived().stream()
            .map(store -> store.store().site())
            .findFirst()
            .orElse(NONE);
  }

  private static Collection<Long> lines(AdviceQuestions.Question question) {
    return Stream.of(
            question.sightings().stream()
                .flatMap(sighting -> sighting.state().differences().stream())
                .map(line -> line.location()),
            blamedLines(question.culprit().lost()),
            blamedLines(question.culprit().arrived()))
        .flatMap(locations -> locations)
        .toList();
  }

  private static Stream<Long> blamedLines(Collection<BlamedStore> stores) {
    return stores.stream().map(store -> store.line().location());
  }

  /** What is advised; nothing if the finding could still show somewhere. */
  Optional<Advice> holding() {
    return isRefuted || seen != question.occurrences().size() ? Optional.empty() : advised;
  }

  /**
   * Whether the same could happen where the finding did not show: what persists the lost store with
   * the advice where it did may be missing elsewhere.
   */
  boolean fallsShort() {
    return fallsShort;
  }

  /** The target is at an occurrence of a failure point. */
  void at(Occurrence occurrence) {
    List<AdviceQuestions.Sighting> here = question.at(occurrence);
    if (here.isEmpty() || isRefuted) {
      return;
    }
    seen++;
    if (occurrence.equals(question.occurrence())) {
      advised = advice.get();
    }
    CrashStates states = CrashStates.of(model);
    isRefuted |=
        swap.isEmpty() && occurrence.equals(question.occurrence()) && states.mayLose(lost, there);
    for (AdviceQuestions.Sighting sighting : here) {
      boolean isPossible = isPossible(sighting, states);
      isRefuted |= isPossible && !sighting.isOther();
      fallsShort |= isPossible && sighting.isOther();
    }
  }

  private boolean isPossible(AdviceQuestions.Sighting sighting, CrashStates states) {
    return swap.isPresent()
        ? sighting.lacksBoth()
            || (sighting.there().isPresent() && states.mayLose(sighting.lost(), sighting.there()))
        : states.allows(sighting.state());
  }

  @Override
  public void store(StoreRecord store) throws IOException {
    if (store.ordinal() == lost && swap.isPresent()) {
      isRefuted |= !swap.get().isWaiting(there.orElseThrow());
    }
    super.store(store);
    if (swap.isEmpty()) {
      follow(store);
    }
    boolean arrives = there.isPresent() && store.ordinal() == there.getAsLong();
    if (arrives && swap.isEmpty() && lost < store.ordinal()) {
      // From here on the power could be cut, whether or not a failure point comes.
      isRefuted |= CrashStates.of(model).mayLose(lost, there);
    }
  }

  /** The lost store may be lost elsewhere, too, once the other is made, whoever called for that. */
  private void follow(StoreRecord store) {
    if (question.codes().contains(StoreCode.of(store.stack(), store.site()))) {
      latest = OptionalLong.of(store.ordinal());
    } else if (store.site() == arriving
        && latest.isPresent()
        && !isRefuted
        && arrivals++ < MOST_ARRIVALS) {
      fallsShort |=
          CrashStates.of(model).mayLose(latest.getAsLong(), OptionalLong.of(store.ordinal()));
    }
  }
}
