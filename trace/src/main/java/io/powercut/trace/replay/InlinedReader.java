// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import com.google.common.base.Splitter;
import io.powercut.process.PowercutHome;
import io.powercut.tree.SourcePosition;
import io.powercut.tree.source.SourcePaths;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks {@code powercut-inlined} about a file. It is started for the first question, waits for the
 * next ones, and ends when this process does. One that fails or takes too long is not asked again.
 * Safe for use by several threads.
 */
public final class InlinedReader implements AutoCloseable {
  private static final String PROGRAM = "powercut-inlined";
  private static final Duration LIMIT_OF_AN_ANSWER = Duration.ofMinutes(1);
  private static final int FIELDS = 3;

  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, PROGRAM + "-limit");
            thread.setDaemon(true);
            return thread;
          });

  private final Path file;
  private final String buildId;
  private final Duration limit;
  private final Map<Long, List<SourcePosition>> known = new HashMap<>();
  private @Nullable Process process;
  private @Nullable BufferedReader answers;
  private boolean isOver;

  /**
   * @param buildId of the file; empty if it has none
   */
  public InlinedReader(Path file, String buildId) {
    this(file, buildId, LIMIT_OF_AN_ANSWER);
  }

  /**
   * @param limit that an answer may take
   */
  InlinedReader(Path file, String buildId, Duration limit) {
    this.file = file;
    this.buildId = buildId;
    this.limit = limit;
  }

  /**
   * The functions at an address as the linker assigned it, the innermost inlined one first; none if
   * nothing is known of it.
   */
  public synchronized List<SourcePosition> at(long address) {
    List<SourcePosition> positions = known.get(address);
    if (positions == null) {
      positions = isOver ? List.of() : ask(address);
      known.put(address, positions);
    }
    return positions;
  }

  private List<SourcePosition> ask(long address) {
    try {
      Process asked = process();
      Future<?> end =
          TIMER.schedule(asked::destroyForcibly, limit.toMillis(), TimeUnit.MILLISECONDS);
      try {
        asked.outputWriter(StandardCharsets.UTF_8).write(Long.toHexString(address) + "\n");
        asked.outputWriter(StandardCharsets.UTF_8).flush();
        return answer();
      } finally {
        end.cancel(false);
      }
    } catch (IOException | IllegalStateException e) {
      close(); // Reports name the function that was not inlined.
      return List.of();
    }
  }

  private Process process() throws IOException {
    Process running = process;
    if (running == null) {
      List<String> command = new ArrayList<>();
      command.add(PowercutHome.nativeProgram("trace", PROGRAM).toString());
      command.add(file.toString());
      if (!buildId.isEmpty()) {
        command.add(buildId);
      }
      running = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process = running;
      answers = running.inputReader(StandardCharsets.UTF_8);
    }
    return running;
  }

  private List<SourcePosition> answer() throws IOException {
    List<SourcePosition> positions = new ArrayList<>();
    while (true) {
      String line = answers == null ? null : answers.readLine();
      if (line == null) {
        throw new IOException(PROGRAM + " ended");
      }
      if (line.isEmpty()) {
        return List.copyOf(positions);
      }
      List<String> fields = Splitter.on('\t').splitToList(line);
      if (fields.size() != FIELDS) {
        throw new IOException(PROGRAM + " said " + line);
      }
      positions.add(position(fields.get(0), fields.get(1), fields.get(2)));
    }
  }

  private static SourcePosition position(String function, String file, String line)
      throws IOException {
    try {
      return new SourcePosition(function, SourcePaths.normal(file), Integer.parseInt(line));
    } catch (IllegalArgumentException e) {
      throw new IOException(PROGRAM + " said line " + line, e);
    }
  }

  /** Ends the process; nothing new is known from then on. */
  @Override
  public synchronized void close() {
    isOver = true;
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
