// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.function.Function;

/** Why something is a finding: what one analysis saw at one place. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "analysis")
@JsonSubTypes({
  @JsonSubTypes.Type(value = InjectionEvidence.class, name = "injection"),
  @JsonSubTypes.Type(value = TraceEvidence.class, name = "trace"),
  @JsonSubTypes.Type(value = PersistencyRace.class, name = "race"),
  @JsonSubTypes.Type(value = DataRace.class, name = "data-race")
})
public sealed interface Evidence
    permits InjectionEvidence, TraceEvidence, PersistencyRace, DataRace {
  /** What was seen, in words. */
  String seen();

  /** The target's call stack at the place, innermost first. */
  List<StackFrame> stack();

  /** How often it was seen, at least 1. */
  long count();

  /** What the function for its analysis says. */
  <R> R match(
      Function<InjectionEvidence, R> injection,
      Function<TraceEvidence, R> trace,
      Function<PersistencyRace, R> race,
      Function<DataRace, R> dataRace);
}
