package io.powercut.analysis;

import io.powercut.instrumentation.trace.TraceConsumer;
import io.powercut.instrumentation.trace.TraceTables;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.tree.ExcludedFunctions;
import java.util.List;
import java.util.Objects;

/** Finds patterns of misused persistent memory in one pass over a trace. */
public final class TracePatterns implements TraceConsumer {
  /**
   * An analysis of one trace.
   *
   * @param tables fed by the same reader, before this
   * @param excluded functions below which nothing is reported
   * @param activeFromStart false when the analysis waits for the first begin mark
   */
  public TracePatterns(
      TraceTables tables,
      PersistencyDomain domain,
      ExcludedFunctions excluded,
      boolean activeFromStart) {
    Objects.requireNonNull(tables, "tables is null");
  }

  /** What was found, once the pass is over. */
  public PatternResult result() {
    return new PatternResult(List.of(), new PatternTotals(0, 0, 0, 0, 0));
  }
}
