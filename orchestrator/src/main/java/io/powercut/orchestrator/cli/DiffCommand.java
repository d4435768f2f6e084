// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.report.DifferenceSummary;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportBuilder;
import io.powercut.report.findings.ReportDifference;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.RunDirectory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code powercut diff}. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = {
      "Lists the findings that are new, gone or the same in the later of two runs. Moved lines and a"
          + " rebuilt target do not matter.",
      "",
      "  powercut diff powercut-runs/my-program/2026-01-30_03-00-00 powercut-runs/my-program/latest",
      "",
      "Exit code 1 if a new finding fails a run (docs/baseline.md), otherwise 0."
    })
final class DiffCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "EARLIER", description = "The run to compare with.")
  private Path earlier = Path.of("");

  @Parameters(index = "1", paramLabel = "LATER", description = "The run to compare.")
  private Path later = Path.of("");

  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "Text for people, or JSON for programs. Default: text")
  private Format format = Format.TEXT;

  /** The format of the difference. */
  enum Format {
    TEXT,
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Integer call() {
    RunDirectory before = RunDirectory.open(earlier);
    RunDirectory after = RunDirectory.open(later);
    ReportDifference difference =
        ReportDifference.of(
            before.path().toString(), report(before), after.path().toString(), report(after));
    switch (format) {
      case TEXT -> Screen.output().print(DifferenceSummary.of(difference));
      case JSON -> System.out.println(Json.line(difference));
    }
    return (difference.hasNewFailures() ? ExitCode.NEW_BUGS : ExitCode.NOTHING_NEW).code();
  }

  private static Report report(RunDirectory run) {
    return ReportBuilder.build(run.campaign(), run);
  }
}
