// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStatePolicy;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.LineDifference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses from the states that become possible when flushes or fences are taken away: two models of
 * one trace at one point are compared, that of the trace and that of {@linkplain WithoutPersists
 * the trace without them}.
 */
public final class AddedStates {
  /** Where there are more, a sample is compared. */
  private static final int MOST_LINES = 1 << 14;

  private static final CrashState PROGRAM_ORDER = CrashState.of(List.of());

  private final CrashStates usual;
  private final CrashStates changed;
  private final int fewPrefixes;
  private final int most;
  private final Map<CrashState, AddedState> chosen = new LinkedHashMap<>();

  private AddedStates(CrashStates usual, CrashStates changed, int fewPrefixes, int most) {
    this.usual = usual;
    this.changed = changed;
    this.fewPrefixes = fewPrefixes;
    this.most = most;
  }

  /**
   * The states worth a look, the most telling ones first: all lines lost that could not be; that
   * and everything else lost as well; each of these lines lost by itself, those stored to last
   * first; all of them together with one line that can be lost anyway; at the end the lines' other
   * prefixes. None if nothing was added.
   *
   * @param usual of the trace
   * @param changed of the trace without some flushes or fences
   * @param fewPrefixes of lines with more {@linkplain InFlightLine#prefixes prefixes} only one is
   *     taken
   * @param most how many states are wanted; at least 1
   */
  public static List<AddedState> of(
      CrashStates usual, CrashStates changed, int fewPrefixes, int most) {
    return new AddedStates(usual, changed, fewPrefixes, most).choose();
  }

  private List<AddedState> choose() {
    List<List<LineDifference>> lines = addedLines();
    if (lines.isEmpty()) {
      return List.of();
    }
    choose(CrashState.of(lines.stream().map(line -> line.get(0)).toList()), PROGRAM_ORDER);
    choose(changed.everythingLost(), usual.everythingLost());
    lines.stream()
        .limit(most)
        .forEach(line -> choose(CrashState.of(line.subList(0, 1)), PROGRAM_ORDER));
    chooseWithOneMore(lines.stream().map(line -> line.get(0)).toList());
    for (List<LineDifference> line : lines) {
      if (line.size() <= fewPrefixes && chosen.size() < most) {
        line.forEach(prefix -> choose(CrashState.of(List.of(prefix)), PROGRAM_ORDER));
      }
    }
    return List.copyOf(chosen.values());
  }

  /** Together with one line more, such as the half of something that the lost lines led to. */
  private void chooseWithOneMore(List<LineDifference> added) {
    Set<Long> locations =
        added.stream().map(LineDifference::location).collect(Collectors.toUnmodifiableSet());
    new CrashStatePolicy.OneLineLost(fewPrefixes)
        .select(usual)
        .states()
        .filter(one -> !locations.contains(one.differences().get(0).location()))
        .limit(most)
        .forEach(
            one -> {
              List<LineDifference> both = new ArrayList<>(added);
              both.addAll(one.differences());
              choose(CrashState.of(both), one);
            });
  }

  private void choose(CrashState state, CrashState counterpart) {
    if (chosen.size() < most) {
      chosen.putIfAbsent(state, new AddedState(state, counterpart));
    }
  }

  /** By line, the prefixes that could not be there; what loses most is first. */
  private List<List<LineDifference>> addedLines() {
    List<List<LineDifference>> lines = new ArrayList<>();
    for (InFlightLine line : changed.sample(MOST_LINES)) {
      List<LineDifference> added = added(usual.line(line.location()), line);
      if (!added.isEmpty()) {
        lines.add(added);
      }
    }
    lines.sort(
        Comparator.comparingLong((List<LineDifference> line) -> lastStore(line.get(0).line()))
            .reversed());
    return lines;
  }

  private static List<LineDifference> added(Optional<InFlightLine> usual, InFlightLine changed) {
    if (usual.isEmpty()) {
      return changed.prefixes();
    }
    if (usual.get().forgotten() > 0 || usual.get().isLike(changed)) {
      return List.of();
    }
    return changed.prefixes().stream().filter(prefix -> !usual.get().allows(prefix)).toList();
  }

  private static long lastStore(InFlightLine line) {
    List<InFlightStore> stores = line.stores();
    return stores.isEmpty() ? -1 : stores.get(stores.size() - 1).ordinal();
  }
}
