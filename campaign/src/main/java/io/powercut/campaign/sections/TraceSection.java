package io.powercut.campaign.sections;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.process.DataSize;

/** What becomes of the recorded run. */
public record TraceSection(
    @Key(
            value =
                "Keep the trace in the run directory, compressed (zstd), as `trace.zst`. Otherwise it is gone as soon as"
                    + " it is read.",
            defaultValue = "false")
        boolean keep,
    @Key(
            value =
                "How much of the trace may wait to be read. When it is full the target waits too; make it larger if the"
                    + " target or its clients cannot be made to wait.",
            defaultValue = "256MiB",
            min = "32MiB",
            max = "64TiB")
        DataSize window) {

  public TraceSection {
    requireNonNull(window, "window is null");
  }
}
