// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.installation.InstalledCampaigns;
import io.powercut.orchestrator.run.TreeRun;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.tree.DrawingOptions;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.TreeDrawing;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code powercut tree}. */
@Command(
    name = "tree",
    mixinStandardHelpOptions = true,
    description = {
      "Draws a failure-point tree, with the identity of each failure point.",
      "",
      "For a run directory, it draws the tree of that run. For a campaign file, it runs the target once,"
          + " without injection. Failure points at which the power was cut are marked with [x].",
      "",
      "  powercut tree powercut-runs/my-program/latest",
      "  powercut tree my-program.yaml --set parameters.operations=100"
    })
final class TreeCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RUN|CAMPAIGN",
      description = "A run directory such as powercut-runs/NAME/latest, or a campaign file.")
  private Path source = Path.of("");

  @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Sets one key of the campaign.")
  private List<String> overrides = new ArrayList<>();

  @Option(names = "--full-paths", description = "Shows source files with their folders.")
  private boolean fullPaths;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Draws only the N outermost levels. 0, the default, draws all.")
  private int depth;

  @Mixin private OutputArguments output = new OutputArguments();

  @Override
  public Integer call() throws IOException {
    DrawingOptions options =
        DrawingOptions.DEFAULT.withFullPaths(fullPaths).withAsciiOnly(!canDrawLines());
    Screen screen = Screen.output();
    if (screen.isTerminal()) {
      options = options.withWidth(screen.width());
    }
    if (depth > 0) {
      options = options.withDepth(depth);
    }
    TreeDrawing.draw(tree(), options, System.out);
    return ExitCode.NOTHING_NEW.code();
  }

  /** In the C locale, for example, output has ASCII only. */
  private static boolean canDrawLines() {
    return Charset.defaultCharset().newEncoder().canEncode("├─│└…");
  }

  private FailurePointTree tree() {
    return Files.isDirectory(source)
        ? RunDirectory.open(source).tree()
        : TreeRun.of(
            InstalledCampaigns.load(source, overrides, Warnings::print), output.progress());
  }
}
