// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import io.powercut.orchestrator.code.NamedStore;
import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.blame.OneUnit;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.format.Text;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/** What was proved of a culprit, and what to do about it, in words. */
final class BlameText {
  private static final String LOG_OR_NEW_PLACE =
      "write %1$s to a log before, or to a new place that recovery takes only if a checksum matches,"
          + " or a flag is set that is persisted after %1$s";

  /** What makes two stores one that are wrong in either order. */
  static final String IN_NO_ORDER =
      "the other order is wrong, too, if only elsewhere in the run; "
          + LOG_OR_NEW_PLACE.formatted("both");

  /** Where the target told the outside of what it only stored then. */
  static final String ACKNOWLEDGE_LATER = "do not acknowledge it before it is persisted";

  private final Culprit culprit;
  private final List<JudgedState.Store> lost;
  private final List<JudgedState.Store> arrived;
  private final boolean flushes;
  private final String verb;
  private final Optional<LatePersists.Late> late;

  /**
   * @param lost the culprit's lost stores, as reports show them
   * @param arrived those that arrived
   * @param flushes whether the program persists by instructions, and not by system calls
   * @param late what persists the first lost store too late; nothing if nothing does, or that is
   *     not known yet
   */
  BlameText(
      Culprit culprit,
      List<JudgedState.Store> lost,
      List<JudgedState.Store> arrived,
      boolean flushes,
      Optional<LatePersists.Late> late) {
    this.culprit = culprit;
    this.lost = lost;
    this.arrived = arrived;
    this.flushes = flushes;
    this.verb = flushes ? "flushed" : "synchronised";
    this.late = late;
  }

  private BlameText(BlameText known, String verb) {
    this.culprit = known.culprit;
    this.lost = known.lost;
    this.arrived = known.arrived;
    this.flushes = known.flushes;
    this.late = known.late;
    this.verb = verb;
  }

  /**
   * The same where nothing has persisted anything yet, so that the program may do so by either.
   * Only a system call persists what another one wrote.
   */
  BlameText beforeAnyPersist() {
    return isWritten() ? this : new BlameText(this, "persisted");
  }

  /**
   * Whether a flush is what persists the first lost store, and not a synchronisation: the program
   * flushes its file, and has not written it there.
   *
   * @param areFlushed whether the program flushes a file
   */
  static boolean flushes(IntPredicate areFlushed, Culprit culprit) {
    return culprit.lost().stream()
        .limit(1)
        .filter(lost -> (lost.store().flags() & StoreFlags.FILE_WRITE) == 0)
        .anyMatch(lost -> areFlushed.test(Location.file(lost.line().location())));
  }

  /** What else is known of the first lost store, if it is a cause. */
  Set<JudgedState.Trait> traits() {
    JudgedState.Store first = lost.get(0);
    if (first.role() != JudgedState.Role.CAUSE) {
      return Set.of();
    }
    return switch (first.missing()) {
      case ATOMICITY -> only(JudgedState.Trait.TORN, culprit.isTorn());
      case FENCE ->
          only(JudgedState.Trait.PAST_CACHE, culprit.lost().get(0).store().isNonTemporal());
      case FLUSH ->
          !isEarlier() && !late.map(BlameText::byFlush).orElse(flushes)
              ? notSynchronised()
              : Set.of();
      case ORDER -> Set.of();
    };
  }

  private Set<JudgedState.Trait> notSynchronised() {
    return isWritten()
        ? Set.of(JudgedState.Trait.NOT_SYNCHRONISED, JudgedState.Trait.WRITTEN)
        : Set.of(JudgedState.Trait.NOT_SYNCHRONISED);
  }

  private boolean isWritten() {
    return (culprit.lost().get(0).store().flags() & StoreFlags.FILE_WRITE) != 0;
  }

  private static Set<JudgedState.Trait> only(JudgedState.Trait trait, boolean has) {
    return has ? Set.of(trait) : Set.of();
  }

  private static boolean byFlush(LatePersists.Late late) {
    return late.tooLate() && late.isFlush();
  }

  /** What is missing or misplaced; or, without a cause, what is involved. */
  String remedy() {
    JudgedState.Store first = lost.get(0);
    if (first.role() != JudgedState.Role.CAUSE) {
      return involved();
    }
    return switch (first.missing()) {
      case ATOMICITY ->
          culprit.isTorn()
              ? name(first)
                  + " can be torn: only aligned units of 8 bytes persist as a whole, and recovery"
                  + " relies on more"
              : name(first) + " and " + other(first) + " can persist one without the other";
      case ORDER -> tooEarly(first) + inOneLine(first);
      case FENCE ->
          name(first)
              + pastCache()
              + " is not followed by a fence"
              + (arrived.isEmpty() ? " in time" : before(first));
      case FLUSH ->
          isEarlier()
              ? tooEarly(first)
              : name(first) + late.map(when -> tooLate(when, first)).orElseGet(() -> never(first));
    };
  }

  /** The same, and that a call which was to persist the first lost store failed. */
  String remedy(Optional<LatePersists.Failure> failure) {
    JudgedState.Store first = lost.get(0);
    boolean isMissing =
        first.role() == JudgedState.Role.CAUSE
            && first.missing() == JudgedState.Missing.FLUSH
            && !isEarlier();
    return remedy() + failure.filter(one -> isMissing).map(BlameText::since).orElse("");
  }

  private static String since(LatePersists.Failure failure) {
    String where =
        TargetStack.place(TargetStack.of(failure.stack())).map(place -> " at " + place).orElse("");
    return ", since the " + failure.call() + where + " failed with " + failure.errorName();
  }

  private String never(JudgedState.Store first) {
    return " is not " + verb + before(first);
  }

  private String tooLate(LatePersists.Late when, JudgedState.Store first) {
    String where =
        TargetStack.place(TargetStack.of(when.stack())).map(place -> ", at " + place).orElse("");
    if (!when.tooLate()) {
      return " can be lost until it is synchronised"
          + where
          + (where.isEmpty() ? "" : ",")
          + " although the file is longer already: recovery must not take the length of the file for"
          + " the end of its data";
    }
    String after = arrived.isEmpty() ? "" : ", after " + other(first) + " can persist";
    return " is" + (when.isFlush() ? " flushed" : " synchronised") + " too late" + where + after;
  }

  private String pastCache() {
    return culprit.lost().get(0).store().isNonTemporal() ? " bypasses the cache and" : "";
  }

  private String tooEarly(JudgedState.Store first) {
    if (isOfSameCode(first)) {
      return name(first) + " can be lost while an earlier store there persists";
    }
    return other(first)
        + " can persist without "
        + name(first)
        + (isSwapped(first)
            ? ", which the compiler or a loop stores later, though its line comes first"
            : ", which comes later");
  }

  private String inOneLine(JudgedState.Store first) {
    if (isOfSameCode(first)) {
      return ", both to the same cache line";
    }
    return (isSwapped(first) ? "," : "") + " and is to the same cache line";
  }

  /** Whether the first that arrived was made by the same code, in another execution of it. */
  private boolean isOfSameCode(JudgedState.Store first) {
    return name(arrived.get(0)).equals(name(first));
  }

  /** Whether the source has the store that comes later first, in the same function. */
  private boolean isSwapped(JudgedState.Store first) {
    Optional<StackFrame> later = UserCode.of(first.store().stack());
    return UserCode.of(arrived.get(0).store().stack())
        .filter(frame -> later.filter(other -> isBefore(other, frame)).isPresent())
        .isPresent();
  }

  private static boolean isBefore(StackFrame one, StackFrame other) {
    return one.function().equals(other.function())
        && one.file().equals(other.file())
        && one.line() > 0
        && one.line() < other.line();
  }

  /** Whether what arrived was stored before what was lost. */
  private boolean isEarlier() {
    return !arrived.isEmpty()
        && culprit.arrived().get(0).store().ordinal() < culprit.lost().get(0).store().ordinal();
  }

  private String involved() {
    JudgedState.Store first = lost.get(0);
    int more = lost.size() - 1;
    String others = more == 0 ? "" : " and " + Text.counted(more, "more store");
    String beside = arrived.isEmpty() ? "" : " while " + other(first) + " is there";
    return "recovery fails without " + name(first) + others + beside;
  }

  private String before(JudgedState.Store first) {
    return arrived.isEmpty() ? "" : " before " + other(first) + " can persist";
  }

  /** The first that arrived; of the same code it is another execution of it. */
  private String other(JudgedState.Store first) {
    JudgedState.Store there = arrived.get(0);
    if (!isOfSameCode(first)) {
      return NamedStore.called(there.store().stack(), there.variable());
    }
    return isEarlier() ? "an earlier store there" : "the next store there";
  }

  /**
   * What makes a store one with its other part, or with the store that arrived without it.
   *
   * @param unit both of them
   */
  static String asOne(Culprit culprit, JudgedState state, OneUnit unit) {
    if (!culprit.isTorn()) {
      ImageStore lost = state.lost().get(0).store();
      ImageStore there = state.arrived().get(0).store();
      if (lost.isBesideTransactionOf(there) || there.isBesideTransactionOf(lost)) {
        ImageStore other = lost.isBesideTransactionOf(there) ? lost : there;
        return "one of them ends a transaction; "
            + other
                .callInTransaction()
                .orElse("add the bytes of the other to its log before they are stored");
      }
    }
    String all = culprit.isTorn() ? "it" : "both";
    String one = culprit.isTorn() ? "it" : "them";
    return unit.fitsIntoOneWord()
        ? "make %s one aligned 8-byte store, or write %s to a log before".formatted(one, all)
        : LOG_OR_NEW_PLACE.formatted(all);
  }

  private static String name(JudgedState.Store store) {
    return NamedStore.of(store.store().stack(), store.variable());
  }
}
