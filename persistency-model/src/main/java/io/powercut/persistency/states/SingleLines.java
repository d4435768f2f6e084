package io.powercut.persistency.states;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** The policies that need no more than what each line holds for certain. */
final class SingleLines {
  private SingleLines() {}

  static Selection guaranteed(CrashStates states) {
    List<LineDifference> lost = states.lostLines();
    return Selection.of(lost.isEmpty() ? List.of() : List.of(CrashState.of(lost)));
  }

  static Selection lost(CrashStates states, int fewPrefixes) {
    List<CrashState> chosen = new ArrayList<>();
    for (PendingLine line : states.lines()) {
      List<LineDifference> prefixes = line.prefixes();
      if (prefixes.size() <= fewPrefixes) {
        Set<LineDifference> parts = new LinkedHashSet<>(prefixes);
        List<LineDifference> tears = line.tears();
        parts.addAll(tears.size() <= fewPrefixes ? tears : List.of());
        parts.forEach(part -> chosen.add(CrashState.of(List.of(part))));
      } else {
        line.guaranteed().ifPresent(lost -> chosen.add(CrashState.of(List.of(lost))));
      }
    }
    return Selection.of(chosen);
  }

  static Selection early(CrashStates states) {
    List<LineDifference> lost = states.lostLines();
    if (lost.size() < 2) {
      return Selection.of(List.of());
    }
    // Each state is as large as all lines together: they are not kept.
    return Selection.of(
        BigInteger.valueOf(lost.size()),
        () ->
            IntStream.range(0, lost.size())
                .mapToObj(early -> CrashStatePolicy.OneLineEarly.allBut(lost, early)));
  }
}
