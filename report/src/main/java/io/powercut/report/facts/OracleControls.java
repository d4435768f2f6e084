// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.facts;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.powercut.oracle.Verdict;
import java.util.List;

/**
 * What recovery made of images that no power cut leaves and that it should refuse. An oracle that
 * accepts all of them may not look at the contents at all.
 *
 * @param damaged the images; those that could not be judged are left out
 */
public record OracleControls(List<Damaged> damaged) {
  /**
   * One image.
   *
   * @param how what was done to it
   * @param verdict of recovery, asked once
   */
  public record Damaged(String how, Verdict.Kind verdict) {}

  /** Copies the list. */
  public OracleControls {
    damaged = List.copyOf(damaged);
  }

  /** Whether recovery accepted every one. */
  @JsonIgnore
  public boolean isBlind() {
    return !damaged.isEmpty()
        && damaged.stream().allMatch(one -> one.verdict() == Verdict.Kind.CONSISTENT);
  }

  /**
   * For a person, without a full stop.
   *
   * @param refusedOthers whether recovery refused an image that a power cut may leave
   */
  public String inWords(boolean refusedOthers) {
    long accepted =
        damaged.stream().filter(one -> one.verdict() == Verdict.Kind.CONSISTENT).count();
    if (isBlind() && refusedOthers) {
      return "recovery accepted all %d damaged images, but not all crash images"
          .formatted(damaged.size());
    }
    return isBlind()
        ? "recovery accepted all %d damaged images: it may be blind; see powercut strength"
            .formatted(damaged.size())
        : "recovery refused %d of %d damaged images"
            .formatted(damaged.size() - accepted, damaged.size());
  }
}
