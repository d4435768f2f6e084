// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.analysis.PatternKind;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.Fingerprint;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fingerprints of findings: made of the code to fix and of what is wrong with it, never of who
 * calls it.
 */
public final class FindingIdentity {
  private static final String SECOND_CRASH = "second crash";

  private final CodePlaces places;

  /**
   * @param places names places of the target and of recovery
   */
  public FindingIdentity(CodePlaces places) {
    this.places = places;
  }

  /**
   * Of a crash state: the store to blame and what it lacks. That it is not flushed or not fenced is
   * one thing seen at two moments. Where two stores can be torn apart, both are to blame, whichever
   * of them was lost.
   *
   * @param lost the stores, the one to look at first at the start
   * @param arrived what persisted without it; may be empty
   */
  public String ofState(List<JudgedState.Store> lost, List<JudgedState.Store> arrived) {
    JudgedState.Store first = lost.get(0);
    return switch (first.missing()) {
      case FLUSH, FENCE -> fingerprint("not persisted", List.of(place(first)));
      case ATOMICITY ->
          fingerprint(
              "atomicity",
              Stream.concat(lost.stream().limit(1), arrived.stream().limit(1))
                  .map(this::place)
                  .distinct()
                  .sorted()
                  .toList());
      case ORDER -> fingerprint(first.missing().toString(), List.of(place(first)));
    };
  }

  /**
   * Of a change of a name or a size that is acknowledged too early.
   *
   * @param stack of the call
   */
  public String ofLostMetadata(List<StackFrame> stack) {
    return fingerprint("metadata not persisted", List.of(places.of(stack)));
  }

  /** Of recovery that was cut there. */
  public String ofRecoveryCrash(List<StackFrame> recovery) {
    return fingerprint(SECOND_CRASH, List.of(places.of(recovery)));
  }

  /**
   * Of a pattern in the trace.
   *
   * @param stack of the instruction to look at first
   */
  public String ofPattern(PatternKind kind, List<StackFrame> stack) {
    return fingerprint(kind.name(), List.of(places.of(stack)));
  }

  /**
   * Of a persistency-induced race.
   *
   * @param end what ended the time in which a crash takes the store away
   * @param persist what did; empty if nothing is known of that
   */
  public String ofRace(
      List<StackFrame> store,
      PersistencyRace.End end,
      List<StackFrame> persist,
      List<StackFrame> load) {
    return fingerprint(
        "race, " + end,
        List.of(places.of(store), persist.isEmpty() ? "" : places.of(persist), places.of(load)));
  }

  /**
   * Of a data race, whichever access came first.
   *
   * @param confirmed whether both accesses were seen
   */
  public String ofDataRace(List<StackFrame> one, List<StackFrame> other, boolean confirmed) {
    return fingerprint(
        confirmed ? "data race" : "unconfirmed data race",
        Stream.of(one, other).map(places::of).sorted().toList());
  }

  /**
   * Of a program-order image.
   *
   * @param place of the failure point, as {@link CodePlaces} names it
   */
  public static String ofProgramOrder(String place, Judgement judgement) {
    return fingerprint("program order", List.of(place, FailureReason.of(judgement)));
  }

  /**
   * What {@link #ofProgramOrder} said before the C library's functions were told from the user's;
   * nothing if it is the same.
   */
  public static Optional<String> formerlyOfProgramOrder(String place, Judgement judgement) {
    return FailureReason.formerlyOf(judgement)
        .map(reason -> fingerprint("program order", List.of(place, reason)));
  }

  /** The place of a stack's user code. */
  public String place(List<StackFrame> stack) {
    return places.of(stack);
  }

  /** Where the source does not tell mistakes apart, the kind of the file does. */
  private String place(JudgedState.Store store) {
    List<StackFrame> stack = store.store().stack();
    return UserCode.hasSource(stack) || store.variable().isEmpty()
        ? places.of(stack)
        : places.of(stack) + " to " + store.variable();
  }

  private static String fingerprint(String what, List<String> code) {
    return Fingerprint.ofCode(what, code).toString();
  }
}
