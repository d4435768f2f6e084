package io.powercut.orchestrator.rundir;

import io.powercut.orchestrator.exit.NotTrustworthyException;
import java.nio.file.Path;
import java.util.List;

/** What became of second crashes, by the visit of the first one. */
public final class SecondLog extends VisitLog<SecondVerdicts> {
  private SecondLog(LineLog<SecondVerdicts> lines) {
    super(lines);
  }

  /**
   * Opens the log, which need not exist.
   *
   * @throws NotTrustworthyException if a line other than the last cannot be read
   */
  public static SecondLog open(Path file) {
    return new SecondLog(
        new LineLog<>(file, SecondVerdicts.class, "a line on second crashes", SecondVerdicts::at));
  }

  /** What proved bugs. */
  public List<SecondFinding> findings() {
    return all().stream().flatMap(one -> one.findings().stream()).toList();
  }
}
