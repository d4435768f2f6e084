// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.Observation;
import io.powercut.report.facts.OracleControls;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.RunFacts;
import io.powercut.report.rundir.Shard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run knows of itself, in a file of its directory. A part of a run that was interrupted
 * knows what the earlier parts did.
 */
final class KeptFacts {
  private final RunDirectory directory;
  private final Origin origin;
  private final Timings timings;
  private final Observation observation;
  private final Optional<RunFacts> earlier;
  private final boolean hadWholeTree;
  private final String started;
  private final Map<String, String> environment;
  private Optional<OracleControls> controls = Optional.empty();
  private boolean treeIsWhole;
  private boolean filesAreWhole;
  private Optional<String> stopped = Optional.empty();

  /**
   * What a run is of.
   *
   * @param campaignFile where the campaign was read from
   * @param shard the part of the failure points; all when there is none
   * @param isJudged whether the target was recorded before, and not run here
   */
  record Origin(Path campaignFile, Optional<Shard> shard, boolean isJudged) {}

  /**
   * @param directory may have the facts of earlier parts
   * @param timings how long what took up to now
   * @param observation what was seen of the target up to now
   * @param machine what the machine is like
   */
  KeptFacts(
      RunDirectory directory,
      Origin origin,
      Timings timings,
      Observation observation,
      Map<String, String> machine) {
    this.directory = directory;
    this.origin = origin;
    this.timings = timings;
    this.observation = observation;
    this.environment = new LinkedHashMap<>(machine);
    this.earlier =
        Files.exists(directory.factsFile()) ? Optional.of(directory.facts()) : Optional.empty();
    // What is missing of the tree's run has to be found again.
    this.hadWholeTree =
        earlier.map(RunFacts::treeIsWhole).orElse(false) && directory.lacks().isEmpty();
    this.started = earlier.map(RunFacts::started).orElseGet(KeptFacts::now);
  }

  private static String now() {
    return OffsetDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Whether an earlier part saw the target to its end, so that its tree has all failure points. */
  boolean hadWholeTree() {
    return hadWholeTree;
  }

  /** The target was seen to its end: the tree has all failure points. */
  void treeIsWhole() {
    treeIsWhole = true;
  }

  /** What the controls of the oracle showed; nothing if there are none. */
  void controlled(Optional<OracleControls> shown) {
    controls = shown;
  }

  /** All that the run writes is there now: nothing of it may be missing later. */
  void filesAreWhole() {
    filesAreWhole = true;
  }

  /** Why Powercut itself could not continue. */
  void stopped(String reason) {
    stopped = Optional.of(reason);
  }

  /** Advice on the machine, such as which packages would make the report better. */
  void advise(String key, String text) {
    environment.put(key, text);
  }

  /**
   * Writes them.
   *
   * @param program the target's, as in the tree
   */
  void store(String program) {
    String buildId = observation.buildId(program);
    Json.write(
        directory.factsFile(),
        new RunFacts(
            origin.campaignFile().toAbsolutePath().toString(),
            started,
            treeIsWhole,
            buildId.isEmpty() ? earlier.map(RunFacts::targetBuildId).orElse("") : buildId,
            origin.shard(),
            origin.isJudged() ? earlier.map(RunFacts::missingParts).orElse(List.of()) : List.of(),
            timings.seconds(),
            environment,
            controls.or(() -> earlier.flatMap(RunFacts::controls)),
            observation.outside().or(() -> earlier.flatMap(RunFacts::outside)),
            filesAreWhole ? Optional.of(directory.files()) : Optional.empty(),
            stopped));
  }
}
