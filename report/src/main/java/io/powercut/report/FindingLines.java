// SPDX-License-Identifier: Apache-2.0
package io.powercut.report;

import io.powercut.report.evidence.DataRace;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.RecoverySaid;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.findings.Finding;
import io.powercut.report.format.Text;
import io.powercut.report.mistakes.CrashPlaces;
import io.powercut.tree.FunctionName;
import io.powercut.tree.Instruction;
import io.powercut.tree.UserCode;
import io.powercut.tree.source.Setters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A finding as a terminal shows it: at most twelve lines, however much was proved. */
final class FindingLines {
  private static final int TITLE_LENGTH = 400;
  private static final int OUTPUT_LINES_SHOWN = 2;
  private static final int OTHER_PLACES = 3;

  private final Finding finding;
  private final List<String> lines = new ArrayList<>();

  private FindingLines(Finding finding) {
    this.finding = finding;
  }

  /** What a person needs to begin: what it is, where, what recovery said, how to see it again. */
  static List<String> of(Finding finding) {
    FindingLines shown = new FindingLines(finding);
    shown.addTitle();
    finding.injection().ifPresent(shown::addCrash);
    finding.patterns().stream().findFirst().ifPresent(shown::addPattern);
    finding.races().stream().findFirst().ifPresent(shown::addRace);
    finding.dataRaces().stream().findFirst().ifPresent(shown::addDataRace);
    shown.addFingerprint();
    finding.injection().ifPresent(crash -> shown.lines.add("  replay: " + crash.replay()));
    return List.copyOf(shown.lines);
  }

  /** All of it in a line. */
  static String inALine(Finding finding) {
    String place = finding.place();
    return "  %s%s %s, %s, at %s"
        .formatted(
            finding.accepted().isPresent() ? "accepted " : "",
            finding.severity().name().toLowerCase(Locale.ROOT),
            finding.kindInWords(),
            finding.seenInWords().isEmpty() ? "1 time" : finding.seenInWords(),
            place.isEmpty() ? "an unknown place" : place);
  }

  private void addTitle() {
    String seen = finding.injection().isPresent() ? finding.seenInWords() : "";
    lines.add(
        "%s %s  %s%s"
            .formatted(
                finding.severity(),
                finding.kindInWords(),
                inOneLine(finding.title()),
                seen.isEmpty() ? "" : "  (at " + seen + ")"));
  }

  private void addCrash(InjectionEvidence crash) {
    crash.state().ifPresent(this::addState);
    crash.lostMetadata().ifPresent(this::addMetadata);
    lines.add(
        "  power cut: "
            + (crash.isAtEnd()
                ? "at the end of the run"
                : "in %s, before %s"
                    .formatted(
                        powerCut(crash, crash.stack()), Instruction.inWords(crash.instruction()))));
    crash
        .recoveryCrash()
        .ifPresent(
            second ->
                lines.add(
                    second.isAtEnd()
                        ? "  power cut again: at the end of step %s of recovery"
                            .formatted(second.step())
                        : "  power cut again: in step %s of recovery, in %s, before %s%s"
                            .formatted(
                                second.step(),
                                powerCut(crash, second.stack()),
                                Instruction.inWords(second.instruction()),
                                second.occurrenceInWords())));
    if (!crash.recoveryStack().isEmpty()) {
      lines.add("  " + crash.recoveryEnd() + ": in " + user(crash.recoveryStack()));
    }
    crash
        .acknowledged()
        .ifPresent(told -> lines.add("  acknowledged: " + inOneLine(told.inWords())));
    RecoverySaid.of(crash.seen(), crash.output(), OUTPUT_LINES_SHOWN)
        .forEach(line -> lines.add("  recovery said: " + line));
    if (crash.changes().isToBeReordered()) {
      addLaterLoss(crash.changes().stackOfEarly());
    }
  }

  /**
   * What is too early may lack a flush as well, which another order does not add: it would be lost
   * once it is made later.
   */
  private void addLaterLoss(List<StackFrame> early) {
    Optional<CrashPlaces.Line> place = CrashPlaces.Line.of(early);
    finding.evidence().stream()
        .filter(InjectionEvidence.class::isInstance)
        .map(InjectionEvidence.class::cast)
        .flatMap(other -> other.state().stream())
        .filter(FindingLines::isAdvisedToPersist)
        .filter(
            state ->
                place.isPresent()
                    && place.equals(CrashPlaces.Line.of(state.lost().get(0).store().stack())))
        .findFirst()
        .ifPresent(state -> lines.add("  crash states show: " + inOneLine(state.remedy())));
  }

  /**
   * Where stores are in the wrong order, a function that makes a single one is called too early.
   */
  private static String powerCut(InjectionEvidence crash, List<StackFrame> stack) {
    return user(
        stack, crash.state().isEmpty() ? FindingLines::makesOneStore : FindingLines::storesOnce);
  }

  private void addState(JudgedState state) {
    lines.add(
        "  lost: "
            + stores(state.lost())
            + (state.smallest() ? "" : " (not all of them matter: the search was cut short)"));
    if (!state.arrived().isEmpty()) {
      lines.add("  persisted before it: " + stores(state.arrived()));
    }
    addOtherPlaces(TargetStack.place(state.lost().get(0).store().stack()).orElse(""));
    if (finding.daxOnly()) {
      lines.add("  possible on DAX only: a disk writes these 512 bytes as a whole");
    }
  }

  private void addMetadata(LostMetadata lost) {
    long more = lost.undone() - 1;
    lines.add(
        "  lost: "
            + lost.first().named()
            + ", by "
            + user(lost.first().stack())
            + (more > 0 ? ", and %s".formatted(Text.counted(more, "later change")) : ""));
    addOtherPlaces(TargetStack.place(lost.first().stack()).orElse(""));
  }

  /** What other crashes of the finding lost: each place has to be looked at. */
  private void addOtherPlaces(String first) {
    List<String> others =
        finding.proofs().stream()
            .flatMap(proof -> proof.lost().stream().limit(1))
            .filter(place -> !place.equals(first))
            .distinct()
            .toList();
    if (!others.isEmpty()) {
      lines.add("  lost in other proofs: " + first(others) + alsoToPersist(others));
    }
  }

  private static String first(List<String> places) {
    int more = places.size() - OTHER_PLACES;
    return String.join(", ", places.subList(0, Math.min(OTHER_PLACES, places.size())))
        + (more > 0 ? ", and at %s".formatted(Text.counted(more, "more place")) : "");
  }

  /** The advice names one store, and others lack the same. */
  private String alsoToPersist(List<String> others) {
    if (finding.injection().flatMap(InjectionEvidence::state).stream()
        .noneMatch(FindingLines::isAdvisedToPersist)) {
      return "";
    }
    Set<String> alike =
        finding.evidence().stream()
            .filter(InjectionEvidence.class::isInstance)
            .map(InjectionEvidence.class::cast)
            .flatMap(crash -> crash.state().stream())
            .filter(JudgedState::hasCause)
            .map(state -> state.lost().get(0))
            .filter(store -> store.isUnflushed() || store.isUnfenced())
            .flatMap(store -> TargetStack.place(store.store().stack()).stream())
            .collect(Collectors.toSet());
    List<String> needed = others.stream().filter(alike::contains).toList();
    if (needed.isEmpty()) {
      return "";
    }
    return "; the advice has to persist %s, too"
        .formatted(needed.size() == others.size() ? "these" : first(needed));
  }

  private static boolean isAdvisedToPersist(JudgedState state) {
    JudgedState.Store first = state.lost().get(0);
    return state.adviceVerified() && (first.isUnflushed() || first.isUnfenced());
  }

  private static String stores(List<JudgedState.Store> stores) {
    ImageStore first = stores.get(0).store();
    return "%s (%s at 0x%x of %s)%s"
        .formatted(
            user(first.stack()),
            Text.counted(first.size(), "byte"),
            first.offset(),
            first.file(),
            stores.size() > 1 ? ", and %d more".formatted(stores.size() - 1) : "");
  }

  private void addPattern(TraceEvidence pattern) {
    if (!pattern.seen().equals(finding.title())) {
      lines.add("  the trace shows: " + inOneLine(pattern.seen()));
    }
    if (finding.injection().isEmpty()) {
      TraceEvidence.Place place = pattern.places().get(0);
      lines.add(
          "  %s: %s, in %s".formatted(place.role(), place.instruction(), user(place.stack())));
    }
  }

  private void addRace(PersistencyRace race) {
    if (finding.injection().isPresent()) {
      lines.add("  the trace shows: " + inOneLine(race.seen()));
    }
    RaceLines.of(race).forEach(line -> lines.add(Text.beginning(line, TITLE_LENGTH)));
    if (finding.injection().isEmpty() && race.tried().isPresent()) {
      lines.add("  a crash that loses the store was tried: recovery succeeds");
    }
  }

  private void addDataRace(DataRace race) {
    if (!race.seen().equals(finding.title())) {
      lines.add("  a data race, too: " + inOneLine(race.seen()));
    }
    RaceLines.of(race).forEach(line -> lines.add(Text.beginning(line, TITLE_LENGTH)));
  }

  private void addFingerprint() {
    int more = Math.max(finding.evidence().size(), finding.proofs().size()) - 1;
    lines.add(
        "  fingerprint: "
            + finding.fingerprint()
            + (more > 0
                ? ", and %s of it in report.html".formatted(Text.counted(more, "more proof"))
                : ""));
  }

  /**
   * A place in a library without line numbers says little, and so does a function that stores for
   * all: the call is there, too. A header of the system that was inlined into that call is not
   * where it was written.
   */
  private static String user(List<StackFrame> stack) {
    return user(stack, FindingLines::storesOnce);
  }

  /**
   * The same.
   *
   * @param isForAll whether a function stores for all
   */
  private static String user(List<StackFrame> stack, Predicate<StackFrame> isForAll) {
    StackFrame user = UserCode.of(stack).orElse(null);
    if (user == null) {
      return "an unknown place";
    }
    if (!user.file().isEmpty() && !isForAll.test(user)) {
      return user.text();
    }
    return TargetStack.caller(stack, user)
        .map(caller -> user.text() + ", called from " + caller.text())
        .orElseGet(user::text);
  }

  private static boolean storesOnce(StackFrame frame) {
    return Setters.storeOnce(frame.file(), simpleName(frame), frame.line());
  }

  private static boolean makesOneStore(StackFrame frame) {
    return Setters.makeOneStore(frame.file(), simpleName(frame), frame.line());
  }

  private static String simpleName(StackFrame frame) {
    return FunctionName.of(frame.function()).simple();
  }

  private static String inOneLine(String text) {
    return Text.beginning(text.replace('\n', ' '), TITLE_LENGTH);
  }
}
