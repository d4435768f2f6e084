// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The policies that need no more than what each line holds for certain. */
final class SingleLines {
  private SingleLines() {}

  static Selection guaranteed(CrashStates states) {
    CrashState lost = states.everythingLost();
    return Selection.of(lost.isProgramOrder() ? List.of() : List.of(lost));
  }

  static Selection lost(CrashStates states, int fewPrefixes, int mostLines) {
    List<CrashState> chosen = new ArrayList<>();
    List<CrashState> partsOfMany = new ArrayList<>();
    List<InFlightLine> lines = states.sample(mostLines);
    long passedOver = states.size() - lines.size() + states.forgotten();
    for (InFlightLine line : lines) {
      Optional<List<LineDifference>> few = line.prefixes(fewPrefixes);
      if (few.isPresent()) {
        Set<LineDifference> parts = new LinkedHashSet<>(few.get());
        List<LineDifference> tears = line.tears();
        parts.addAll(tears.size() <= fewPrefixes ? tears : List.of());
        passedOver += tears.size() <= fewPrefixes ? 0 : tears.size();
        parts.forEach(part -> chosen.add(CrashState.of(List.of(part))));
      } else {
        Optional<LineDifference> all = line.guaranteed();
        Optional<LineDifference> last =
            fewPrefixes > 1
                ? line.lastPrefix().filter(one -> !all.equals(Optional.of(one)))
                : Optional.empty();
        all.ifPresent(lost -> chosen.add(CrashState.of(List.of(lost))));
        last.ifPresent(lost -> partsOfMany.add(CrashState.of(List.of(lost))));
        passedOver +=
            line.mostPrefixes() + line.mostTears() - all.stream().count() - last.stream().count();
      }
    }
    chosen.addAll(partsOfMany); // What is said of each line comes first.
    return Selection.of(chosen).passingOver(passedOver);
  }

  static Selection early(CrashStates states, int mostLines) {
    List<LineDifference> lost =
        states.sample(mostLines).stream()
            .map(InFlightLine::guaranteed)
            .flatMap(Optional::stream)
            .toList();
    if (states.size() < 2 || (states.isFew() && lost.size() < 2)) {
      return Selection.of(List.of());
    }
    // Each state is as large as all lines together: they are not kept.
    return Selection.of(
            BigInteger.valueOf(lost.size()),
            () ->
                lost.stream()
                    .map(early -> CrashStatePolicy.OneLineEarly.allBut(states, lost, early)))
        .passingOver(states.isFew() ? 0 : states.size() - lost.size());
  }
}
