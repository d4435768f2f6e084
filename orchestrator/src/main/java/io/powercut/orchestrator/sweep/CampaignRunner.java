// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.sweep;

import io.powercut.campaign.Campaign;
import io.powercut.image.files.Removal;
import io.powercut.orchestrator.distribution.Cluster;
import io.powercut.orchestrator.distribution.DistributedRun;
import io.powercut.orchestrator.distribution.KeptUnits;
import io.powercut.orchestrator.run.CampaignRun;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Where the campaigns of a sweep run. */
public sealed interface CampaignRunner {
  /**
   * Runs a campaign.
   *
   * @param file where it was read from
   * @param directory for what it leaves
   * @param time how long judging may take; as long as it says when there is none
   */
  Report run(
      Campaign campaign,
      Path file,
      RunDirectory directory,
      Optional<Duration> time,
      Progress progress)
      throws IOException;

  /** Whether all campaigns run at once, since they share other machines. */
  boolean takesAllAtOnce();

  /** Ends what runs elsewhere; what runs here notices an interruption itself. */
  void interrupt();

  /** Whether nothing runs any more, for no fault of a campaign. */
  boolean isGone();

  /** Here, one after the other, each with all processors. */
  record Here() implements CampaignRunner {
    @Override
    public Report run(
        Campaign campaign,
        Path file,
        RunDirectory directory,
        Optional<Duration> time,
        Progress progress)
        throws IOException {
      Path units = KeptUnits.folder(directory);
      if (Files.exists(units)) {
        progress.note(
            "what a cluster has judged of %s is in %s and is not used here: the campaign is run anew. Resume with --on to go on from there."
                .formatted(campaign.name(), units));
      }
      Report report =
          new CampaignRun(campaign, file, directory, Optional.empty(), time, progress).run();
      if (report.outcome().complete()) {
        Removal.remove(units);
      }
      return report;
    }

    @Override
    public boolean takesAllAtOnce() {
      return false;
    }

    @Override
    public void interrupt() {}

    @Override
    public boolean isGone() {
      return false;
    }
  }

  /**
   * On a cluster.
   *
   * @param cluster takes the units of all campaigns
   */
  record OnCluster(Cluster cluster) implements CampaignRunner {
    @Override
    public Report run(
        Campaign campaign,
        Path file,
        RunDirectory directory,
        Optional<Duration> time,
        Progress progress)
        throws IOException {
      return new DistributedRun(cluster, campaign, file, directory, time, progress).run();
    }

    @Override
    public boolean takesAllAtOnce() {
      return true;
    }

    @Override
    public void interrupt() {
      cluster.giveUp();
    }

    @Override
    public boolean isGone() {
      return cluster.isGone();
    }
  }
}
