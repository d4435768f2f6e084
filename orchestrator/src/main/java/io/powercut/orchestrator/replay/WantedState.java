// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.replay;

import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.LostMetadata;
import io.powercut.trace.Location;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * A crash state of an earlier run, which is looked for in another recording.
 *
 * @param lines that are not as in program order
 * @param undone how many of the last changes of metadata are undone; then there are no such lines
 */
record WantedState(List<JudgedState.Line> lines, long undone) {
  WantedState {
    lines = List.copyOf(lines);
  }

  /** One that loses no change of metadata. */
  WantedState(List<JudgedState.Line> lines) {
    this(lines, 0);
  }

  /** That of a finding. */
  static WantedState of(Judgement found) {
    return new WantedState(
        found.state().map(JudgedState::lines).orElse(List.of()),
        found.lostMetadata().map(LostMetadata::undone).orElse(0L));
  }

  /**
   * The same state in what is possible now.
   *
   * @param names of its files in the image, as in the finding: a file may have several
   * @return nothing if a line cannot hold what it held then
   */
  Optional<CrashState> in(CrashStates states, IntFunction<Optional<Path>> names) {
    List<LineDifference> found = new ArrayList<>();
    for (JudgedState.Line line : lines) {
      byte[] content = HexFormat.of().parseHex(line.content());
      states
          .files()
          .intStream()
          .filter(file -> names.apply(file).map(Path::toString).orElse("").equals(line.file()))
          .mapToObj(file -> states.line(Location.of(file, line.offset())))
          .flatMap(Optional::stream)
          .findFirst()
          .flatMap(pending -> pending.holding(content))
          .ifPresent(found::add);
    }
    return found.size() == lines.size() ? Optional.of(CrashState.of(found)) : Optional.empty();
  }
}
