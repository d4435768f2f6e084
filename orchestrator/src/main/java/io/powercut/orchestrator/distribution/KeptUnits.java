// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import io.powercut.image.files.Removal;
import io.powercut.orchestrator.recording.RecordingFacts;
import io.powercut.report.findings.ReportBuilder;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.Shard;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What units of a run have left, in its directory: the recording and the parts that were judged, as
 * archives. An interrupted run goes on from there.
 */
public final class KeptUnits {
  /** The folder of the recording in its archive. */
  static final String RECORDING = "recording";

  /** The folder of a part's run in its archive. */
  static final String PART = "part";

  private static final String ENDING = ".tar.gz";

  private final Path folder;
  private final Map<Shard, Path> parts = new TreeMap<>(Comparator.comparing(Shard::index));

  private KeptUnits(Path folder) {
    this.folder = folder;
  }

  /**
   * Those of a run, begun before or new.
   *
   * @param scratch for what has to be unpacked to look into it
   */
  static KeptUnits of(RunDirectory directory, Path scratch) throws IOException {
    KeptUnits kept = new KeptUnits(Files.createDirectories(folder(directory)));
    kept.read(scratch);
    return kept;
  }

  /** Where those of a run are, if there are any. */
  public static Path folder(RunDirectory directory) {
    return directory.path().resolve("units");
  }

  private void read(Path scratch) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, PART + "-*" + ENDING)) {
      found.forEach(files::add);
    }
    for (Path file : files) {
      Path unpacked = scratch.resolve(String.valueOf(file.getFileName()));
      Archive.unpack(file, unpacked);
      RunDirectory run = RunDirectory.open(unpacked.resolve(PART));
      Optional<Shard> shard = run.facts().shard();
      if (shard.isPresent() && ReportBuilder.build(run.campaign(), run).outcome().complete()) {
        parts.put(shard.get(), file);
      } else {
        Files.delete(file); // Judging it anew judges what is missing.
      }
      Removal.remove(unpacked);
    }
  }

  /** The archive of the recording, if there is one. */
  Optional<Path> recording() {
    return Optional.of(recordingFile()).filter(Files::exists);
  }

  private Path recordingFile() {
    return folder.resolve(RECORDING + ENDING);
  }

  /** What the recording knows of itself. */
  RecordingFacts facts(Path scratch) throws IOException {
    Path unpacked = scratch.resolve(RECORDING);
    Archive.unpack(recordingFile(), unpacked);
    RecordingFacts facts =
        Json.read(unpacked.resolve(RECORDING).resolve("recording.json"), RecordingFacts.class);
    Removal.remove(unpacked);
    return facts;
  }

  /** Keeps the archive of the recording, which is moved. */
  void addRecording(Path archive) throws IOException {
    move(archive, recordingFile());
  }

  /** Keeps the archive of a part, which is moved. */
  void add(Shard shard, Path archive) throws IOException {
    Path file =
        folder.resolve(
            "%s-%d-%d-of-%d%s".formatted(PART, shard.index(), shard.last(), shard.count(), ENDING));
    move(archive, file);
    parts.put(shard, file);
  }

  /** So that what is there is whole, whenever this program is killed. */
  private static void move(Path archive, Path file) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    Files.move(archive, beside, StandardCopyOption.REPLACE_EXISTING);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The parts that were judged. */
  List<Shard> shards() {
    return List.copyOf(parts.keySet());
  }

  /** Their archives. */
  List<Path> archives() {
    return List.copyOf(parts.values());
  }

  /** Nothing is left to go on with. */
  void remove() throws IOException {
    Removal.remove(folder);
  }
}
