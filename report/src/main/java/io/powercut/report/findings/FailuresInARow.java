// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.Multimap;
import com.google.common.collect.SetMultimap;
import io.powercut.report.evidence.CutPlace;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Crashes during recovery that begin to show one mistake at different places of a function. On
 * another image recovery has less to do, and is wrong later. Both then fail in a row, up to where
 * the mistake is over: they have failure points in common.
 */
final class FailuresInARow {
  private FailuresInARow() {}

  /** Pairs of fingerprints that show one mistake. */
  static Multimap<String, String> of(List<RecoveryCrashVerdicts> lines) {
    Map<String, List<StackFrame>> cuts = new HashMap<>();
    SetMultimap<FailurePointId, String> names = LinkedHashMultimap.create();
    for (RecoveryCrashVerdicts line : lines) {
      for (RecoveryCrashFinding finding : line.findings()) {
        cuts.putIfAbsent(finding.fingerprint(), finding.cut().stack());
      }
      line.failed().forEach((cut, name) -> names.put(CutPlace.parse(cut).id(), name));
    }
    Multimap<String, String> same = ArrayListMultimap.create();
    for (FailurePointId point : names.keySet()) {
      List<String> here = new ArrayList<>(names.get(point));
      for (int one = 0; one < here.size(); one++) {
        for (int other = 0; other < one; other++) {
          if (areInOneFunction(cuts.get(here.get(one)), cuts.get(here.get(other)))) {
            same.put(here.get(one), here.get(other));
          }
        }
      }
    }
    return same;
  }

  /** What was not proved has no stack. */
  private static boolean areInOneFunction(
      @Nullable List<StackFrame> one, @Nullable List<StackFrame> other) {
    return one != null
        && other != null
        && (isFunctionOf(one, other, 0)
            || isFunctionOf(one, other, 1)
            || isFunctionOf(other, one, 1));
  }

  /** Whether the function of one is that of the other, or calls it. */
  private static boolean isFunctionOf(List<StackFrame> one, List<StackFrame> other, int calls) {
    Optional<StackFrame> function = UserCode.of(one);
    Optional<StackFrame> called = UserCode.of(other);
    if (function.isEmpty() || called.isEmpty()) {
      return false;
    }
    int frame = other.indexOf(called.get()) + calls;
    return frame < other.size()
        && other.get(frame).function().equals(function.get().function())
        && other.get(frame).module().equals(function.get().module());
  }
}
