// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli.recording;

import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.cli.progress.OutputArguments;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.orchestrator.recording.RecordedPart;
import io.powercut.orchestrator.recording.RecordedPrograms;
import io.powercut.orchestrator.recording.StoredRecording;
import io.powercut.orchestrator.run.CampaignRun;
import io.powercut.report.Summary;
import io.powercut.report.findings.Report;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.Shard;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code powercut judge}. */
@Command(
    name = "judge",
    mixinStandardHelpOptions = true,
    description = {
      "Judges a part of the crash images of a recording that powercut record made. powercut merge"
          + " --recording makes one run of all parts.",
      "",
      "  powercut judge recording --shard 3/8 --into part-3",
      "",
      "The recovery program must be at the same path, and the same file, as where it was recorded."
    })
public final class JudgeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RECORDING", description = "The folder of the recording.")
  private Path recording = Path.of("");

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      required = true,
      description =
          "Which of N parts of the failure points to judge; I-J/N is several that are next to each"
              + " other.")
  private String shard = "";

  @Option(
      names = "--into",
      paramLabel = "DIR",
      required = true,
      description = "The folder for the part's run. It must not exist.")
  private Path into = Path.of("");

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "How many recoveries run at a time. Default: limits.parallel of the campaign, or the number of"
              + " processors.")
  private Optional<Integer> parallel = Optional.empty();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long to judge at most. A part that is not done is incomplete.")
  private Optional<Long> seconds = Optional.empty();

  @Mixin private OutputArguments output = new OutputArguments();

  @Override
  public Integer call() throws IOException {
    StoredRecording stored = StoredRecording.open(recording);
    RecordedPart part =
        new RecordedPart(
            stored,
            Optional.of(shard()),
            List.of(),
            seconds.map(Duration::ofSeconds),
            parallel.map(number -> Math.max(1, number)));
    List<String> lacking = RecordedPrograms.lacking(stored.facts());
    if (!lacking.isEmpty()) {
      throw PowercutException.notTrustworthy(
          "this machine cannot judge the recording: " + String.join("; ", lacking));
    }
    RunDirectory directory = directory();
    Report report = CampaignRun.of(part, directory, output.progress()).run();
    String file = directory.reportFile().toString();
    Screen.output()
        .print(output.isQuiet() ? Summary.brief(report, file) : Summary.of(report, file));
    return report.outcome().exitCode();
  }

  private Shard shard() {
    try {
      return Shard.parse(shard);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--shard: " + e.getMessage(), e);
    }
  }

  private RunDirectory directory() throws IOException {
    try {
      Path path = Files.createDirectory(into.toAbsolutePath().normalize());
      Files.createDirectory(path.resolve("output"));
      return new RunDirectory(path);
    } catch (FileAlreadyExistsException e) {
      RunDirectory there = new RunDirectory(into);
      boolean isUnfinished =
          Files.exists(there.campaignFile()) && !Files.exists(there.reportFile());
      throw PowercutException.usage(
          "%s exists already%s; name a folder that does not."
              .formatted(into, isUnfinished ? ", a part that did not end" : ""));
    }
  }
}
