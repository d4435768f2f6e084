// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.image.PmArea;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.ExecutionDirectories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One execution of the target under the recorder: private places that begin with a copy of the
 * state after set-up, and a directory for its trace. Closing this removes both.
 */
public final class Execution implements AutoCloseable {
  private final ExecutionDirectories places;
  private final Path trace;
  private Optional<Acknowledgement> acknowledged = Optional.empty();

  private Execution(ExecutionDirectories places, Path trace) {
    this.places = places;
    this.trace = trace;
  }

  /**
   * New places with a copy of a PM directory.
   *
   * @throws OutOfSpaceException if there is no room for the copy
   */
  public static Execution startingFrom(Path pm, PmArea area) throws OutOfSpaceException {
    ExecutionDirectories places = copyOf(pm, area);
    try {
      return new Execution(places, Files.createDirectory(places.scratch().resolve("trace")));
    } catch (IOException e) {
      places.close();
      throw new UncheckedIOException(e);
    }
  }

  /**
   * New places whose PM directory is a copy of another.
   *
   * @throws OutOfSpaceException if there is no room for the copy
   */
  public static ExecutionDirectories copyOf(Path pm, PmArea area) throws OutOfSpaceException {
    ExecutionDirectories places = ExecutionDirectories.in(area);
    try {
      DirectoryCopy.copy(pm, places.pm());
      return places;
    } catch (OutOfSpaceException e) {
      places.close();
      throw e;
    } catch (IOException e) {
      places.close();
      throw new UncheckedIOException(e);
    }
  }

  /** Where it runs. */
  public ExecutionDirectories places() {
    return places;
  }

  /** Where the recorder writes. */
  public Path trace() {
    return trace;
  }

  /** Keeps what it had acknowledged at its end, as long as it is open. */
  public void keepAcknowledged(Optional<Acknowledgement> told) throws IOException {
    if (told.isPresent()) {
      Path file = places.acknowledgedFile();
      told.get().writeTo(file);
      acknowledged = Optional.of(new Acknowledgement(file, told.get().bytes(), told.get().lines()));
    }
  }

  /** What it had acknowledged at its end; nothing if recovery does not read it. */
  public Optional<Acknowledgement> acknowledged() {
    return acknowledged;
  }

  @Override
  public void close() {
    places.close();
  }
}
