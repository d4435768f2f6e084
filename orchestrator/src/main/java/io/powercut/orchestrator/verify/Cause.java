// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

/**
 * Why the images of a failure point differ. One more execution decides, which is recorded and
 * stopped at the failure point: in one and the same execution, what its trace says must be what its
 * PM files hold, whether the target is deterministic or not.
 */
enum Cause {
  /** They were equal, so the executions differ. */
  TARGET(
      "the target is not deterministic. In one execution that was both recorded and stopped here, the"
          + " image rebuilt from the trace equals the PM files"),
  /** They were not. */
  POWERCUT(
      "a bug in Powercut: in one execution that was both recorded and stopped here, the image rebuilt"
          + " from the trace differs from the PM files. Please report it"),
  /** That execution did not reach the failure point. */
  UNKNOWN(
      "unknown. An execution that should have been recorded and stopped here did not reach this point, so"
          + " the target is not deterministic");

  private final String text;

  Cause(String text) {
    this.text = text;
  }

  /** In words. */
  String text() {
    return text;
  }
}
