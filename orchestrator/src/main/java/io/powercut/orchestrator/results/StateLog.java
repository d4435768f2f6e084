package io.powercut.orchestrator.results;

import io.powercut.orchestrator.report.Judgement;
import java.nio.file.Path;
import java.util.List;

/** What became of crash states beyond program order, visit by visit. */
public final class StateLog extends VisitLog<StateVerdicts> {
  private StateLog(LineLog<StateVerdicts> lines) {
    super(lines);
  }

  /**
   * Opens the log, which need not exist.
   *
   * @throws NotTrustworthyException if a line other than the last cannot be read
   */
  public static StateLog open(Path file) {
    return new StateLog(new LineLog<>(file, StateVerdicts.class, "a line on crash states"));
  }

  /** What proved bugs. */
  public List<Judgement> findings() {
    return all().stream().flatMap(one -> one.findings().stream()).toList();
  }
}
