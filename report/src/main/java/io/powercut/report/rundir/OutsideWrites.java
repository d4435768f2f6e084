// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the target persisted in files outside {@code {pm}}: no crash that is injected touches them.
 *
 * @param times by absolute path: how often the file was written to and then synchronised, or a
 *     shared mapping of it was
 */
public record OutsideWrites(Map<String, Long> times) {
  /** Copies the map, keeping its order. */
  public OutsideWrites {
    times = new LinkedHashMap<>(times);
  }

  /** One sentence for each file, without a full stop. */
  public List<String> inWords() {
    return times.entrySet().stream()
        .map(
            file ->
                "also wrote %d %s to %s, outside {pm}: not part of the crash"
                    .formatted(
                        file.getValue(), file.getValue() == 1 ? "time" : "times", file.getKey()))
        .toList();
  }
}
