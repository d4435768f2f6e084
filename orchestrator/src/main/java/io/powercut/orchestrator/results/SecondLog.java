package io.powercut.orchestrator.results;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of second crashes, appended to a file image by image, so that an interrupted run can
 * be resumed. Safe for use by several threads.
 */
public final class SecondLog {
  private final LineLog<SecondVerdicts> lines;
  private final Map<Visit, SecondVerdicts> byVisit = new LinkedHashMap<>();

  private SecondLog(LineLog<SecondVerdicts> lines) {
    this.lines = lines;
  }

  /**
   * Opens the log, which need not exist.
   *
   * @throws NotTrustworthyException if a line other than the last cannot be read
   */
  public static SecondLog open(Path file) {
    SecondLog log =
        new SecondLog(new LineLog<>(file, SecondVerdicts.class, "a line on second crashes"));
    log.lines.readBack().forEach(one -> log.byVisit.put(one.at(), one));
    return log;
  }

  /** Adds what became of an image; it takes the place of what was known of it. */
  public synchronized void add(SecondVerdicts verdicts) {
    lines.append(verdicts);
    byVisit.put(verdicts.at(), verdicts);
  }

  /** What is known of the image of a visit. */
  public synchronized Optional<SecondVerdicts> find(Visit visit) {
    return Optional.ofNullable(byVisit.get(visit));
  }

  /** The latest of every visit. */
  public synchronized List<SecondVerdicts> all() {
    return List.copyOf(byVisit.values());
  }

  /** What proved bugs. */
  public synchronized List<SecondFinding> findings() {
    return byVisit.values().stream().flatMap(one -> one.findings().stream()).toList();
  }
}
