// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import java.nio.file.Path;
import java.util.List;

/** The steps of a recovery, for a copy of an image that they are to run on. */
@FunctionalInterface
public interface RecoveryProcedure {
  /**
   * The steps, in the order in which they run; not empty.
   *
   * @param image the directory of the copy
   */
  List<RecoveryStep> on(Path image);
}
