// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.image.pages.ImageHash;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Has recovery judge images that stem from one occurrence of a failure point, those that are not
 * known yet, and counts what that took. For one thread.
 */
public final class OracleSession {
  private final CrashImageJudge judge;
  private final VerdictCache images;
  private final Occurrence occurrence;
  private final Map<String, Integer> inconclusive = new LinkedHashMap<>();
  private int recoveries;

  /**
   * @param images what is known of images, which this adds to
   */
  public OracleSession(CrashImageJudge judge, VerdictCache images, Occurrence occurrence) {
    this.judge = judge;
    this.images = images;
    this.occurrence = occurrence;
  }

  /**
   * The verdict of a single run of recovery.
   *
   * @param image gives private copies
   */
  public Verdict.Kind ask(VerdictCache.Key key, JudgedImages image) {
    Optional<Verdict.Kind> known = images.probe(key);
    if (known.isPresent()) {
      return known.get();
    }
    recoveries++;
    Judgement judgement = judge.probe(occurrence, image);
    if (judgement.kind() == Verdict.Kind.INCONCLUSIVE) {
      note(judgement.seen());
    }
    images.probed(key, judgement.kind());
    return judgement.kind();
  }

  /**
   * Runs recovery again on an image on which it failed, as the proof of a bug requires.
   *
   * @param hash of the image
   * @param kept directory for the image and what shows the bug
   * @return nothing if that proved none, which is noted as inconclusive
   */
  public Optional<Judgement> prove(JudgedImages image, ImageHash hash, Path kept) {
    Judgement proof = judge.judge(occurrence, image, kept).withImageHash(hash.toString());
    if (proof.isBug()) {
      return Optional.of(proof);
    }
    note(
        proof.kind() == Verdict.Kind.INCONCLUSIVE
            ? proof.seen()
            : "the verdict changed on a second run");
    return Optional.empty();
  }

  /** Counts something that could not be judged. */
  public void note(String reason) {
    inconclusive.merge(reason, 1, Integer::sum);
  }

  /** Counts what another session had judged at the same occurrence. */
  public void add(int otherRecoveries, Map<String, Integer> reasons) {
    recoveries += otherRecoveries;
    reasons.forEach((reason, count) -> inconclusive.merge(reason, count, Integer::sum));
  }

  /** Counts a run of recovery that judges nothing. */
  public void countRun() {
    recoveries++;
  }

  /** How often recovery was asked for a first time, or ran for its reads alone. */
  public int recoveries() {
    return recoveries;
  }

  /** Why something could not be judged, with how often. */
  public Map<String, Integer> inconclusive() {
    return inconclusive;
  }
}
