// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.process.DataSize;

/** What becomes of the recorded run. */
public record TraceSection(
    @Key(
            value =
                "Keep the trace in the run directory as `trace.zst` (zstd). Otherwise it is deleted as it"
                    + " is read.",
            defaultValue = "false")
        boolean keep,
    @Key(
            value =
                "How much of the trace may be buffered. The target waits while the buffer is full."
                    + " Increase it if the target or its clients must not wait.",
            defaultValue = "256MiB",
            min = "32MiB",
            max = "64TiB")
        DataSize window) {

  public TraceSection {
    requireNonNull(window, "window is null");
  }
}
