// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import io.powercut.campaign.sections.RecoveryCrashSection;
import io.powercut.image.CrashImage;
import io.powercut.image.PmState;
import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.judging.Announcements;
import io.powercut.orchestrator.judging.Judging;
import io.powercut.orchestrator.judging.OracleSession;
import io.powercut.orchestrator.judging.RecordedImages;
import io.powercut.orchestrator.judging.VerdictCache;
import io.powercut.orchestrator.session.BudgetSpentException;
import io.powercut.orchestrator.session.Workers;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.rundir.RecoveryCrashFinding;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
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
  private final Workplace workplace;
  private final Judging judging;
  private final RecoveryCrashSection section;
  private final CutRecovery recovery;
  private final Map<FailurePointId, Set<String>> cutOn = new HashMap<>();
  private final Set<String> fingerprints = new HashSet<>();

  /**
   * @param workplace where images of bugs go
   * @param section how often and where recovery is cut
   * @param recovery is cut
   * @param log what an earlier part of this run has found
   */
  public RecoveryCrashes(
      Workplace workplace,
      Judging judging,
      RecoveryCrashSection section,
      CutRecovery recovery,
      RecoveryCrashLog log) {
    this.workplace = workplace;
    this.judging = judging;
    this.section = section;
    this.recovery = recovery;
    // The others are done again from the start.
    log.all().stream().filter(RecoveryCrashVerdicts::isSettled).forEach(this::remember);
  }

  private void remember(RecoveryCrashVerdicts one) {
    one.cuts().forEach((id, hash) -> cutsOf(id).add(hash));
    one.findings().forEach(finding -> fingerprints.add(finding.fingerprint()));
  }

  private Set<String> cutsOf(FailurePointId id) {
    return cutOn.computeIfAbsent(id, unknown -> new HashSet<>());
  }

  /**
   * Cuts recovery on images, several at a time; ends early when the time is spent.
   *
   * @param chosen which ones; they are closed
   */
  public void run(List<RecoveryCrashChoice.Chosen> chosen) {
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
              while (next != null && failure.get() == null && judging.budget().isTimeLeft()) {
                try (RecoveryCrashChoice.Chosen one = next) {
                  new OneImage(one, judged).cut(recorded);
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

  /** Whether recovery is to be cut there; it then counts as done. */
  private synchronized boolean claim(FailurePointId id, ImageHash hash) {
    Set<String> cuts = cutsOf(id);
    return cuts.size() < section.perFailurePoint() && cuts.add(hash.toString());
  }

  private synchronized boolean isEnough(FailurePointId id) {
    return cutsOf(id).size() >= section.perFailurePoint();
  }

  /** Names of functions mean here what they mean where functions are left out. */
  private boolean isWithin(CallStack stack) {
    return section.within().isEmpty() || ExcludedFunctions.of(section.within()).exclude(stack);
  }

  private synchronized boolean isNew(String fingerprint) {
    return fingerprints.add(fingerprint);
  }

  private synchronized boolean isKnown(String fingerprint) {
    return fingerprints.contains(fingerprint);
  }

  /** Recovery on one image. */
  private final class OneImage implements CutRecovery.Cuts {
    private final RecoveryCrashChoice.Chosen first;
    private final RecordedImages places;
    private final Set<FailurePointId> visited = new HashSet<>();
    private final Map<FailurePointId, String> cuts = new LinkedHashMap<>();
    private final List<RecoveryCrashFinding> findings = new ArrayList<>();
    private final Set<String> again = new LinkedHashSet<>();
    private final OracleSession inquiry;
    private boolean isComplete = true;
    private int failing;

    /**
     * @param places where recovery runs
     */
    OneImage(RecoveryCrashChoice.Chosen first, RecordedImages places) {
      this.first = first;
      this.places = places;
      this.inquiry = new OracleSession(judging.judge(), judging.images(), first.occurrence());
    }

    /**
     * Does it all.
     *
     * @param recorded where recovery is recorded
     */
    void cut(RecordedImages recorded) {
      try {
        recovery
            .follow(recorded.of(first.image(), first.acknowledged()), this)
            .ifPresent(inquiry::note);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      judging
          .results()
          .cut(
              new RecoveryCrashVerdicts(
                  first.occurrence().id(),
                  first.occurrence().number(),
                  first.hash().toString(),
                  cuts,
                  inquiry.recoveries(),
                  failing,
                  findings,
                  List.copyOf(again),
                  inquiry.inconclusive(),
                  isComplete));
    }

    @Override
    public boolean wants(CutRecovery.Point point, PmState state) throws IOException {
      FailurePointId id = point.stack().id();
      if (!visited.add(id) || isEnough(id) || !isWithin(point.stack())) {
        return false;
      }
      ImageHash hash = state.hash();
      return isKnownConsistent(hash) || claim(id, hash);
    }

    /** Costs nothing, and shows nothing about other images. */
    private boolean isKnownConsistent(ImageHash hash) {
      return judging
          .images()
          .probe(VerdictCache.Key.of(hash, first.acknowledged()))
          .filter(kind -> kind == Verdict.Kind.CONSISTENT)
          .isPresent();
    }

    @Override
    public void take(CutRecovery.Point point, CrashImage image) throws IOException {
      workplace.resources().checkInterrupted();
      if (!judging.budget().isTimeLeft()) {
        isComplete = false;
        return;
      }
      if (ask(image).isFinding()) {
        failing++;
        blame(point, image);
      }
      cuts.put(point.stack().id(), image.hash().toString());
    }

    private Verdict.Kind ask(CrashImage image) {
      return inquiry.ask(
          VerdictCache.Key.of(image.hash(), first.acknowledged()),
          places.of(image, first.acknowledged()));
    }

    private void blame(CutRecovery.Point point, CrashImage image) {
      String fingerprint = judging.identity().ofRecoveryCrash(TargetStack.of(point.stack()));
      if (isKnown(fingerprint)) {
        again.add(fingerprint);
        return;
      }
      Optional<Judgement> proof =
          inquiry.prove(
              places.of(image, first.acknowledged()),
              image.hash(),
              workplace.directory().secondImageDirectory(first.occurrence(), point.stack().id()));
      if (proof.isEmpty()) {
        return;
      }
      if (isNew(fingerprint)) {
        findings.add(new RecoveryCrashFinding(fingerprint, cut(point), proof.get()));
        announce(point, proof.get());
      } else {
        again.add(fingerprint); // Another image came to it meanwhile.
      }
    }

    private RecoveryCrash cut(CutRecovery.Point point) {
      return new RecoveryCrash(
          point.stack().id(),
          point.step(),
          point.instruction().label(),
          TargetStack.of(point.stack()));
    }

    private void announce(CutRecovery.Point point, Judgement proof) {
      workplace
          .phases()
          .progress()
          .note(
              "%s after a crash during recovery at failure point %s, on the image of %s: %s%s"
                  .formatted(
                      proof.kind().name().toLowerCase(Locale.ROOT),
                      point.stack().id(),
                      proof.failurePointId(),
                      proof.seen(),
                      Announcements.message(proof)));
    }
  }
}
