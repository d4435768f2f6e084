// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.cli.progress.TitledProgress;
import io.powercut.orchestrator.coverage.CoveragePlot;
import io.powercut.orchestrator.coverage.CoveragePoint;
import io.powercut.orchestrator.coverage.CoverageRun;
import io.powercut.orchestrator.coverage.CoverageTable;
import io.powercut.orchestrator.coverage.Gnuplot;
import io.powercut.orchestrator.coverage.WorkloadSize;
import io.powercut.orchestrator.session.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code powercut coverage}. */
@Command(
    name = "coverage",
    mixinStandardHelpOptions = true,
    description = {
      "Helps to choose the size of a workload. Counts the unique failure points that the target reaches"
          + " with several sizes, at both granularities. Where the curve is flat, more operations find nothing"
          + " new. Nothing is injected. docs/coverage.md has an example.",
      "",
      "  powercut coverage configs/pmdk-btree.yaml --operations 1k,5k,25k --svg coverage.svg"
    })
final class CoverageCommand implements Callable<Integer> {
  @Mixin private CampaignArguments campaign = new CampaignArguments();

  @Option(
      names = "--operations",
      paramLabel = "SIZE",
      split = ",",
      defaultValue = "1k,5k,25k,50k,150k",
      converter = SizeConverter.class,
      description = "The sizes; k stands for thousand, m for million. Default: ${DEFAULT-VALUE}")
  private List<WorkloadSize> sizes = List.of();

  @Option(
      names = "--parameter",
      paramLabel = "NAME",
      defaultValue = "operations",
      description = "The campaign's parameter that is the size. Default: ${DEFAULT-VALUE}")
  private String parameter = "operations";

  @Option(names = "--svg", paramLabel = "FILE", description = "Where to draw the plot as SVG.")
  private Optional<Path> svg = Optional.empty();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private OutputArguments output = new OutputArguments();

  @Override
  public Integer call() throws IOException {
    Campaign plain = campaign.load();
    requireParameter(plain);
    requireFolder();
    Gnuplot gnuplot = Gnuplot.find();
    List<CoveragePoint> points = new ArrayList<>();
    try {
      for (WorkloadSize size : sizes.stream().sorted().distinct().toList()) {
        points.add(measure(size));
      }
    } finally {
      Screen.output().print(CoverageTable.of(points));
    }
    CoveragePlot plot = new CoveragePlot(gnuplot, plain.name(), points);
    System.out.println();
    System.out.print(plot.text());
    if (svg.isPresent()) {
      Files.writeString(svg.get(), plot.svg());
      System.out.println("\nplot in " + svg.get());
    }
    return ExitCode.NOTHING_NEW.code();
  }

  private CoveragePoint measure(WorkloadSize size) {
    Campaign sized =
        campaign.load(
            List.of(
                "parameters." + parameter + "=" + size.operations(),
                "failurePoints.granularity=store"));
    Progress progress = new TitledProgress(size.label() + ": ", output.progress());
    return CoverageRun.measure(sized, size, progress);
  }

  private void requireParameter(Campaign plain) {
    if (!plain.parameters().containsKey(parameter)) {
      throw new ParameterException(
          spec.commandLine(),
          ("%s has no parameter '%s' (its parameters: %s). Name the parameter that sets the workload's"
                  + " size with --parameter, or add one and use it in the target's command.")
              .formatted(
                  campaign.file(), parameter, String.join(", ", plain.parameters().keySet())));
    }
  }

  private void requireFolder() {
    Optional<Path> folder =
        svg.map(file -> Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file));
    if (folder.isPresent() && !Files.isDirectory(folder.get())) {
      throw new ParameterException(
          spec.commandLine(),
          "--svg: the folder " + folder.get() + " does not exist. Create it first.");
    }
  }

  /** Reads one size. */
  static final class SizeConverter implements ITypeConverter<WorkloadSize> {
    @Override
    public WorkloadSize convert(String text) {
      try {
        return WorkloadSize.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
