// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.report.evidence.JudgedState;
import io.powercut.trace.Location;
import io.powercut.trace.replay.TraceTables;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A crash state of an earlier run, which is looked for in another recording.
 *
 * @param lines that are not as in program order
 */
record WantedState(List<JudgedState.Line> lines) {
  WantedState {
    lines = List.copyOf(lines);
  }

  /**
   * The same state in what is possible now.
   *
   * @param tables name its files
   * @return nothing if a line cannot hold what it held then
   */
  Optional<CrashState> in(CrashStates states, TraceTables tables) {
    List<LineDifference> found = new ArrayList<>();
    for (JudgedState.Line line : lines) {
      byte[] content = HexFormat.of().parseHex(line.content());
      states
          .files()
          .intStream()
          .filter(file -> tables.file(file).path().equals(line.file()))
          .mapToObj(file -> states.line(Location.of(file, line.offset())))
          .flatMap(Optional::stream)
          .findFirst()
          .flatMap(pending -> pending.holding(content))
          .ifPresent(found::add);
    }
    return found.size() == lines.size() ? Optional.of(CrashState.of(found)) : Optional.empty();
  }
}
