// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.campaign.sections.RecoveryCrashSection;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.orchestrator.session.Workers;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.report.rundir.RecoveryCrashLog;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Cuts recovery itself on crash images on which it succeeds, and runs it again on the result. All
 * images share one failure-point tree of recovery: a worker that comes to a failure point of it on
 * enough different images does not cut it there again.
 */
public final class RecoveryCrashes {
  private final Scene scene;

  /**
   * What all images share.
   *
   * @param workplace where images of bugs go
   * @param section how often and where recovery is cut
   * @param recovery is cut
   * @param states what is judged beside program order; nothing if that is not wanted
   * @param claims what has been cut
   */
  record Scene(
      Workplace workplace,
      Judging judging,
      RecoveryCrashSection section,
      CutRecovery recovery,
      Optional<RecoveryStates.Options> states,
      CutClaims claims) {}

  /**
   * @param workplace where images of bugs go
   * @param section how often and where recovery is cut
   * @param recovery is cut
   * @param states what is judged beside program order; nothing if that is not wanted
   * @param log what an earlier part of this run has found
   */
  public RecoveryCrashes(
      Workplace workplace,
      Judging judging,
      RecoveryCrashSection section,
      CutRecovery recovery,
      Optional<RecoveryStates.Options> states,
      RecoveryCrashLog log) {
    CutClaims claims = new CutClaims(section.perFailurePoint(), log);
    this.scene = new Scene(workplace, judging, section, recovery, states, claims);
  }

  /**
   * Cuts recovery on images, several at a time; ends early when the time is spent.
   *
   * @param chosen which ones; they are closed
   */
  public void run(List<RecoveryCrashChoice.Chosen> chosen) {
    Workplace workplace = scene.workplace();
    Budget budget = scene.judging().budget();
    Queue<RecoveryCrashChoice.Chosen> left = new ConcurrentLinkedQueue<>(chosen);
    AtomicInteger done = new AtomicInteger();
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    try {
      // None continues when one fails: all have ended before the images and what they are of go.
      Workers.run(
          "recovery-crash",
          Math.min(workplace.resources().parallel(), Math.max(1, chosen.size())),
          () -> {
            try (RecordedImages recorded = RecordedImages.in(workplace.resources().area());
                RecordedImages judged = RecordedImages.in(workplace.resources().area())) {
              RecoveryCrashChoice.@Nullable Chosen next = left.poll();
              while (next != null && failure.get() == null && budget.isTimeLeft()) {
                try (RecoveryCrashChoice.Chosen one = next) {
                  new CutImage(scene, one, judged).cut(recorded);
                }
                workplace
                    .phases()
                    .progress()
                    .step("images on which recovery is cut", done.incrementAndGet(), chosen.size());
                next = left.poll();
              }
              if (next != null) {
                next.close();
              }
            } catch (BudgetSpentException e) {
              // What is not in the log is left for another part of the run.
            } catch (RuntimeException e) {
              failure.compareAndSet(null, e);
            }
          });
    } finally {
      left.forEach(RecoveryCrashChoice.Chosen::close);
    }
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }
}
