// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.yaml.Origin;
import java.util.Comparator;

/**
 * One mistake in a campaign, or one warning.
 *
 * @param file the file as the user would name it, or the override ({@code --set key=value})
 * @param line from 1; 0 if it has no line
 * @param column from 1; 0 if it has no line
 * @param key the key's path, such as {@code recovery.0.timeout}; empty for the file as a whole
 * @param message what is wrong, with value, bound and remedy
 */
public record CampaignProblem(String file, int line, int column, String key, String message)
    implements Comparable<CampaignProblem> {
  private static final Comparator<CampaignProblem> ORDER =
      Comparator.comparing(CampaignProblem::file)
          .thenComparing(CampaignProblem::line)
          .thenComparing(CampaignProblem::column)
          .thenComparing(CampaignProblem::key)
          .thenComparing(CampaignProblem::message);

  public CampaignProblem {
    requireNonNull(file, "file is null");
    requireNonNull(key, "key is null");
    requireNonNull(message, "message is null");
  }

  /** The problem with what was written there. */
  public static CampaignProblem at(Origin origin, String key, String message) {
    return new CampaignProblem(origin.source(), origin.line(), origin.column(), key, message);
  }

  @Override
  public int compareTo(CampaignProblem other) {
    return ORDER.compare(this, other);
  }

  /**
   * {@code configs/x.yaml:12:5: target.timeout: '10x' is not a duration; write for example 10m, 90s
   * or 1h30m}.
   */
  @Override
  public String toString() {
    String place = line == 0 ? file : file + ":" + line + ":" + column;
    return place + ": " + (key.isEmpty() ? "" : key + ": ") + message;
  }
}
