// SPDX-License-Identifier: Apache-2.0
package io.powercut.api;

import java.util.Locale;
import java.util.Optional;

/**
 * One mistake that a run found.
 *
 * @param severity {@code BUG}, {@code RACE}, {@code PERFORMANCE} or {@code WARNING}
 * @param kind what is wrong, such as {@code UNRECOVERABLE}
 * @param fingerprint the same in the next run, also after a rebuild
 * @param title a sentence
 * @param place where the code to fix is
 * @param accepted whether the campaign's baseline accepts it
 * @param fails whether it makes the run end with exit code 1: the campaign's {@code failOn} says
 *     which findings do, and those that are accepted never do
 * @param replay the command that shows it again, for a shell; warnings have none
 */
public record Finding(
    String severity,
    String kind,
    String fingerprint,
    String title,
    String place,
    boolean accepted,
    boolean fails,
    Optional<String> replay) {
  /** What a person wants to read: what it is, where it is, and how to see it again. */
  public String describe() {
    return "%s %s  %s%n  at %s%n  fingerprint: %s%s"
        .formatted(
            severity,
            kind.toLowerCase(Locale.ROOT),
            title,
            place,
            fingerprint,
            replay.map(command -> "%n  replay: ".formatted() + command).orElse(""));
  }
}
