// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.mistakes;

import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a crash state tore apart.
 *
 * @param lost the store that was lost
 * @param there the one that was there without it; nothing if the lost store itself was torn
 */
record StoresOfOneUnit(ImageStore lost, Optional<ImageStore> there) {
  private static final long LINE = 64;

  /** Of a crash state in which stores were torn apart. */
  static StoresOfOneUnit of(Crash crash) {
    JudgedState state = crash.evidence().state().orElseThrow();
    return new StoresOfOneUnit(
        state.lost().get(0).store(),
        state.isTorn()
            ? Optional.empty()
            : state.arrived().stream().findFirst().map(JudgedState.Store::store));
  }

  /**
   * Whether both are parts of one unit, since they have a store in common. A log's flag is in
   * common to all that the log lacks, so then what else is torn apart has to be alike, too. But
   * what one line of code stored in pieces is no flag: whatever these pieces are torn from, they
   * are not stored as a whole.
   */
  boolean isWith(StoresOfOneUnit other) {
    return has(lost, other)
        || there.filter(store -> has(store, other)).isPresent()
        || isPiecesOf(other)
        || other.isPiecesOf(this);
  }

  private boolean has(ImageStore common, StoresOfOneUnit other) {
    return (isSame(common, other.lost) && areAlike(common, besides(common), other.there))
        || (other.there.filter(store -> isSame(common, store)).isPresent()
            && areAlike(common, besides(common), Optional.of(other.lost)));
  }

  /** Whether one line of code made both stores in one call, and one of the other's. */
  boolean isPiecesOf(StoresOfOneUnit other) {
    return there.filter(store -> areOfOneLine(store, lost)).isPresent()
        && Stream.concat(Stream.of(other.lost), other.there.stream())
            .anyMatch(store -> areOfOneLine(store, lost));
  }

  /** The compiler may have several copies of a line's code. */
  private static boolean areOfOneLine(ImageStore one, ImageStore other) {
    return !calls(one).isEmpty() && calls(one).equals(calls(other));
  }

  /** The lines of the user's code and of all calls to it; none without the first. */
  private static List<CrashPlaces.Line> calls(ImageStore store) {
    List<StackFrame> stack = store.stack();
    return UserCode.of(stack).stream()
        .flatMap(user -> stack.subList(stack.indexOf(user), stack.size()).stream())
        .flatMap(frame -> CrashPlaces.Line.of(List.of(frame)).stream())
        .toList();
  }

  private Optional<ImageStore> besides(ImageStore store) {
    return store.equals(lost) ? there : Optional.of(lost);
  }

  private static boolean isSame(ImageStore one, ImageStore other) {
    return one.stack().equals(other.stack());
  }

  private static boolean areAlike(
      ImageStore common, Optional<ImageStore> one, Optional<ImageStore> other) {
    return one.isEmpty() || other.isEmpty() || areAlike(common, one.get(), other.get());
  }

  /** Of one line of code, or of one function, if to one cache line or beside what is in common. */
  private static boolean areAlike(ImageStore common, ImageStore one, ImageStore other) {
    boolean isOfFunction = function(one).equals(function(other));
    boolean isNear = isInLineOf(one, other) || function(common).equals(function(one));
    return CrashPlaces.Line.of(one.stack()).equals(CrashPlaces.Line.of(other.stack()))
        || (isOfFunction && isNear);
  }

  private static boolean isInLineOf(ImageStore one, ImageStore other) {
    return one.file().equals(other.file()) && one.offset() / LINE == other.offset() / LINE;
  }

  private static Optional<String> function(ImageStore store) {
    return UserCode.of(store.stack()).map(frame -> frame.function() + " " + frame.module());
  }
}
