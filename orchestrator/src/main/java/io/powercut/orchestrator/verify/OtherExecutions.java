// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import io.powercut.image.files.Difference;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** What the comparison of images needs of the executions they come from. */
interface OtherExecutions {
  /**
   * A directory beside their PM directories, removed with them.
   *
   * @throws IOException if it cannot be made
   */
  Path newDirectory() throws IOException;

  /**
   * Takes both ways in one execution, which is recorded and stopped at a failure point: what its
   * trace says and what its PM files hold must be equal, whether the target is deterministic or
   * not.
   *
   * @param tree which has the failure point
   * @return the first difference, "the first" being the rebuilt image; nothing inside when there is
   *     none, and nothing at all when the execution did not reach the failure point
   */
  Optional<Optional<Difference>> compareOneExecution(FailurePointTree tree, FailurePointId id)
      throws IOException;
}
