// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.exit.ExitCode;
import io.powercut.orchestrator.doctor.Check;
import io.powercut.orchestrator.doctor.Doctor;
import io.powercut.process.PowercutHome;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.zeroturnaround.exec.ProcessExecutor;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code powercut doctor}. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Checks this machine and prints a remedy for each missing part.",
      "",
      "It checks the processor, the space for PM files and runs, Valgrind, gdb and Powercut's native"
          + " programs."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final long TOOL_SECONDS = 10;

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = RunDirectory.DEFAULT_ROOT,
      description = "The folder in which runs will be kept. Default: ${DEFAULT-VALUE}")
  private Path runs = Path.of(RunDirectory.DEFAULT_ROOT);

  @Override
  public Integer call() {
    List<Check> checks = Doctor.examine(PowercutHome.find(), runs, DoctorCommand::firstLine);
    for (Check check : checks) {
      System.out.printf("%-7s  %-24s  %s%n", label(check), check.subject(), check.detail());
      if (!check.remedy().isEmpty()) {
        System.out.printf("%-7s  %-24s  remedy: %s%n", "", "", check.remedy());
      }
    }
    boolean failed = checks.stream().anyMatch(check -> check.status() == Check.Status.FAILURE);
    System.out.println(failed ? "Powercut will not work here yet." : "Powercut works here.");
    return (failed ? ExitCode.NOT_TRUSTWORTHY : ExitCode.NOTHING_NEW).code();
  }

  private static String label(Check check) {
    return switch (check.status()) {
      case OK -> "ok";
      case WARNING -> "warning";
      case FAILURE -> "FAILURE";
    };
  }

  private static Optional<String> firstLine(List<String> command) {
    try {
      return new ProcessExecutor(command)
              .readOutput(true)
              .timeout(TOOL_SECONDS, TimeUnit.SECONDS)
              .execute()
              .getOutput()
              .getLinesAsUTF8()
              .stream()
              .findFirst();
    } catch (IOException | TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
