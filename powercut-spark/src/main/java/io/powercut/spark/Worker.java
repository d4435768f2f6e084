// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the units of one executor share: its answer to {@code powercut doctor}, and the inputs that
 * came here, each unpacked once. All of it is removed when the JVM ends.
 */
final class Worker {
  private static final String SETPRIV = "/usr/bin/setpriv";
  private static @Nullable Worker instance;

  private final Path folder;
  private final Map<String, Path> inputs = new HashMap<>();
  private boolean isFit;

  private Worker() throws IOException {
    folder = Files.createTempDirectory(parent(System.getenv()), "powercut-worker-");
    Runtime.getRuntime().addShutdownHook(new Thread(this::remove, "powercut-worker"));
  }

  static synchronized Worker ofThisJvm() throws IOException {
    if (instance == null) {
      instance = new Worker();
    }
    return instance;
  }

  /**
   * Where Spark or YARN remove what an executor leaves, however it ends: a killed one removes
   * nothing itself.
   */
  static Path parent(Map<String, String> environment) {
    return Stream.of("SPARK_EXECUTOR_DIRS", "LOCAL_DIRS")
        .flatMap(name -> Optional.ofNullable(environment.get(name)).stream())
        .map(folders -> Path.of(folders.split("[:,]", -1)[0]))
        .filter(Files::isDirectory)
        .findFirst()
        .orElse(Path.of(System.getProperty("java.io.tmpdir")));
  }

  private void remove() {
    try {
      Folders.remove(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path newFolder(String prefix) throws IOException {
    return Files.createTempDirectory(folder, prefix);
  }

  /**
   * Makes sure that this machine can do the work: asked once if it can.
   *
   * @throws UnfitWorkerException if it lacks something, which the message names
   */
  synchronized void requirePrerequisites(String powercut) throws IOException, InterruptedException {
    if (isFit) {
      return;
    }
    String host = InetAddress.getLocalHost().getHostName();
    Process doctor;
    try {
      doctor =
          new ProcessBuilder(powercut, "doctor", "--runs", folder.toString())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw new UnfitWorkerException(host, powercut + " cannot be started: " + e.getMessage());
    }
    doctor.getOutputStream().close();
    String said = new String(doctor.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (doctor.waitFor() != 0) {
      String failures =
          said.lines().filter(line -> line.startsWith("FAILURE")).collect(Collectors.joining("; "));
      throw new UnfitWorkerException(host, failures.isEmpty() ? said.strip() : failures);
    }
    isFit = true;
  }

  /** A command that gets SIGTERM when this JVM is killed, where the system can do that. */
  List<String> endingWithThisJvm(String command) {
    return Files.isExecutable(Path.of(SETPRIV))
        ? List.of(SETPRIV, "--pdeathsig", "TERM", command)
        : List.of(command);
  }

  /** The folder of an input. */
  synchronized Path unpacked(Input input) throws IOException, InterruptedException {
    Path known = inputs.get(input.name());
    if (known != null) {
      return known;
    }
    Path archive = folder.resolve("given-" + input.name() + ".tar.gz");
    Path unpacked = folder.resolve("given-" + input.name());
    input.copyTo(archive);
    Folders.unpack(archive, unpacked);
    Files.delete(archive);
    inputs.put(input.name(), unpacked);
    return unpacked;
  }
}
