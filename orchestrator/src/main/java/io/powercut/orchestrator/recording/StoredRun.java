// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recording;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.injection.Recording;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.TraceReading;
import io.powercut.trace.TraceException;
import io.powercut.trace.file.TraceReader;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * An execution that is read from its recording. Its places hold no PM files, only what is beside.
 */
public final class StoredRun implements Recording.Source {
  private final Campaign campaign;
  private final StoredRecording recording;
  private final Resources resources;

  public StoredRun(Campaign campaign, StoredRecording recording, Resources resources) {
    this.campaign = campaign;
    this.recording = recording;
    this.resources = resources;
  }

  @Override
  public Execution run(
      Path base, FailurePointTree tree, Observation observation, Following following) {
    try (PrivateDirectory empty = resources.area().newDirectory()) {
      Execution execution = Execution.startingFrom(empty.path(), resources.area());
      try {
        DirectoryCopy.copy(recording.traceDirectory(), execution.trace());
        TraceReader stored = TraceReader.of(recording.trace());
        new TraceReading(campaign.failurePoints(), observation)
            .read(
                following.store().map(stored::storingInto).orElse(stored),
                tree,
                following.listener(),
                following.consumers());
        return execution;
      } catch (TraceException e) {
        execution.close();
        throw PowercutException.notTrustworthy(e.getMessage());
      } catch (IOException | RuntimeException e) {
        execution.close();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
