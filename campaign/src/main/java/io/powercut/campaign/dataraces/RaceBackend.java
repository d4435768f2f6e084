// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.dataraces;

import java.util.Locale;
import java.util.Optional;

/** What tells the detectors of accesses (docs/data-races.md compares what each of them sees). */
public enum RaceBackend {
  /** What sees most: software. */
  AUTO,
  /** The compiler announces each access. */
  SOFTWARE,
  /** The tags of memory of an AArch64 processor say which accesses are new (HMTRace). */
  MTE,
  /** The protection keys of an x86 processor say which accesses a thread has no right to (KARD). */
  MPK,
  /** The recorder writes each access: for programs that cannot be compiled again. */
  RECORDER;

  /** The detector that it serves; nothing if any. */
  public Optional<RaceDetector> only() {
    return switch (this) {
      case AUTO, SOFTWARE, RECORDER -> Optional.empty();
      case MTE -> Optional.of(RaceDetector.HMTRACE);
      case MPK -> Optional.of(RaceDetector.KARD);
    };
  }

  /** Why it does not serve this detector; nothing if it does. */
  public Optional<String> refusal(RaceDetector detector) {
    return only()
        .filter(served -> served != detector)
        .map(
            served ->
                "backend %s serves detector %s alone, not %s".formatted(this, served, detector));
  }

  /** As users and the runtime write it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
