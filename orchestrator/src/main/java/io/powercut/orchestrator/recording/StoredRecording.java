// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.recording;

import io.powercut.campaign.Campaign;
import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.Removal;
import io.powercut.process.Version;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder with all that is needed to judge the crash images of one execution: the resolved
 * campaign, the PM files after set-up, the trace, and what else was learned while it was recorded.
 *
 * @param path of the folder, absolute
 */
public record StoredRecording(Path path) {
  /** Makes the path absolute. */
  public StoredRecording {
    path = path.toAbsolutePath().normalize();
  }

  /**
   * Makes the folder of a new one.
   *
   * @throws PowercutException if there is something of that name, or it cannot be made
   */
  public static StoredRecording create(Path folder) {
    StoredRecording recording = new StoredRecording(folder);
    try {
      if (recording.path.getParent() != null) {
        Files.createDirectories(recording.path.getParent());
      }
      Files.createDirectory(recording.path);
      Files.createDirectories(recording.run().outputDirectory());
      Files.createDirectory(recording.base());
      Files.createDirectory(recording.traceDirectory());
      return recording;
    } catch (FileAlreadyExistsException e) {
      throw PowercutException.usage(
          "%s exists already%s; name a folder that does not."
              .formatted(folder, recording.isUnfinished() ? ", a recording that did not end" : ""));
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(
          "cannot make the folder %s: %s. Name another."
              .formatted(folder, FileProblem.of(folder, e).reason()));
    }
  }

  /**
   * One that was made before.
   *
   * @throws PowercutException if it is none, or one of another version of Powercut
   */
  public static StoredRecording open(Path folder) {
    StoredRecording recording = new StoredRecording(folder);
    if (!Files.exists(recording.factsFile())) {
      throw PowercutException.usage(
          folder + " is not a recording: make one with powercut record CAMPAIGN --to " + folder);
    }
    RecordingFacts facts = recording.facts();
    if (facts.format() != RecordingFacts.FORMAT || !facts.version().equals(Version.current())) {
      throw PowercutException.usage(
          "the recording %s was made by Powercut %s, and this is %s; record it again."
              .formatted(folder, facts.version(), Version.current()));
    }
    return recording;
  }

  private boolean isUnfinished() {
    return Files.isDirectory(base()) && !Files.exists(factsFile());
  }

  /** Removes the folder with all that is in it. */
  public void remove() {
    try {
      Removal.remove(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it knows of itself. */
  public RecordingFacts facts() {
    try {
      return Json.read(factsFile(), RecordingFacts.class);
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(
          "%s was damaged: %s. Record it again.".formatted(factsFile(), e.getMessage()));
    }
  }

  /** The last that is written of it. */
  public Path factsFile() {
    return path.resolve("recording.json");
  }

  /** The campaign as it was run. */
  public Campaign campaign() {
    return run().campaign();
  }

  /** What the recorded run left: its campaign, its order of threads, its races. */
  public RunDirectory run() {
    return new RunDirectory(path.resolve("run"));
  }

  /** The PM files after set-up. */
  public Path base() {
    return path.resolve("base");
  }

  /** The trace. */
  public Path trace() {
    return path.resolve("trace.zst");
  }

  /** What the recorder wrote beside the trace. */
  public Path traceDirectory() {
    return path.resolve("recorder");
  }

  /** Copies what a run keeps of its recording: the order of threads, races, the trace. */
  public void keepIn(RunDirectory directory) {
    try {
      RunDirectory recorded = run();
      if (Files.isDirectory(recorded.scheduleDirectory())) {
        DirectoryCopy.copy(recorded.scheduleDirectory(), directory.scheduleDirectory());
      }
      if (Files.exists(recorded.racesFile())) {
        Files.copy(recorded.racesFile(), directory.racesFile());
      }
      if (Files.exists(recorded.dataRacesFile())) {
        Files.copy(recorded.dataRacesFile(), directory.dataRacesFile());
      }
      if (campaign().trace().keep()) {
        Files.copy(trace(), directory.traceFile());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
