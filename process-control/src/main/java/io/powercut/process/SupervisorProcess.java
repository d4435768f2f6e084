// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.zeroturnaround.exec.ProcessExecutor;
import org.zeroturnaround.exec.stream.ExecuteStreamHandler;

/** The native process, started through zt-exec, and its three pipes. */
final class SupervisorProcess {
  private static final String MAGIC = "PCSV";

  private final Process process;
  private final UntouchedStreams streams;
  private volatile long workerPid;
  private volatile boolean stopped;

  private SupervisorProcess(Process process, UntouchedStreams streams) {
    this.process = process;
    this.streams = streams;
  }

  static SupervisorProcess start(Path program) throws IOException {
    UntouchedStreams streams = new UntouchedStreams();
    ProcessExecutor executor =
        new QuietExecutor()
            .command(program.toString())
            .environment(OwnLocale.changes())
            .redirectErrorStream(false) // its last words are no frames
            .streams(streams);
    SupervisorProcess started = new SupervisorProcess(executor.start().getProcess(), streams);
    StoppedGuardians.watch(started);
    return started;
  }

  OutputStream requests() {
    return process.getOutputStream();
  }

  InputStream answers() {
    return process.getInputStream();
  }

  boolean isKnown() {
    return workerPid != 0;
  }

  void receiveHello(Frame frame) {
    byte[] magic = new byte[MAGIC.length()];
    frame.payload().get(magic);
    int version = frame.payload().getInt();
    if (frame.type() != Frame.HELLO
        || !new String(magic, StandardCharsets.US_ASCII).equals(MAGIC)
        || version != Frame.VERSION) {
      throw new IllegalStateException(
          "powercut-supervisor speaks version "
              + version
              + ", wanted "
              + Frame.VERSION
              + "; build it again with: make -C process-control/native");
    }
    workerPid = Integer.toUnsignedLong(frame.payload().getInt());
  }

  long workerPid() {
    return workerPid;
  }

  long guardianPid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Remembers that it had to be killed because it was stopped. */
  void wasStopped() {
    stopped = true;
  }

  /** What it printed before it ended, or how it ended. Waits for the end. */
  String lastWords() {
    awaitEnd(5, TimeUnit.SECONDS);
    String words = streams.errors.completeOnTimeout("", 5, TimeUnit.SECONDS).join();
    if (stopped) {
      return "a process stopped it with a signal";
    }
    if (!words.isEmpty()) {
      return words;
    }
    return process.isAlive()
        ? "it closed its answers"
        : "it ended with code " + process.exitValue();
  }

  void awaitEnd(long time, TimeUnit unit) {
    try {
      if (!process.waitFor(time, unit)) {
        process.destroyForcibly().waitFor(time, unit);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** zt-exec waits for the end in a thread; that thread shall not keep the JVM alive. */
  private static final class QuietExecutor extends ProcessExecutor {
    @Override
    protected ExecutorService newExecutor(String processName) {
      return Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "powercut-supervisor " + processName);
            thread.setDaemon(true);
            return thread;
          });
    }
  }

  /**
   * Leaves the pipes to us, where zt-exec would pump them, but reads the last words before zt-exec
   * closes them. There are none as long as all goes well.
   */
  private static final class UntouchedStreams implements ExecuteStreamHandler {
    private final CompletableFuture<String> errors = new CompletableFuture<>();
    private InputStream errorStream = InputStream.nullInputStream();

    @Override
    public void setProcessInputStream(OutputStream stream) {}

    @Override
    public void setProcessErrorStream(InputStream stream) {
      errorStream = stream;
    }

    @Override
    public void setProcessOutputStream(InputStream stream) {}

    @Override
    public void start() {}

    @Override
    public void stop() {
      try {
        errors.complete(new String(errorStream.readAllBytes(), StandardCharsets.UTF_8).strip());
      } catch (IOException e) {
        errors.complete("");
      }
    }
  }
}
