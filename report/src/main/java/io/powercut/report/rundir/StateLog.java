// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.exit.PowercutException;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The outcome of crash states beyond program order, occurrence by occurrence. */
public final class StateLog extends OccurrenceLog<StateVerdicts> {
  private StateLog(LineLog<StateVerdicts> lines) {
    super(lines);
  }

  /**
   * Opens the log, which need not exist.
   *
   * @throws PowercutException if a line other than the last cannot be read
   */
  public static StateLog open(Path file) {
    return new StateLog(
        new LineLog<>(file, StateVerdicts.class, "a line on crash states", StateVerdicts::at));
  }

  /** All that was ever proved, a line for each visit. */
  public List<StateVerdicts> proved() {
    Map<Occurrence, StateVerdicts> byOccurrence = new LinkedHashMap<>();
    history()
        .forEach(
            line -> byOccurrence.merge(line.at(), line, (earlier, later) -> later.after(earlier)));
    return List.copyOf(byOccurrence.values());
  }

  /** Whether states were judged that a crash behind the target's last instruction may leave. */
  public boolean hasJudgedTheEnd() {
    return find(Occurrence.END).filter(line -> line.total() > 0).isPresent();
  }

  /** What proved bugs. */
  public List<Judgement> findings() {
    return all().stream().flatMap(one -> one.findings().stream()).toList();
  }
}
