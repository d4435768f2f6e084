// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recording;

import io.powercut.report.facts.OracleControls;
import java.util.List;
import java.util.Optional;

/**
 * What a recording knows of itself, beside the trace and the files.
 *
 * @param format {@link #FORMAT}; a recording of another is not read
 * @param version of the Powercut that made it
 * @param campaignFile the campaign file as it was named, absolute
 * @param started when it began: ISO 8601 with the offset from UTC
 * @param programs what a machine must have to judge it
 * @param flushes the flush instructions of the processor that a machine must have, too
 * @param failurePoints how many there are
 * @param recoverySeconds how long one recovery took, seconds; 0 if there was no control
 * @param controls what recovery made of damaged images; nothing if it was not asked
 */
public record RecordingFacts(
    int format,
    String version,
    String campaignFile,
    String started,
    List<Program> programs,
    List<String> flushes,
    long failurePoints,
    double recoverySeconds,
    Optional<OracleControls> controls) {
  /** The one that this version reads and writes. */
  public static final int FORMAT = 2;

  /** Copies the lists. */
  public RecordingFacts {
    programs = List.copyOf(programs);
    flushes = List.copyOf(flushes);
  }

  /**
   * A program of the campaign.
   *
   * @param path where it is, absolute
   * @param sha256 of its contents, hexadecimal
   */
  public record Program(String path, String sha256) {}
}
