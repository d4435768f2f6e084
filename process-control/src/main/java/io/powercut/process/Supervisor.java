// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import io.powercut.exit.FileProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs commands, one at a time, in a native process that outlives none of them and leaves nothing
 * behind: when a command has ended, what it started and left is killed; when this JVM ends, in
 * whatever way (Ctrl-C, exception, {@code kill -9}), the native process sees its input end, kills
 * all that runs, and ends. It is two processes that watch each other, so that killing one of them
 * leaves nothing behind either.
 *
 * <p>Use one supervisor for each thread that runs commands. Starting one takes some milliseconds,
 * starting a command with it well under one.
 */
public final class Supervisor implements AutoCloseable {
  private static final long CLOSE_SECONDS = 15;

  /** ADDR_NO_RANDOMIZE of personality(2), as the kernel shows it. */
  private static final String NOT_RANDOMISED = "00040000";

  private final SupervisorProcess process;
  private final Conversation conversation;
  private @Nullable SupervisedCommand current;
  private @Nullable Supervisor companion;
  private volatile boolean closed;

  private Supervisor(SupervisorProcess process) {
    this.process = process;
    this.conversation = new Conversation(process.requests(), process.answers());
  }

  /**
   * Starts the native process.
   *
   * @throws SupervisorNotStartedException if it cannot be started, or ends at once
   * @throws IllegalStateException if it was not built, or is of another version
   */
  public static Supervisor start() {
    return start(PowercutHome.nativeProgram("powercut-supervisor"));
  }

  static Supervisor start(Path program) {
    SupervisorProcess process;
    try {
      process = SupervisorProcess.start(program);
    } catch (IOException e) {
      throw new SupervisorNotStartedException(
          "cannot start " + FileProblem.of(program, e).text(), e);
    }
    Supervisor supervisor = new Supervisor(process);
    if (!supervisor.conversation.readUntil(process::isKnown, process::receiveHello)) {
      supervisor.close();
      throw new SupervisorNotStartedException(
          program + " ended at once: " + process.lastWords(), null);
    }
    return supervisor;
  }

  /**
   * Runs a command to its end. Whatever happens to it is in the result; nothing is thrown for it.
   */
  public CommandResult run(CommandSpec command) {
    return begin(command, false).await();
  }

  /**
   * Whether address-space randomisation can be switched off for commands that ask for that. Where
   * it cannot, they run all the same: the seccomp profiles of Docker and Podman do not allow it.
   */
  public boolean canFixAddresses() {
    CommandSpec command =
        CommandSpec.command("cat", "/proc/self/personality").addressSpaceRandomised(false).build();
    return run(command).outputTail().strip().equals(NOT_RANDOMISED);
  }

  /**
   * Starts a command and returns once it runs. That it did not start is reported by {@link
   * RunningCommand#await}.
   *
   * @throws IllegalStateException if a command of this supervisor is still running
   */
  public RunningCommand start(CommandSpec command) {
    return begin(command, true);
  }

  private SupervisedCommand begin(CommandSpec command, boolean waitForStart) {
    SupervisedCommand running = new SupervisedCommand(conversation, command, this::lossReason);
    synchronized (this) {
      if (current != null && !current.hasResult()) {
        throw new IllegalStateException("this supervisor is still running another command");
      }
      current = running;
    }
    running.begin(waitForStart);
    return running;
  }

  /**
   * A second supervisor for what has to run at the same time, like a client beside its server. It
   * is started when it is first asked for and closed with this one.
   */
  public synchronized Supervisor companion() {
    if (companion == null || companion.isLost()) {
      companion = start();
    }
    return companion;
  }

  /** Whether the native process has ended, so that no further command can run. */
  public boolean isLost() {
    return closed || conversation.isLost();
  }

  /** The native process that starts the commands and is their parent. */
  public long workerPid() {
    return process.workerPid();
  }

  /** The native process that watches the worker. */
  public long guardianPid() {
    return process.guardianPid();
  }

  private String lossReason() {
    return closed ? "it was closed" : process.lastWords();
  }

  /**
   * Kills what runs and ends the native process, and returns when both are done. May be called by
   * any thread, also while another waits for a command, which then ends as {@code SupervisorLost}.
   */
  @Override
  public void close() {
    closed = true;
    conversation.close();
    process.awaitEnd(CLOSE_SECONDS, TimeUnit.SECONDS);
    Supervisor second;
    synchronized (this) {
      second = companion;
    }
    if (second != null) {
      second.close();
    }
  }
}
