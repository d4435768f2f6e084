// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.image.pages.ImageHash;
import io.powercut.report.evidence.CutPlace;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the recoveries of a run have cut between them: each failure point of recovery on so many
 * different images, and what was found. Safe for use by several threads.
 */
final class CutClaims {
  private final int perFailurePoint;
  private final Map<CutPlace, Set<String>> cutOn = new HashMap<>();

  /** On how many images crash states were judged. */
  private final Map<CutPlace, Integer> exploredOn = new HashMap<>();

  private final Set<String> fingerprints = new HashSet<>();

  /**
   * @param perFailurePoint on how many images each failure point is judged
   * @param log what an earlier part of the run has found
   */
  CutClaims(int perFailurePoint, RecoveryCrashLog log) {
    this.perFailurePoint = perFailurePoint;
    // The others are done again from the start.
    log.all().stream().filter(RecoveryCrashVerdicts::isSettled).forEach(this::remember);
  }

  private void remember(RecoveryCrashVerdicts one) {
    one.cuts().forEach((cut, hash) -> cutsOf(CutPlace.parse(cut)).add(hash));
    one.states().keySet().forEach(cut -> exploredOn.merge(CutPlace.parse(cut), 1, Integer::sum));
    one.findings().forEach(finding -> fingerprints.add(finding.fingerprint()));
  }

  private Set<String> cutsOf(CutPlace place) {
    return cutOn.computeIfAbsent(place, unknown -> new HashSet<>());
  }

  /** Whether recovery is to be cut there; it then counts as done. */
  synchronized boolean claim(CutPlace place, ImageHash hash) {
    Set<String> cuts = cutsOf(place);
    return cuts.size() < perFailurePoint && cuts.add(hash.toString());
  }

  synchronized boolean isEnough(CutPlace place) {
    return cutsOf(place).size() >= perFailurePoint;
  }

  /** Whether crash states are to be judged there; that then counts as done. */
  synchronized boolean claimStates(CutPlace place) {
    boolean isWanted = !isExploredEnough(place);
    exploredOn.merge(place, isWanted ? 1 : 0, Integer::sum);
    return isWanted;
  }

  synchronized boolean isExploredEnough(CutPlace place) {
    return exploredOn.getOrDefault(place, 0) >= perFailurePoint;
  }

  /** Adds a finding; false if it was there. */
  synchronized boolean isNew(String fingerprint) {
    return fingerprints.add(fingerprint);
  }

  synchronized boolean isKnown(String fingerprint) {
    return fingerprints.contains(fingerprint);
  }
}
