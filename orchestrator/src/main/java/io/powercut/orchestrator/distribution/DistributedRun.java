// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.loading.CampaignWriter;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.Removal;
import io.powercut.orchestrator.recording.RecordingFacts;
import io.powercut.orchestrator.run.ReportForms;
import io.powercut.orchestrator.session.InterruptedRunException;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.findings.Report;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.RunFacts;
import io.powercut.report.rundir.Shard;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * One campaign on a cluster: recorded once, judged in batches, merged. What comes back is what a
 * local run leaves, in a run directory of this machine.
 */
public final class DistributedRun {
  private static final double NANOSECONDS = 1e9;

  private static final String RECORDING = KeptUnits.RECORDING;
  private static final String PART = KeptUnits.PART;
  private static final String MERGED = "merged";

  private final Cluster cluster;
  private final Campaign campaign;
  private final Path campaignFile;
  private final RunDirectory directory;
  private final Progress progress;
  private final long started = System.nanoTime();
  private final Optional<Duration> time;
  private final Map<String, Double> timings = new LinkedHashMap<>();

  /**
   * @param campaignFile where it was read from, for the report
   * @param directory an empty run directory, or that of an interrupted run to continue with
   * @param time how long it may take; batches that have not begun then are left out
   */
  public DistributedRun(
      Cluster cluster,
      Campaign campaign,
      Path campaignFile,
      RunDirectory directory,
      Optional<Duration> time,
      Progress progress) {
    this.cluster = cluster;
    this.campaign = campaign;
    this.campaignFile = campaignFile;
    this.directory = directory;
    this.time = time;
    this.progress = progress;
  }

  /** A batch that has come back. */
  private record Batch(Shard shard, UnitResult result) {}

  /**
   * Runs it.
   *
   * @return the report, which is also in the run directory
   * @throws PowercutException as of a local run; and if no machine could record or judge
   */
  public Report run() throws IOException {
    directory.clearFailure();
    CampaignWriter.write(campaign, directory.campaignFile());
    Path work = Files.createTempDirectory(directory.path(), ".units-");
    KeptUnits kept = KeptUnits.of(directory, work);
    try {
      Path given = Files.createDirectory(work.resolve("campaign"));
      CampaignWriter.write(campaign, given.resolve("campaign.yaml"));
      Path input = work.resolve("campaign.tar.gz");
      Archive.pack(given, input);
      if (campaign.injection() == InjectionMode.RE_EXECUTED) {
        runWhole(work, input);
      } else {
        runInBatches(work, input, kept);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedRunException();
    } catch (PowercutException | IOException e) {
      if (!cluster.isGone()) {
        kept.remove(); // Nobody will go on with it.
      }
      throw e;
    } finally {
      Removal.remove(work);
    }
    rewriteFacts();
    Report report =
        ReportForms.write(
            campaign, directory, note -> progress.note(campaign.name() + ": " + note));
    if (report.outcome().complete() || campaign.injection() == InjectionMode.RE_EXECUTED) {
      kept.remove();
    }
    return report;
  }

  /** There is nothing to share: each crash runs the target again. */
  private void runWhole(Path work, Path input) throws IOException, InterruptedException {
    UnitResult result =
        await(
            new Unit(
                campaign.name() + ": whole campaign",
                List.of("run", "{0}/campaign.yaml", "--runs", "{out}/" + MERGED, "--quiet"),
                List.of(input)));
    require(result, ExitCode.NOTHING_NEW, ExitCode.NEW_BUGS, ExitCode.INCOMPLETE);
    take(result, work);
    timings.put("judging", result.seconds());
    cluster.forget(input);
  }

  private void runInBatches(Path work, Path input, KeptUnits kept)
      throws IOException, InterruptedException {
    Path recording = recording(kept, input);
    judge(recording, kept.facts(work), kept);
    merge(work, recording, kept.archives());
    cluster.forget(input);
    cluster.forget(recording);
  }

  /** The archive of the recording: of an earlier part of the run, or made now. */
  private Path recording(KeptUnits kept, Path input) throws IOException, InterruptedException {
    if (kept.recording().isPresent()) {
      return kept.recording().get();
    }
    UnitResult recorded =
        await(
            new Unit(
                campaign.name() + ": recording",
                List.of("record", "{0}/campaign.yaml", "--to", "{out}/" + RECORDING, "--quiet"),
                List.of(input)));
    require(recorded, ExitCode.NOTHING_NEW);
    timings.put(RECORDING, recorded.seconds());
    kept.addRecording(recorded.output().orElseThrow());
    return kept.recording().orElseThrow();
  }

  private void judge(Path recording, RecordingFacts facts, KeptUnits kept)
      throws InterruptedException, IOException {
    BatchPlan plan = new BatchPlan(facts.failurePoints(), facts.recoverySeconds(), kept.shards());
    LinkedBlockingQueue<Batch> done = new LinkedBlockingQueue<>();
    List<String> problems = new ArrayList<>();
    int underway = 0;
    double judging = 0;
    // One is judged however little time is left: there is nothing to report without any.
    Optional<Shard> next = kept.shards().isEmpty() ? plan.next() : next(plan);
    while (next.isPresent() || underway > 0) {
      while (next.isPresent() && underway < cluster.slots()) {
        submit(recording, next.get(), done);
        underway++;
        next = next(plan);
      }
      Batch batch = done.take();
      underway--;
      UnitResult result = batch.result();
      if (isJudged(result)) {
        kept.add(batch.shard(), result.output().orElseThrow());
        plan.took(batch.shard(), result.seconds());
        judging += result.seconds();
      } else if (cluster.isGone()) {
        throw PowercutException.notTrustworthy(problem(result));
      } else {
        problems.add(problem(result));
        progress.note(
            "%s: part %s was not judged: %s"
                .formatted(campaign.name(), batch.shard(), problem(result)));
      }
      next = next.isPresent() ? next : next(plan);
    }
    if (kept.shards().isEmpty()) {
      throw PowercutException.notTrustworthy("no machine judged any part: " + problems.get(0));
    }
    timings.put("judging", judging);
  }

  private Optional<Shard> next(BatchPlan plan) {
    return left().filter(seconds -> seconds <= 0).isPresent() ? Optional.empty() : plan.next();
  }

  private Optional<Double> left() {
    return time.map(
        most -> most.toNanos() / NANOSECONDS - (System.nanoTime() - started) / NANOSECONDS);
  }

  private void submit(Path recording, Shard shard, LinkedBlockingQueue<Batch> done) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "judge",
                "{0}/" + RECORDING,
                "--shard",
                shard.toString(),
                "--into",
                "{out}/" + PART,
                "--parallel",
                "1",
                "--quiet"));
    left()
        .ifPresent(
            seconds ->
                arguments.addAll(List.of("--seconds", "" + Math.max(1, seconds.longValue()))));
    CompletableFuture<Void> unused =
        cluster
            .submit(new Unit(campaign.name() + ": part " + shard, arguments, List.of(recording)))
            .thenAccept(result -> done.add(new Batch(shard, result)));
  }

  private static boolean isJudged(UnitResult result) {
    return !result.isLost()
        && result.output().isPresent()
        && ExitCode.of(result.exitCode())
            .filter(
                exit ->
                    exit == ExitCode.NOTHING_NEW
                        || exit == ExitCode.NEW_BUGS
                        || exit == ExitCode.INCOMPLETE)
            .isPresent();
  }

  private static String problem(UnitResult result) {
    String text = result.text().strip();
    return (result.host().isEmpty() ? "" : "on " + result.host() + ": ")
        + (text.isEmpty() ? "exit code " + result.exitCode() : text);
  }

  private void merge(Path work, Path recording, List<Path> parts)
      throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "merge",
                "--recording",
                "{0}/" + RECORDING,
                "--runs",
                "{out}/" + MERGED,
                "--quiet"));
    List<Path> inputs = new ArrayList<>(List.of(recording));
    for (Path part : parts) {
      arguments.add("{" + inputs.size() + "}/" + PART);
      inputs.add(part);
    }
    UnitResult merged = await(new Unit(campaign.name() + ": merging", arguments, inputs));
    require(merged, ExitCode.NOTHING_NEW, ExitCode.NEW_BUGS, ExitCode.INCOMPLETE);
    take(merged, work);
    timings.put("merging", merged.seconds());
    parts.forEach(cluster::forget);
  }

  private UnitResult await(Unit unit) throws InterruptedException {
    try {
      return cluster.submit(unit).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a unit's future never fails", e);
    }
  }

  private static void require(UnitResult result, ExitCode... wanted) {
    if (result.isLost()) {
      throw PowercutException.notTrustworthy(problem(result));
    }
    if (List.of(wanted).stream().noneMatch(exit -> exit.code() == result.exitCode())) {
      String text = result.text().strip();
      throw result.exitCode() == ExitCode.WRONG_USAGE.code()
          ? PowercutException.usage(text)
          : PowercutException.notTrustworthy(problem(result));
    }
  }

  /** Moves what a run left into the run directory. */
  private void take(UnitResult result, Path work) throws IOException {
    Path archive = result.output().orElseThrow();
    Path unpacked = work.resolve(MERGED);
    Archive.unpack(archive, unpacked);
    Files.delete(archive);
    Path run = RunDirectory.open(unpacked.resolve(MERGED).resolve(campaign.name())).path();
    Removal.remove(directory.outputDirectory());
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(run)) {
      for (Path entry : entries) {
        Path place = directory.path().resolve(entry.getFileName());
        Removal.remove(place); // An earlier part of the run may have left one.
        Files.move(entry, place);
      }
    }
    CampaignWriter.write(campaign, directory.campaignFile());
  }

  /** Where it was read from, and where time went on the cluster. */
  private void rewriteFacts() {
    RunFacts facts = directory.facts();
    timings.put("total", (System.nanoTime() - started) / NANOSECONDS);
    Json.write(
        directory.factsFile(),
        new RunFacts(
            campaignFile.toAbsolutePath().toString(),
            facts.started(),
            facts.treeIsWhole(),
            facts.targetBuildId(),
            facts.shard(),
            facts.missingParts(),
            timings,
            facts.environment(),
            facts.controls(),
            facts.outside(),
            facts.files().map(before -> directory.files()),
            facts.stopped()));
  }
}
