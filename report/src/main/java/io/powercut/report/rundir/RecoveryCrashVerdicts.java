// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.report.evidence.CutPlace;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One line of the log of crashes during recovery: the outcome of recovery when it was cut on one
 * crash image.
 *
 * @param failurePointId of the first cut
 * @param occurrence which occurrence of that failure point it was, from 1
 * @param image content hash of the image that the first cut left
 * @param cuts by the {@link CutPlace} of each cut of recovery that was judged here, the content
 *     hash of what it left
 * @param states by each of these at which crash states beyond program order were judged, how many
 * @param failed by each of these on whose program-order image recovery fails, the fingerprint of
 *     what is wrong
 * @param recoveries how often recovery was run; other images were known
 * @param failing how many images and states recovery cannot handle
 * @param findings one for each fingerprint that was found here first
 * @param again fingerprints that were found before and showed here as well
 * @param inconclusive why something could not be recorded or judged, with how often each
 * @param complete whether all that was to be judged was
 */
public record RecoveryCrashVerdicts(
    FailurePointId failurePointId,
    @JsonAlias("visit") long occurrence,
    String image,
    Map<String, String> cuts,
    Map<String, Integer> states,
    Map<String, String> failed,
    int recoveries,
    int failing,
    List<RecoveryCrashFinding> findings,
    List<String> again,
    Map<String, Integer> inconclusive,
    boolean complete)
    implements OccurrenceLog.Line {
  /** Copies the collections. Earlier versions wrote no {@code states} and {@code failed}. */
  @SuppressWarnings("NullAway") // as old files are read
  public RecoveryCrashVerdicts {
    states = states == null ? Map.of() : new LinkedHashMap<>(states);
    failed = failed == null ? Map.of() : new LinkedHashMap<>(failed);
    cuts = new LinkedHashMap<>(cuts);
    findings = List.copyOf(findings);
    again = List.copyOf(again);
    inconclusive = new LinkedHashMap<>(inconclusive);
  }

  /** Where the first cut was. */
  @Override
  public Occurrence at() {
    return new Occurrence(failurePointId, occurrence);
  }

  /** Whether nothing is left to do here. */
  @JsonIgnore
  public boolean isSettled() {
    return complete && inconclusive.isEmpty();
  }
}
