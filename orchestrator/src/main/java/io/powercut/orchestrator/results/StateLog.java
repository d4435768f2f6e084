package io.powercut.orchestrator.results;

import io.powercut.orchestrator.report.Judgement;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of crash states beyond program order, appended to a file visit by visit, so that an
 * interrupted run can be resumed. Safe for use by several threads.
 */
public final class StateLog {
  private final LineLog<StateVerdicts> lines;
  private final Map<Visit, StateVerdicts> byVisit = new LinkedHashMap<>();

  private StateLog(LineLog<StateVerdicts> lines) {
    this.lines = lines;
  }

  /**
   * Opens the log, which need not exist.
   *
   * @throws NotTrustworthyException if a line other than the last cannot be read
   */
  public static StateLog open(Path file) {
    StateLog log = new StateLog(new LineLog<>(file, StateVerdicts.class, "a line on crash states"));
    log.lines.readBack().forEach(one -> log.byVisit.put(one.at(), one));
    return log;
  }

  /** Adds what became of the states of a visit; it takes the place of what was known of them. */
  public synchronized void add(StateVerdicts verdicts) {
    lines.append(verdicts);
    byVisit.put(verdicts.at(), verdicts);
  }

  /** What is known of the states of a visit. */
  public synchronized Optional<StateVerdicts> find(Visit visit) {
    return Optional.ofNullable(byVisit.get(visit));
  }

  /** The latest of every visit. */
  public synchronized List<StateVerdicts> all() {
    return List.copyOf(byVisit.values());
  }

  /** What proved bugs. */
  public synchronized List<Judgement> findings() {
    return byVisit.values().stream().flatMap(one -> one.findings().stream()).toList();
  }
}
