// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Machines that take units. Safe for use by several threads. */
public interface Cluster {
  /** How many units run at a time, from 1. Machines come and go, so it changes. */
  int slots();

  /** Whether it takes nothing any more, since it ended or was given up. */
  boolean isGone();

  /** Has a unit run. The future never fails: a unit that cannot be run is lost. */
  CompletableFuture<UnitResult> submit(Unit unit);

  /** Gives up what is not done, and takes nothing more: all of it is lost. */
  void giveUp();

  /** An input is not needed any more, by any unit. */
  void forget(Path input);
}
