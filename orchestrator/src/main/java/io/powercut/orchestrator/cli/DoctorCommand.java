// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.code.FirstLine;
import io.powercut.orchestrator.doctor.Check;
import io.powercut.orchestrator.doctor.Doctor;
import io.powercut.process.PowercutHome;
import io.powercut.report.rundir.RunDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code powercut doctor}. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Checks this machine and prints a remedy for each missing part.",
      "",
      "It checks the processor, the space for PM files and runs, Valgrind, gdb, Powercut's native"
          + " programs the symbols of PMDK's libraries, and Python."
    })
final class DoctorCommand implements Callable<Integer> {
  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = RunDirectory.DEFAULT_ROOT,
      description = "The folder in which runs will be kept. Default: ${DEFAULT-VALUE}")
  private Path runs = Path.of(RunDirectory.DEFAULT_ROOT);

  @Override
  public Integer call() {
    List<Check> checks = Doctor.examine(PowercutHome.find(), runs, FirstLine::of);
    for (Check check : checks) {
      row(label(check), check.subject(), check.detail());
      if (!check.remedy().isEmpty()) {
        row("", "", "remedy: " + check.remedy());
      }
    }
    boolean failed = checks.stream().anyMatch(check -> check.status() == Check.Status.FAILURE);
    System.out.println(failed ? "Powercut will not work here yet." : "Powercut works here.");
    return (failed ? ExitCode.NOT_TRUSTWORTHY : ExitCode.NOTHING_NEW).code();
  }

  private static void row(String label, String subject, String detail) {
    String head = String.format(Locale.ROOT, "%-7s  %-24s  ", label, subject);
    Screen.output().printRow(head + detail, head.length());
  }

  private static String label(Check check) {
    return switch (check.status()) {
      case OK -> "ok";
      case WARNING -> "warning";
      case FAILURE -> "FAILURE";
    };
  }
}
