// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.AllocatorSection;
import io.powercut.campaign.sections.FailurePointsSection;
import io.powercut.campaign.sections.ScheduleSection;
import io.powercut.campaign.sections.SynchronisationSection;
import io.powercut.recorder.RecorderOptions;
import io.powercut.recorder.ThreadSchedule;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.Granularity;
import java.nio.file.Path;
import java.util.List;

/** What a campaign says to the recorder. */
public final class RecorderChoices {
  private RecorderChoices() {}

  public static RecorderOptions.Builder of(Campaign campaign, Path pm, Path trace) {
    FailurePointsSection points = campaign.failurePoints();
    return RecorderOptions.recording(pm, trace)
        .granularity(granularity(points))
        .excluded(ExcludedFunctions.of(points.exclude()))
        .loader(points.loader())
        .begin(points.begin().map(List::of).orElse(List.of()))
        .end(points.end().map(List::of).orElse(List.of()))
        .locks(locks(campaign))
        .allocators(
            campaign.races().allocators().stream().map(AllocatorSection::declaration).toList())
        .atomics(campaign.races().atomics())
        .requests(true)
        .outputs(!campaign.acknowledgedOutputs().isEmpty())
        .schedule(schedule(campaign.schedule()))
        .fixedTime(campaign.determinism().time().isFixed())
        .fixedRandom(campaign.determinism().random().isFixed())
        .fixedProcessIds(campaign.determinism().processIds().isFixed());
  }

  /** The locks of the target's own making, as the recorder wants them. */
  public static List<String> locks(Campaign campaign) {
    return campaign.races().synchronisation().stream()
        .map(SynchronisationSection::declaration)
        .toList();
  }

  /** The order of threads that a campaign wants; it is not written. */
  static ThreadSchedule schedule(ScheduleSection section) {
    ThreadSchedule.Policy policy =
        switch (section.policy()) {
          case DEFAULT -> ThreadSchedule.Policy.DEFAULT;
          case PCT -> ThreadSchedule.Policy.PCT;
          case DELAY -> ThreadSchedule.Policy.DELAY;
        };
    return ThreadSchedule.of(policy, section.seed(), section.quantum());
  }

  public static Granularity granularity(FailurePointsSection points) {
    return switch (points.granularity()) {
      case PERSISTENCY -> Granularity.PERSISTENCY;
      case STORE -> Granularity.STORE;
    };
  }
}
