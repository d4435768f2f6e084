package io.powercut.orchestrator.cli;

import io.powercut.orchestrator.campaign.CampaignException;
import io.powercut.orchestrator.campaign.CampaignLoader;
import io.powercut.orchestrator.report.ExitCode;
import io.powercut.orchestrator.run.RunDirectory;
import io.powercut.orchestrator.run.TreeRun;
import io.powercut.tree.DrawingOptions;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.TreeDrawing;
import io.powercut.tree.TreeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code powercut tree}. */
@Command(
    name = "tree",
    mixinStandardHelpOptions = true,
    description = {
      "Draws a failure-point tree: that of a run, or, given a campaign file, that of a new run of its",
      "target without any injection."
    })
final class TreeCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RUN|CAMPAIGN",
      description = "A run directory such as powercut-runs/NAME/latest, or a campaign file.")
  private Path source = Path.of("");

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Changes one key of the campaign.")
  private List<String> overrides = new ArrayList<>();

  @Option(names = "--full-paths", description = "Shows source files with their folders.")
  private boolean fullPaths;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Draws only the N outermost levels; 0 draws all. Default: 0")
  private int depth;

  @Override
  public Integer call() throws IOException, CampaignException {
    DrawingOptions options = DrawingOptions.DEFAULT.withFullPaths(fullPaths);
    if (depth > 0) {
      options = options.withDepth(depth);
    }
    TreeDrawing.draw(tree(), options, System.out);
    return ExitCode.NOTHING_NEW.code();
  }

  private FailurePointTree tree() throws IOException, CampaignException {
    return Files.isDirectory(source)
        ? TreeFile.read(RunDirectory.open(source).treeFile())
        : TreeRun.of(CampaignLoader.load(source, overrides), ProgressChoice.choose());
  }
}
