// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.run.ReportForms;
import io.powercut.report.Summary;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.RunDirectory;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code powercut report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the reports of a run again, with the current baseline. Nothing is executed.",
      "",
      "  powercut report powercut-runs/my-program/latest",
      "",
      "The exit code is that of the run with this baseline."
    })
final class ReportCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "RUN",
      description = "A run directory such as powercut-runs/NAME/latest.")
  private Path run = Path.of("");

  @Override
  public Integer call() {
    return write(RunDirectory.open(run));
  }

  /** Writes the reports of a run, prints the summary, and returns the exit code. */
  static int write(RunDirectory directory) {
    Report report =
        ReportForms.write(
            directory.campaign(), directory, note -> System.err.println("powercut: " + note));
    Screen.output().print(Summary.of(report, directory.reportFile().toString()));
    return report.outcome().exitCode();
  }
}
