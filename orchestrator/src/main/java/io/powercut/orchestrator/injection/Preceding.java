// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.injection;

import io.powercut.report.evidence.Occurrence;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which occurrence, of any failure point, is right before one that is judged. */
final class Preceding {
  private final Map<Occurrence, Occurrence> before = new HashMap<>();
  private @Nullable Occurrence last;
  private @Nullable Occurrence previous;

  /** A pass over the trace begins. */
  void begin() {
    last = null;
  }

  /** A pass has reached an occurrence. */
  void reached(Occurrence occurrence) {
    previous = last;
    last = occurrence;
  }

  /** The occurrence that was reached last is judged. */
  void keep() {
    if (last != null && previous != null) {
      before.put(last, previous);
    }
  }

  /** What is before an occurrence; nothing if that is the first one of all, or not judged. */
  Optional<Occurrence> of(Occurrence occurrence) {
    return Optional.ofNullable(before.get(occurrence));
  }
}
