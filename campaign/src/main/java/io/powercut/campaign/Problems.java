// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.ProblemSink;
import java.util.ArrayList;
import java.util.List;

/** Collects mistakes until all of them are reported. */
public final class Problems implements ProblemSink {
  /** Nobody reads more mistakes than this one by one. */
  private static final int MOST = 1000;

  private final List<CampaignProblem> found = new ArrayList<>();

  @Override
  public void report(Origin origin, String key, String message) {
    if (found.size() < MOST) {
      found.add(CampaignProblem.at(origin, key, message));
    }
  }

  /** Ends the loading with this mistake and those before it. */
  public CampaignException fatal(Origin origin, String key, String message) {
    if (found.size() == MOST) {
      found.remove(MOST - 1);
    }
    report(origin, key, message);
    return new CampaignException(found);
  }

  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw new CampaignException(found);
    }
  }
}
