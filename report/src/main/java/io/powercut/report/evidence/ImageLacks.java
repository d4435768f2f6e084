// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.tree.FailurePointId;
import java.util.List;

/**
 * What a program-order image that recovery fails on does not have yet, and the next one that it
 * succeeds on has: the stores between these two failure points.
 *
 * @param consistentAt that next failure point
 * @param first the first of the stores in words
 * @param stores the first of them, in the order in which they were made; never empty
 * @param more how many more there were after these
 */
public record ImageLacks(
    FailurePointId consistentAt, String first, List<ImageStore> stores, long more) {
  /** Copies the list. */
  public ImageLacks {
    stores = List.copyOf(stores);
  }
}
