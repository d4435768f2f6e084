// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.tree.FailurePointId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The places in the user's code of failure points at which program order showed a bug, as {@link
 * io.powercut.report.identity.CodePlaces} named them when the run was made: the sources may change
 * afterwards. {@code code.json} holds it.
 *
 * @param byFailurePoint by 16 hexadecimal digits
 */
public record CodeLog(Map<FailurePointId, String> byFailurePoint) {
  /** Copies the map, keeping its order. */
  public CodeLog {
    byFailurePoint = new LinkedHashMap<>(byFailurePoint);
  }

  /** The place of a failure point, if it is known. */
  public Optional<String> find(FailurePointId failurePointId) {
    return Optional.ofNullable(byFailurePoint.get(failurePointId));
  }
}
