// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import io.powercut.image.files.Difference;
import io.powercut.tree.FailurePoint;

/**
 * A failure point whose images differ.
 *
 * @param point the failure point
 * @param difference the first difference; "the first" is the recorded image, "the second" the
 *     re-executed one
 * @param cause where it comes from
 * @param holdsPath whether the differing bytes are near one of the private PM directory's own path,
 *     which is another in every execution
 */
record LeafDifference(FailurePoint point, Difference difference, Cause cause, boolean holdsPath) {}
