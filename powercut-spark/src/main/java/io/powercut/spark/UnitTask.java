// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;

/**
 * One unit on an executor. A machine that lacks what Powercut needs fails the task, so that Spark
 * tries another one; a command that ends is a result, whatever its exit code.
 */
final class UnitTask implements Function<Integer, UnitOutput> {
  private static final long serialVersionUID = 1;
  private static final int MOST_TEXT = 4000;
  private static final int PATIENCE_SECONDS = 30;
  private static final long NANOSECONDS_A_MILLISECOND = 1_000_000;

  private final String powercut;
  private final ArrayList<String> arguments;
  private final ArrayList<Input> inputs;

  UnitTask(String powercut, List<String> arguments, List<Input> inputs) {
    this.powercut = powercut;
    this.arguments = new ArrayList<>(arguments);
    this.inputs = new ArrayList<>(inputs);
  }

  @Override
  public UnitOutput call(Integer unused) throws IOException, InterruptedException {
    if (TaskContext.get().attemptNumber() > 1) {
      throw new IOException("it was tried on two machines");
    }
    try {
      Worker worker = Worker.ofThisJvm();
      worker.requirePrerequisites(powercut);
      Path scratch = worker.newFolder("unit-");
      try {
        return run(worker, scratch);
      } finally {
        Folders.remove(scratch);
      }
    } catch (UnfitWorkerException e) {
      throw e;
    } catch (IOException e) {
      throw UnfitWorkerException.without(Worker.parent(System.getenv()), e);
    }
  }

  private UnitOutput run(Worker worker, Path scratch) throws IOException, InterruptedException {
    Path out = Files.createDirectory(scratch.resolve("out"));
    Path errors = scratch.resolve("errors.txt");
    List<String> command = new ArrayList<>(worker.endingWithThisJvm(powercut));
    List<Path> folders = new ArrayList<>();
    for (Input input : inputs) {
      folders.add(worker.unpacked(input));
    }
    for (String argument : arguments) {
      String expanded = argument.replace("{out}", out.toString());
      for (int index = 0; index < folders.size(); index++) {
        expanded = expanded.replace("{" + index + "}", folders.get(index).toString());
      }
      command.add(expanded);
    }
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .directory(scratch.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors.toFile())
            .start();
    int exitCode;
    try {
      exitCode = process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      process.destroyForcibly();
      throw e;
    }
    long milliseconds = (System.nanoTime() - begin) / NANOSECONDS_A_MILLISECOND;
    Path archive = scratch.resolve("out.tar.gz");
    Folders.pack(out, archive);
    String text = Files.readString(errors);
    return new UnitOutput(
        exitCode,
        InetAddress.getLocalHost().getHostName(),
        text.substring(Math.max(0, text.length() - MOST_TEXT)),
        Files.readAllBytes(archive),
        milliseconds);
  }
}
