// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.loading.CampaignWriter;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.exit.PowercutException;
import io.powercut.image.PmState;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.assembly.RunParts;
import io.powercut.orchestrator.judging.NegativeControl;
import io.powercut.orchestrator.races.RaceRuns;
import io.powercut.orchestrator.races.RaceSeries;
import io.powercut.orchestrator.recording.FlushInstructions;
import io.powercut.orchestrator.recording.RecordedPrograms;
import io.powercut.orchestrator.recording.RecordingFacts;
import io.powercut.orchestrator.recording.StoredRecording;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.ExecutionDirectories;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Preparation;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.RunContext;
import io.powercut.orchestrator.session.Session;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.orchestrator.target.Execution;
import io.powercut.orchestrator.target.Following;
import io.powercut.orchestrator.target.InstrumentedRun;
import io.powercut.orchestrator.target.NothingTested;
import io.powercut.orchestrator.target.Observation;
import io.powercut.orchestrator.target.RecordCheck;
import io.powercut.orchestrator.target.ThreadSchedules;
import io.powercut.persistency.ProgramOrder;
import io.powercut.process.Version;
import io.powercut.report.facts.OracleControls;
import io.powercut.report.format.Json;
import io.powercut.trace.file.TraceStore;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The part of a run that needs the target: build, set-up, controls, data races, orders of threads,
 * the recorded execution. What is left can be judged from the recording.
 */
public final class RecordRun {
  private static final double NANOSECONDS = 1e9;

  private final Campaign campaign;
  private final StoredRecording recording;
  private final Progress progress;

  private RecordRun(Campaign campaign, StoredRecording recording, Progress progress) {
    this.campaign = campaign;
    this.recording = recording;
    this.progress = progress;
  }

  /**
   * Records a campaign's target.
   *
   * @param campaignFile where it was read from, for the report
   * @param folder of the recording, which does not exist, and does not after an interruption, or
   *     where it does not fit on its disk
   * @throws PowercutException if the target or a control fails, or a tool is missing
   */
  public static StoredRecording of(
      Campaign campaign, Path campaignFile, Path folder, Progress progress) {
    if (campaign.injection() != InjectionMode.RECORDED) {
      throw PowercutException.usage(
          "a campaign whose injection is re-executed has no recording; omit the key injection.");
    }
    String started =
        OffsetDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString();
    StoredRecording recording = StoredRecording.create(folder);
    try (Session session = Session.open(campaign, recording.run(), progress, new Timings())) {
      CampaignWriter.write(campaign, recording.run().campaignFile());
      Recorded recorded = new RecordRun(campaign, recording, progress).record(session.context());
      Json.write(
          recording.factsFile(),
          new RecordingFacts(
              RecordingFacts.FORMAT,
              Version.current(),
              campaignFile.toAbsolutePath().toString(),
              started,
              recorded.programs(),
              FlushInstructions.ofThisMachine(),
              recorded.failurePoints(),
              recorded.recoverySeconds(),
              recorded.controls()));
    } catch (InterruptedRunException interrupted) {
      recording.remove();
      throw interrupted;
    } catch (UncheckedIOException e) {
      recording.remove();
      throw e;
    } catch (IOException e) {
      recording.remove();
      throw new UncheckedIOException(e);
    } finally {
      progress.close();
    }
    return recording;
  }

  /** What is known once it is recorded. */
  private record Recorded(
      List<RecordingFacts.Program> programs,
      long failurePoints,
      double recoverySeconds,
      Optional<OracleControls> controls) {}

  private Recorded record(RunContext context) throws IOException {
    RunParts parts = new RunParts(context);
    Preparation preparation = parts.preparation();
    preparation.build();
    try (ExecutionDirectories base = preparation.setUp()) {
      long before = System.nanoTime();
      parts.controlSetUp(base.pm());
      double recoverySeconds =
          campaign.oracle().controls() ? (System.nanoTime() - before) / NANOSECONDS : 0;
      DirectoryCopy.copy(base.pm(), recording.base());
      searchDataRaces(parts, base.pm());
      RaceSeries races = searchRaces(parts, base.pm());
      progress.phase("running the target under instrumentation");
      FailurePointTree tree = InstrumentedRun.emptyTree(campaign);
      Optional<OracleControls> controls = record(parts, races.best(), base.pm(), tree);
      races.without(races.best()).ifPresent(log -> Json.write(recording.run().racesFile(), log));
      return new Recorded(
          RecordedPrograms.of(context.commands(), base), tree.size(), recoverySeconds, controls);
    } finally {
      parts.noteDeclaredFunctions();
    }
  }

  private void searchDataRaces(RunParts parts, Path base) {
    campaign
        .dataRaces()
        .ifPresent(
            section ->
                Json.write(recording.run().dataRacesFile(), parts.dataRaces(section).find(base)));
  }

  private RaceSeries searchRaces(RunParts parts, Path base) {
    int orders = campaign.races().runs();
    boolean isWanted = campaign.races().enabled() && orders > 1;
    return new RaceRuns(campaign, campaign.races().options(), parts, progress)
        .search(base, isWanted ? 0 : orders);
  }

  private Optional<OracleControls> record(
      RunParts parts, int order, Path base, FailurePointTree tree) throws IOException {
    Observation observation = Observation.of(campaign, true);
    try (PrivateDirectory pages = parts.resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(base, pages);
        AcknowledgedLog acknowledged = parts.acknowledgedLog();
        TraceStore store = TraceStore.create(recording.trace())) {
      RecordCheck check = new RecordCheck(observation.tables(), state);
      InstrumentedRun target = parts.instrumentedRun(order);
      Following following =
          Following.of(target.counting(tree), List.of(new ProgramOrder(state), acknowledged, check))
              .storingInto(Optional.of(store));
      try (Execution execution = target.run(base, tree, observation, following)) {
        check.compare(execution.places().pm()).forEach(progress::note);
        execution.keepAcknowledged(acknowledged.now());
        parts.control().controlEnd(execution);
        NothingTested nothing = new NothingTested(campaign, observation);
        nothing.refuse(tree.size() > 0 || nothing.mayTestTheEnd());
        ThreadSchedules.keep(execution, recording.run());
        keepWhatTheRecorderWrote(execution.trace());
        return parts
            .negativeControl(
                new NegativeControl.States(base, execution.places().pm(), execution.acknowledged()))
            .run(new Budget(campaign));
      }
    }
  }

  private void keepWhatTheRecorderWrote(Path trace) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(
            trace, file -> Files.isRegularFile(file) && !isPartOfTheTrace(file))) {
      for (Path file : files) {
        Files.copy(file, recording.traceDirectory().resolve(file.getFileName()));
      }
    }
  }

  private static boolean isPartOfTheTrace(Path file) {
    return file.getFileName().toString().startsWith("chunk-");
  }
}
