package io.powercut.orchestrator.run;

import io.powercut.orchestrator.campaign.Campaign;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.io.file.PathUtils;

/** Builds the failure-point tree of a campaign's target without any injection. */
public final class TreeRun {
  private TreeRun() {}

  /**
   * Builds and sets up the target and runs it once under the recorder.
   *
   * @throws NotTrustworthyException if one of these fails
   */
  public static FailurePointTree of(Campaign campaign, Progress progress) {
    Path scratch = temporaryDirectory();
    try (Session session =
        Session.open(campaign, new RunDirectory(scratch), progress, new Timings())) {
      Preparation preparation = new Preparation(session.context());
      preparation.build();
      FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
      try (Places base = preparation.setUp()) {
        progress.phase("running the target under instrumentation");
        new InstrumentedRun(session.context()).run(base.pm(), tree).close();
      }
      return tree;
    } finally {
      progress.close();
      delete(scratch);
    }
  }

  private static Path temporaryDirectory() {
    try {
      Path scratch = Files.createTempDirectory("powercut-tree-");
      Files.createDirectory(scratch.resolve("output"));
      return scratch;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path scratch) {
    try {
      PathUtils.deleteDirectory(scratch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
