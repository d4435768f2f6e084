// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.image.PmArea;
import io.powercut.orchestrator.session.Phases;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.file.TraceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.io.file.PathUtils;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a run of a {@link TargetByHand} needs: a campaign, a place, and the files after set-up. A
 * test class has it in a field with {@code @RegisterExtension}; each test gets a new one.
 */
public final class HandRun implements AfterEachCallback {
  private static final String TARGET = "target: {command: [\"true\"]}\n";
  private static final String RECOVERY = "recovery: {command: [\"true\"]}\n";

  private final Path folder;
  private final Path base;
  private final PmArea area;
  private final AtomicBoolean interrupted = new AtomicBoolean();

  private HandRun(Path folder) throws IOException {
    this.folder = folder;
    this.area = PmArea.create(folder);
    this.base = Files.createDirectory(folder.resolve("base"));
    TargetByHand.setUp(base);
  }

  /** A new one, with a folder of its own. */
  public static HandRun open() {
    try {
      return new HandRun(Files.createTempDirectory("hand-run-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A campaign with all defaults. */
  public Campaign campaign() throws IOException {
    return campaign("");
  }

  /**
   * A campaign.
   *
   * @param sections its keys beside the target; a recovery is added if there is none
   */
  public Campaign campaign(String sections) throws IOException {
    Path file = folder.resolve("hand.yaml");
    Files.writeString(
        file,
        (sections.contains("target:") ? "" : TARGET)
            + (sections.contains("recovery:") ? "" : RECOVERY)
            + sections);
    return CampaignLoader.load(file);
  }

  /** The files after set-up. */
  public Path base() {
    return base;
  }

  /** A folder for what else there is; it goes with this. */
  public Path folder() {
    return folder;
  }

  /** One worker, so that the order of things is known. */
  public Resources resources() {
    return new Resources(area, 1, interrupted);
  }

  /** As after Ctrl-C. */
  public void interrupt() {
    interrupted.set(true);
  }

  /** Where images are judged. */
  public Workplace workplace() {
    return new Workplace(
        new RunDirectory(folder.resolve("run")),
        resources(),
        new Phases(Progress.SILENT, new Timings()));
  }

  /** A stored trace of a program, which ran on a copy of the files. */
  public Path trace(TargetByHand.Program program) throws IOException {
    Path stored = Files.createTempDirectory(folder, "stored").resolve("trace.zst");
    try (Execution execution = Execution.startingFrom(base, area);
        TraceStore store = TraceStore.create(stored)) {
      new TargetByHand(program)
          .record(execution.places().pm(), execution.trace(), Optional.empty());
      TraceReader.of(execution.trace()).storingInto(store).read(List.of());
    }
    return stored;
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    area.close();
    PathUtils.deleteDirectory(folder);
  }
}
