// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.Evidence;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.RecoverySaid;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.findings.Finding;
import io.powercut.report.format.Commands;
import io.powercut.report.format.Text;
import io.powercut.tree.UserCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A finding as the page shows it.
 *
 * @param finding what it is of
 * @param title its title, not too long
 * @param crashes the evidence from injection
 * @param patterns the evidence from the trace
 * @param races the persistency-induced races
 * @param dataRaces the data races
 * @param further other pieces of evidence, in lines
 * @param moreFurther how many more of them there are
 * @param proofs all crashes that proved it, if there are more than the evidence tells
 * @param accept the command that accepts it
 * @param open whether it is unfolded at first
 */
record ShownFinding(
    Finding finding,
    String title,
    List<Crash> crashes,
    List<Misuse> patterns,
    List<Race> races,
    List<UnorderedPair> dataRaces,
    List<Further> further,
    int moreFurther,
    List<ProofRow> proofs,
    String accept,
    boolean open) {
  private static final int EVIDENCE_SHOWN = 5;
  private static final int FURTHER_SHOWN = 20;
  private static final int TITLE_LENGTH = 500;
  private static final int CACHE_LINES_SHOWN = 16;

  ShownFinding {
    crashes = List.copyOf(crashes);
    patterns = List.copyOf(patterns);
    races = List.copyOf(races);
    dataRaces = List.copyOf(dataRaces);
    further = List.copyOf(further);
    proofs = List.copyOf(proofs);
  }

  /**
   * @param evidence what it is of
   * @param drawing of the time before; only of a finding's first crash
   * @param values of the lost stores, named and decoded
   * @param blamed the stores that did not persist and those that did before them; none in program
   *     order
   * @param moreBlamed how many more of them there are
   * @param undone the changes of names and sizes that the power cut undid
   * @param moreUndone how many more of them there are
   * @param stack where the power was cut
   * @param second where it was cut again, in recovery; empty when it was not
   * @param output what recovery printed
   * @param recoveryStack where recovery crashed
   * @param lost the cache lines of lost stores, in the image and as if they had persisted
   * @param lines the cache lines that differ from the image before
   * @param moreLines how many more of them there are
   * @param stores the stores to them
   */
  record Crash(
      InjectionEvidence evidence,
      Optional<TimelineDrawing> drawing,
      List<LostValue> values,
      List<Blamed> blamed,
      int moreBlamed,
      List<Undone> undone,
      long moreUndone,
      Stack stack,
      Stack second,
      Output output,
      Stack recoveryStack,
      List<LostLine> lost,
      List<ChangedLine> lines,
      int moreLines,
      List<Store> stores) {}

  /**
   * @param image the line as recovery found it, with the bytes that were lost marked
   * @param persisted the line as it would be if nothing were lost
   */
  record LostLine(ChangedLine image, ChangedLine persisted) {
    static List<LostLine> of(JudgedState state) {
      List<ChangedLine> image = ChangedLine.of(state, false);
      List<ChangedLine> persisted = ChangedLine.of(state, true);
      return IntStream.range(0, Math.min(CACHE_LINES_SHOWN, image.size()))
          .mapToObj(index -> new LostLine(image.get(index), persisted.get(index)))
          .toList();
    }
  }

  /**
   * @param what the change
   * @param stack who made it
   */
  record Undone(String what, Stack stack) {}

  /**
   * @param role the outcome of it, in words
   * @param store what it is of
   * @param stack who stored
   */
  record Blamed(String role, ImageStore store, Stack stack) {}

  /**
   * @param store what it is of
   * @param place the innermost frame in words, empty when nothing is known
   * @param callers the other frames
   */
  record Store(ImageStore store, String place, List<String> callers) {}

  /**
   * @param evidence what it is of
   * @param places the instructions involved
   */
  record Misuse(TraceEvidence evidence, List<Place> places) {
    /** Its part of all flushes or fences, in words; empty when it has none. */
    String share() {
      return evidence
          .share()
          .map(share -> String.format(Locale.ROOT, "%.1f %%", 100 * share))
          .orElse("");
    }
  }

  /**
   * @param place what it is of
   * @param stack its stack
   */
  record Place(TraceEvidence.Place place, Stack stack) {}

  /**
   * @param evidence what it is of
   * @param drawing threads, time and what happened
   * @param steps the store, what persisted it, and the load
   * @param isConfirmed whether a crash without the store was not recovered from
   */
  record Race(
      PersistencyRace evidence, RaceDrawing drawing, List<RaceStep> steps, boolean isConfirmed) {}

  /**
   * A data race.
   *
   * @param evidence what it is of
   * @param steps both accesses, where the object was allocated, and where the threads were created
   */
  record UnorderedPair(DataRace evidence, List<RaceStep> steps) {}

  /**
   * @param what was done, and by which thread
   * @param locks the locks that the thread held
   * @param stack where
   */
  record RaceStep(String what, String locks, Stack stack) {}

  /**
   * A piece of evidence in a line.
   *
   * @param what what is lost or was seen
   * @param where the user's frame; of a crash, that of the cut
   * @param replay the command that shows it again; empty when there is none
   */
  record Further(String what, String where, String replay) {}

  private static Further further(Evidence evidence) {
    String where = UserCode.of(evidence.stack()).map(StackFrame::text).orElse("");
    if (evidence instanceof InjectionEvidence crash) {
      String seen = crash.state().map(JudgedState::remedy).orElse(crash.seen());
      List<String> said = RecoverySaid.of(crash.seen(), crash.output(), 1);
      return new Further(
          line(said.isEmpty() ? seen : seen + "; recovery said: " + said.get(0)),
          "cut in %s, occurrence %d".formatted(where, crash.occurrence()),
          crash.replay());
    }
    return new Further(line(evidence.seen()), where, "");
  }

  private static String line(String text) {
    return Text.beginning(Text.printed(text), TITLE_LENGTH);
  }

  static ShownFinding of(Finding finding, SourceFiles sources, Path run, boolean open) {
    int most = finding.isQuiet() ? 1 : EVIDENCE_SHOWN;
    List<Evidence> shown = finding.evidence().subList(0, Math.min(most, finding.evidence().size()));
    List<Evidence> others = finding.evidence().subList(shown.size(), finding.evidence().size());
    int further = finding.isQuiet() ? 0 : Math.min(FURTHER_SHOWN, others.size());
    return new ShownFinding(
        finding,
        line(finding.title()),
        shown.stream()
            .filter(InjectionEvidence.class::isInstance)
            .map(InjectionEvidence.class::cast)
            .map(evidence -> crash(evidence, evidence.equals(shown.get(0)), sources))
            .toList(),
        shown.stream()
            .filter(TraceEvidence.class::isInstance)
            .map(TraceEvidence.class::cast)
            .map(evidence -> misuse(evidence, sources, finding.isQuiet()))
            .toList(),
        shown.stream()
            .filter(PersistencyRace.class::isInstance)
            .map(PersistencyRace.class::cast)
            .map(evidence -> race(evidence, finding, sources))
            .toList(),
        shown.stream()
            .filter(DataRace.class::isInstance)
            .map(DataRace.class::cast)
            .map(evidence -> dataRace(evidence, sources))
            .toList(),
        others.stream().limit(further).map(ShownFinding::further).toList(),
        others.size() - further,
        finding.proofs().size() > 1 ? ProofRow.of(finding.proofs()) : List.of(),
        Commands.accept(run, finding.fingerprint()),
        open);
  }

  private static Crash crash(InjectionEvidence evidence, boolean isFirst, SourceFiles sources) {
    List<ChangedLine> lines = ChangedLine.of(evidence.changes().stores());
    List<ChangedLine> shown = lines.subList(0, Math.min(CACHE_LINES_SHOWN, lines.size()));
    return new Crash(
        evidence,
        isFirst ? TimelineDrawing.of(evidence) : Optional.empty(),
        evidence.state().map(LostValue::of).orElse(List.of()),
        evidence.state().map(state -> blamed(state.shown(), sources)).orElse(List.of()),
        evidence.state().map(state -> state.shown().more()).orElse(0),
        evidence.lostMetadata().map(lost -> undone(lost, sources)).orElse(List.of()),
        evidence.lostMetadata().map(lost -> lost.undone() - lost.calls().size()).orElse(0L),
        Stack.of(evidence.stack(), sources),
        Stack.of(evidence.recoveryCrash().map(RecoveryCrash::stack).orElse(List.of()), sources),
        Output.of(evidence.output()),
        Stack.of(evidence.recoveryStack(), sources),
        evidence.state().map(LostLine::of).orElse(List.of()),
        shown,
        lines.size() - shown.size(),
        evidence.changes().stores().stream().map(ShownFinding::store).toList());
  }

  private static List<Blamed> blamed(JudgedState.Shown state, SourceFiles sources) {
    return Stream.concat(
            state.lost().stream().map(store -> blamed("Lost", store, sources)),
            state.arrived().stream().map(store -> blamed("Persisted before it", store, sources)))
        .toList();
  }

  private static List<Undone> undone(LostMetadata lost, SourceFiles sources) {
    return lost.calls().stream()
        .map(call -> new Undone(call.named(), Stack.of(call.stack(), sources)))
        .toList();
  }

  private static Blamed blamed(String role, JudgedState.Store store, SourceFiles sources) {
    return new Blamed(role, store.store(), Stack.of(store.store().stack(), sources));
  }

  private static Store store(ImageStore store) {
    List<String> frames = store.stack().stream().map(StackFrame::text).toList();
    return frames.isEmpty()
        ? new Store(store, "", List.of())
        : new Store(store, frames.get(0), frames.subList(1, frames.size()));
  }

  private static Race race(PersistencyRace race, Finding finding, SourceFiles sources) {
    List<RaceStep> steps = new ArrayList<>();
    steps.add(step("stored", race.store(), sources));
    race.persist().ifPresent(persist -> steps.add(step(race.end().toString(), persist, sources)));
    steps.add(step("loaded", race.load(), sources));
    return new Race(
        race, RaceDrawing.of(race), List.copyOf(steps), finding.injection().isPresent());
  }

  private static UnorderedPair dataRace(DataRace race, SourceFiles sources) {
    List<RaceStep> steps = new ArrayList<>();
    steps.add(step(race.hasHolder() ? "holder" : "first", race.first(), sources));
    steps.add(step(race.hasHolder() ? "access" : "second", race.second(), sources));
    race.first().locks().forEach(lock -> addLock(lock, race.first(), steps, sources));
    race.second().locks().forEach(lock -> addLock(lock, race.second(), steps, sources));
    addPlace("allocated", race.object().allocated(), steps, sources);
    addPlace(
        "thread " + race.first().thread() + " created", race.first().created(), steps, sources);
    addPlace(
        "thread " + race.second().thread() + " created", race.second().created(), steps, sources);
    return new UnorderedPair(race, List.copyOf(steps));
  }

  private static RaceStep step(String what, DataRace.Access access, SourceFiles sources) {
    return new RaceStep(
        "%s: %s".formatted(what, access.inWords()), "", Stack.of(access.stack(), sources));
  }

  private static void addLock(
      DataRace.HeldLock lock, DataRace.Access access, List<RaceStep> steps, SourceFiles sources) {
    addPlace(
        "thread %d took %s".formatted(access.thread(), lock.lock().name()),
        lock.taken(),
        steps,
        sources);
  }

  private static void addPlace(
      String what, List<StackFrame> stack, List<RaceStep> steps, SourceFiles sources) {
    if (!stack.isEmpty()) {
      steps.add(new RaceStep(what, "", Stack.of(stack, sources)));
    }
  }

  private static RaceStep step(String what, PersistencyRace.Step step, SourceFiles sources) {
    return new RaceStep(
        "%s by thread %d".formatted(what, step.thread()),
        step.held().isEmpty()
            ? ""
            : step.held().stream()
                .map(PersistencyRace.Lock::inWords)
                .collect(Collectors.joining(", ", "Holds ", ".")),
        Stack.of(step.stack(), sources));
  }

  private static Misuse misuse(TraceEvidence evidence, SourceFiles sources, boolean inShort) {
    return new Misuse(
        evidence,
        evidence.places().stream()
            .map(
                place ->
                    new Place(
                        place,
                        inShort
                            ? Stack.ofUser(place.stack(), sources)
                            : Stack.of(place.stack(), sources)))
            .toList());
  }
}
