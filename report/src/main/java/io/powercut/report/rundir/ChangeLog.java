// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the image of each failure point has that the one before it had not; {@code changes.json}
 * holds those of findings.
 *
 * @param byFailurePoint of first occurrences, by 16 hexadecimal digits
 * @param later of others, by the same, then by the number of the occurrence; empty in older runs
 */
public record ChangeLog(
    Map<FailurePointId, ImageChanges> byFailurePoint,
    Map<FailurePointId, SortedMap<Long, ImageChanges>> later) {
  /** Nothing is known. */
  public static final ChangeLog NONE = new ChangeLog(Map.of(), Map.of());

  /** Copies the maps, keeping their order. */
  public ChangeLog {
    byFailurePoint = new LinkedHashMap<>(byFailurePoint);
    later = later == null ? new LinkedHashMap<>() : new LinkedHashMap<>(later);
  }

  /** Those of occurrences of the recorded run. */
  public static ChangeLog of(Map<Occurrence, ImageChanges> changes) {
    Map<FailurePointId, ImageChanges> first = new LinkedHashMap<>();
    Map<FailurePointId, SortedMap<Long, ImageChanges>> later = new LinkedHashMap<>();
    changes.forEach(
        (cut, known) -> {
          if (cut.number() == 1) {
            first.put(cut.id(), known);
          } else {
            later.computeIfAbsent(cut.id(), id -> new TreeMap<>()).put(cut.number(), known);
          }
        });
    return new ChangeLog(first, later);
  }

  /** The changes of an occurrence of the recorded run, or {@link ImageChanges#UNKNOWN}. */
  public ImageChanges of(Occurrence cut) {
    ImageChanges known =
        cut.number() == 1
            ? byFailurePoint.get(cut.id())
            : later.getOrDefault(cut.id(), new TreeMap<>()).get(cut.number());
    return known == null ? ImageChanges.UNKNOWN : known;
  }

  /** The same with those of another part of the run, which has other failure points. */
  public ChangeLog with(ChangeLog other) {
    ChangeLog both = new ChangeLog(byFailurePoint, later);
    both.byFailurePoint.putAll(other.byFailurePoint);
    both.later.putAll(other.later);
    return both;
  }
}
