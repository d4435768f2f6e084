// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.verify;

import static java.util.stream.Collectors.toSet;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.image.CrashImage;
import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.evidence.Judgement;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes both ways of injection on a campaign, from the same state after set-up, and compares images
 * and verdicts failure point by failure point. The controls are left out: no verdict is reported
 * here, only whether the same images get the same.
 */
public final class Verification {
  private static final String NOT_TAKEN = "the campaign's budget did not allow it";

  private final Map<FailurePointId, CrashImage> images = new ConcurrentHashMap<>();
  private final InjectionComparison.Way recorded;
  private final InjectionComparison.Way reExecuted;
  private final ReExecutedImages comparison;
  private final Optional<LeafDifference> first;
  private final boolean recordingsDiffer;

  private Verification(InjectionComparison ways, Progress progress, Optional<Path> keep) {
    recorded = ways.record(images);
    comparison = new ReExecutedImages(ways, images);
    reExecuted = ways.reExecute(comparison::stopped);
    first = new Explanation(ways, progress, keep).explain(recorded.tree(), comparison);
    boolean treesDiffer =
        !only(recorded, reExecuted).isEmpty() || !only(reExecuted, recorded).isEmpty();
    recordingsDiffer = (first.isPresent() || treesDiffer) && isOtherAgain(ways);
  }

  /** Whether a second recording is not like the first: then it is the target that varies. */
  private boolean isOtherAgain(InjectionComparison ways) {
    try {
      Map<FailurePointId, ImageHash> again = ways.recordAgain();
      Set<FailurePointId> before =
          recorded.tree().failurePoints().stream().map(FailurePoint::id).collect(toSet());
      return !again.keySet().equals(before)
          || images.entrySet().stream()
              .anyMatch(image -> !image.getValue().hash().equals(again.get(image.getKey())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Verifies a campaign.
   *
   * @param keep an empty directory that gets both images of the first difference
   * @throws PowercutException if the target fails
   */
  public static VerifyResult of(Campaign campaign, Progress progress, Optional<Path> keep) {
    try (InjectionComparison ways = InjectionComparison.open(campaign, progress)) {
      return new Verification(ways, progress, keep).result();
    } finally {
      progress.close();
    }
  }

  private VerifyResult result() {
    Map<FailurePoint, String> notCompared = new LinkedHashMap<>();
    List<VerdictDifference> verdicts = new ArrayList<>();
    Map<FailurePoint, String> verdictsNotCompared = new LinkedHashMap<>();
    int equalVerdicts = 0;
    for (FailurePoint point : common()) {
      if (!comparison.compared().containsKey(point.id())) {
        notCompared.put(point, whyNotCompared(point.id()));
      }
      Optional<Judgement> one = verdict(recorded, point.id());
      Optional<Judgement> other = verdict(reExecuted, point.id());
      if (one.isEmpty() || other.isEmpty()) {
        verdictsNotCompared.put(point, whyNoVerdict(point.id()));
      } else if (one.get().kind() == other.get().kind()) {
        equalVerdicts++;
      } else {
        verdicts.add(new VerdictDifference(point, one.get(), other.get()));
      }
    }
    int different =
        (int) comparison.compared().values().stream().filter(Optional::isPresent).count();
    return new VerifyResult(
        comparison.compared().size() - different,
        different,
        only(recorded, reExecuted),
        only(reExecuted, recorded),
        notCompared,
        equalVerdicts,
        verdicts,
        verdictsNotCompared,
        first,
        recordingsDiffer);
  }

  private List<FailurePoint> common() {
    return recorded.tree().failurePoints().stream()
        .filter(point -> reExecuted.tree().find(point.id()).isPresent())
        .toList();
  }

  private static List<FailurePoint> only(
      InjectionComparison.Way one, InjectionComparison.Way other) {
    return one.tree().failurePoints().stream()
        .filter(point -> other.tree().find(point.id()).isEmpty())
        .toList();
  }

  private String whyNotCompared(FailurePointId id) {
    return comparison.failure(id).or(() -> inconclusive(reExecuted, id)).orElse(NOT_TAKEN);
  }

  private String whyNoVerdict(FailurePointId id) {
    return inconclusive(recorded, id).or(() -> inconclusive(reExecuted, id)).orElse(NOT_TAKEN);
  }

  private static Optional<String> inconclusive(InjectionComparison.Way way, FailurePointId id) {
    return Optional.ofNullable(way.judgements().get(id))
        .filter(judgement -> judgement.kind() == Verdict.Kind.INCONCLUSIVE)
        .map(Judgement::seen);
  }

  private static Optional<Judgement> verdict(InjectionComparison.Way way, FailurePointId id) {
    return Optional.ofNullable(way.judgements().get(id))
        .filter(judgement -> judgement.kind() != Verdict.Kind.INCONCLUSIVE);
  }
}
