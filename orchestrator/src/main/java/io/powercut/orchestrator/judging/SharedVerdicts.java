// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.image.CrashImage;
import io.powercut.oracle.reads.ReadsWatch;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Workers;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.tree.FailurePointId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Verdicts on images, from whatever replay they come: equal ones, with equal acknowledgements, are
 * judged once, and threads that ask meanwhile wait. Recovery runs once, and no image is kept. Safe
 * for use by several threads.
 */
public final class SharedVerdicts {
  private static final int FIRST = 1;

  private final CrashImageJudge judge;
  private final VerdictCache known = new VerdictCache();
  private final AtomicLong images = new AtomicLong();

  public SharedVerdicts(CrashImageJudge judge) {
    this.judge = judge;
  }

  /** How many images were judged. */
  public long images() {
    return images.get();
  }

  /**
   * What recovery makes of an image.
   *
   * @param id where it was taken
   * @param acknowledged what the target had acknowledged there
   * @param workspace the calling thread's
   * @param watch to be answered on the way, if recovery runs for it
   */
  public Judgement of(
      CrashImage image,
      FailurePointId id,
      Optional<Acknowledgement> acknowledged,
      RecordedImages workspace,
      Optional<ReadsWatch> watch) {
    CompletableFuture<Judgement> mine = new CompletableFuture<>();
    CompletableFuture<Judgement> first =
        known.verdict(VerdictCache.Key.of(image.hash(), acknowledged), mine);
    if (first != mine) {
      return Workers.await(first);
    }
    try {
      images.incrementAndGet();
      Judgement judgement =
          judge.probe(new Occurrence(id, FIRST), workspace.of(image, acknowledged).watching(watch));
      mine.complete(judgement);
      return judgement;
    } catch (RuntimeException | Error e) {
      mine.completeExceptionally(e);
      throw e;
    }
  }
}
