// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.report.evidence.Occurrence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file with a line for each occurrence of a failure point at which something was done, appended
 * as it is done, so that an interrupted run can be resumed. Safe for use by several threads.
 */
public abstract sealed class OccurrenceLog<T extends OccurrenceLog.Line>
    permits StateLog, RecoveryCrashLog {
  /** What was done at an occurrence. */
  public interface Line {
    /** Where it was. */
    Occurrence at();
  }

  private final LineLog<T> lines;
  private final Map<Occurrence, T> byOccurrence = new LinkedHashMap<>();
  private final List<T> everything = new ArrayList<>();

  OccurrenceLog(LineLog<T> lines) {
    this.lines = lines;
    lines.readBack().forEach(this::remember);
  }

  /** Adds what was done at an occurrence; it takes the place of what was known of it. */
  public final synchronized void add(T line) {
    lines.append(line);
    remember(line);
  }

  private void remember(T line) {
    everything.add(line);
    byOccurrence.put(line.at(), line);
  }

  /**
   * All that was ever added: what was proved at an occurrence stays proved when the occurrence is
   * redone.
   */
  public final synchronized List<T> history() {
    return List.copyOf(everything);
  }

  /** What is known of an occurrence. */
  public final synchronized Optional<T> find(Occurrence occurrence) {
    return Optional.ofNullable(byOccurrence.get(occurrence));
  }

  /** The latest of every visit. */
  public final synchronized List<T> all() {
    return List.copyOf(byOccurrence.values());
  }
}
