// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.tree.FailurePointId;
import java.nio.file.Path;
import java.util.Optional;

/** Takes what re-executions come to, from several threads. */
public interface StopHandler {
  /**
   * An execution was stopped before a failure point's instruction.
   *
   * @param id of the failure point
   * @param pm its PM directory, which is removed when this returns
   * @param acknowledged what it had acknowledged, good until this returns; nothing if recovery does
   *     not read it
   */
  void stopped(FailurePointId id, Path pm, Optional<Acknowledgement> acknowledged);

  /**
   * No execution came by a failure point again.
   *
   * @param id of the failure point
   * @param reason in words
   */
  void missed(FailurePointId id, String reason);
}
