// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.report.evidence.ImageChanges;
import io.powercut.tree.FailurePointId;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the image of each failure point has that the one before it had not; {@code changes.json}
 * holds those of findings.
 *
 * @param byFailurePoint by 16 hexadecimal digits
 */
public record ChangeLog(Map<FailurePointId, ImageChanges> byFailurePoint) {
  /** Copies the map, keeping its order. */
  public ChangeLog {
    byFailurePoint = new LinkedHashMap<>(byFailurePoint);
  }

  /** The changes of a failure point, or {@link ImageChanges#UNKNOWN}. */
  public ImageChanges of(FailurePointId failurePointId) {
    return byFailurePoint.getOrDefault(failurePointId, ImageChanges.UNKNOWN);
  }
}
