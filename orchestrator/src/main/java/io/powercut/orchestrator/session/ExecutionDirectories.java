// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import io.powercut.image.PmArea;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.oracle.server.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The private places of one execution: its PM directory, a scratch directory beside it for sockets
 * and the like, and a TCP port. Closing this removes the directories.
 */
public final class ExecutionDirectories implements AutoCloseable {
  private final @Nullable PrivateDirectory directory;
  private final Path pm;
  private final Path scratch;
  private final Optional<Acknowledgement> acknowledged;
  private int port;

  private ExecutionDirectories(
      @Nullable PrivateDirectory directory,
      Path pm,
      Path scratch,
      Optional<Acknowledgement> acknowledged) {
    this.directory = directory;
    this.pm = pm;
    this.scratch = scratch;
    this.acknowledged = acknowledged;
  }

  /** New, empty places; the PM directory's path is as long as that of any other execution. */
  public static ExecutionDirectories in(PmArea area) {
    try {
      PrivateDirectory directory = area.newDirectory();
      Path pm = Files.createDirectory(directory.path().resolve("pm"));
      Path scratch = Files.createDirectory(directory.path().resolve("scratch"));
      return new ExecutionDirectories(directory, pm, scratch, Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The places that a recovery's PM directory belongs to, with a separate port; closing them does
   * nothing.
   *
   * @param acknowledged what recovery can read, as a file beside the directory
   */
  public static ExecutionDirectories around(Path pm, Optional<Acknowledgement> acknowledged) {
    return new ExecutionDirectories(null, pm, pm.resolveSibling("scratch"), acknowledged);
  }

  /** What {@code {pm}} stands for. */
  public Path pm() {
    return pm;
  }

  /** What {@code {run}} stands for. */
  public Path scratch() {
    return scratch;
  }

  /** What {@code {acknowledged}} stands for where there is any. */
  public Path acknowledgedFile() {
    return pm.resolveSibling("acknowledged");
  }

  /** The acknowledged output, in that file. */
  Optional<Acknowledgement> acknowledged() {
    return acknowledged;
  }

  /** What {@code {port}} stands for: a TCP port that was free when it was first asked for. */
  public synchronized int port() {
    if (port == 0) {
      port = FreePort.find();
    }
    return port;
  }

  @Override
  public void close() {
    if (directory == null) {
      return;
    }
    try {
      directory.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
