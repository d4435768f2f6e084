// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.coverage;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.Granularity;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.run.TreeRun;
import io.powercut.orchestrator.session.Progress;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Instruction;
import java.util.HashSet;
import java.util.Set;

/**
 * Counts the failure points of one workload at both granularities, in one recorded run.
 *
 * <p>One run is enough: with granularity {@code store} every store is a candidate as well, but
 * whether a store has happened before a flush or fence since the last failure point does not depend
 * on that, so failure points at persistency instructions are the same ones.
 *
 * <p>The trace is read while it grows. Memory is taken by the unique failure points, not by the
 * length of the workload.
 */
public final class CoverageRun {
  private static final double NANOSECONDS = 1e9;

  private CoverageRun() {}

  /**
   * Runs the target once.
   *
   * @param campaign whose target has a workload of that size and whose granularity is {@code store}
   * @throws PowercutException if the target fails
   */
  public static CoveragePoint measure(Campaign campaign, WorkloadSize size, Progress progress) {
    if (campaign.failurePoints().granularity() != Granularity.STORE) {
      throw new IllegalArgumentException("the campaign's granularity is not store");
    }
    Set<FailurePointId> persistency = new HashSet<>();
    long begin = System.nanoTime();
    FailurePointTree tree =
        TreeRun.of(
            campaign,
            progress,
            (ordinal, stack, instruction, isNew) -> {
              if (isPersistency(instruction)) {
                persistency.add(stack.id());
              }
            });
    return new CoveragePoint(
        size, persistency.size(), tree.size(), (System.nanoTime() - begin) / NANOSECONDS);
  }

  private static boolean isPersistency(Instruction instruction) {
    return switch (instruction) {
      case STORE, NON_TEMPORAL_STORE, KERNEL_STORE, FILE_WRITE -> false;
      case CLFLUSH,
          CLFLUSHOPT,
          CLWB,
          SFENCE,
          MFENCE,
          LOCKED,
          MSYNC,
          MSYNC_ASYNC,
          FSYNC,
          FDATASYNC,
          SYNC_FILE_RANGE,
          SYNC,
          CREATE,
          RENAME,
          LINK,
          UNLINK,
          RESIZE,
          END ->
          true;
    };
  }
}
