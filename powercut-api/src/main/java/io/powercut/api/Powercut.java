// SPDX-License-Identifier: Apache-2.0
package io.powercut.api;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The command {@code powercut}, with options for its runs. It never changes: each method that sets
 * something gives another one. A run may take minutes; interrupting its thread ends it.
 */
public final class Powercut {
  private final Path command;
  private final RunOptions options;

  private Powercut(Path command, RunOptions options) {
    this.command = command;
    this.options = options;
  }

  /**
   * The one that the system property {@code powercut.command} or the environment variable {@code
   * POWERCUT} names, or else the first one on the {@code PATH}.
   *
   * @throws IllegalStateException if there is none
   */
  public static Powercut installed() {
    String named = System.getProperty("powercut.command", System.getenv("POWERCUT"));
    if (named != null && !named.isEmpty()) {
      return at(Path.of(named));
    }
    return onPath(Optional.ofNullable(System.getenv("PATH")).orElse(""))
        .map(Powercut::at)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "powercut is not on the PATH; install its package, or set POWERCUT to the command"));
  }

  static Optional<Path> onPath(String path) {
    for (String folder : path.split(File.pathSeparator, -1)) {
      Path command = Path.of(folder).resolve("powercut");
      if (!folder.isEmpty() && Files.isRegularFile(command) && Files.isExecutable(command)) {
        return Optional.of(command);
      }
    }
    return Optional.empty();
  }

  /**
   * A certain command.
   *
   * @throws IllegalArgumentException if it cannot be executed
   */
  public static Powercut at(Path command) {
    if (!Files.isRegularFile(command) || !Files.isExecutable(command)) {
      throw new IllegalArgumentException(command + " is no command that can be executed");
    }
    return new Powercut(command.toAbsolutePath(), RunOptions.NONE);
  }

  /**
   * Sets a key of the campaigns that it runs, as {@code --set} does.
   *
   * @param key with dots, such as {@code parameters.operations}
   * @param value as in a campaign file
   */
  public Powercut set(String key, String value) {
    return with(options.with(key, value));
  }

  /** Where run directories are made; by default {@code powercut-runs} in the working directory. */
  public Powercut runs(Path folder) {
    return with(options.in(folder));
  }

  /** Continues the campaign's latest run: what was already judged is not judged again. */
  public Powercut resume() {
    return with(options.resumed());
  }

  /**
   * Tests one of several parts of the failure points.
   *
   * @param part such as {@code 1/3}, the first of three
   */
  public Powercut shard(String part) {
    return with(options.part(part));
  }

  private Powercut with(RunOptions more) {
    return new Powercut(command, more);
  }

  /**
   * Runs a campaign to its end.
   *
   * @param campaign the file
   * @throws UncheckedIOException if the command cannot be started
   * @throws IllegalStateException if the thread was interrupted; the run has been ended
   */
  public Outcome run(Path campaign) {
    return run(campaign, event -> {});
  }

  /**
   * Runs a campaign to its end.
   *
   * @param campaign the file
   * @param listener gets each event as it happens, in the calling thread
   * @throws UncheckedIOException if the command cannot be started
   * @throws IllegalStateException if the thread was interrupted; the run has been ended
   */
  public Outcome run(Path campaign, Consumer<Event> listener) {
    List<String> words = new ArrayList<>(List.of(command.toString(), "run", campaign.toString()));
    words.add("--json");
    words.addAll(options.arguments());
    try {
      Path errors = Files.createTempFile("powercut-", ".txt");
      try {
        return run(new ProcessBuilder(words).redirectError(errors.toFile()), errors, listener);
      } finally {
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs a campaign that was put together by the program.
   *
   * @throws UncheckedIOException if the command cannot be started, or the file not be written
   */
  public Outcome run(Campaign campaign) {
    try {
      Path folder = Files.createTempDirectory("powercut-");
      Path file = folder.resolve("campaign.yaml");
      try {
        Files.writeString(file, campaign.toYaml());
        return run(file);
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Outcome run(ProcessBuilder builder, Path errors, Consumer<Event> listener)
      throws IOException {
    Process process =
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null"))).start();
    List<Event> ending = new ArrayList<>();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Optional<Event> event = Event.of(line);
        event.ifPresent(listener);
        event.filter(Event.Ending.class::isInstance).ifPresent(ending::add);
      }
      int exitCode = process.waitFor();
      return Outcome.of(ending, exitCode, Files.readString(errors).strip());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while powercut ran", e);
    } finally {
      // As Ctrl-C: it ends what it has started. Does nothing after its end.
      process.destroy();
    }
  }
}
