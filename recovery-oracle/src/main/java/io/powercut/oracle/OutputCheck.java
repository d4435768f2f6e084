// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import io.powercut.process.CommandResult;

/**
 * Looks at what a step printed, once it has ended as it should. It runs again when the image is
 * judged again.
 */
@FunctionalInterface
public interface OutputCheck {
  /**
   * What the output says of the image.
   *
   * @param result of the step; its output file holds what was printed, as far as it is kept
   */
  Verdict judge(CommandResult result);
}
