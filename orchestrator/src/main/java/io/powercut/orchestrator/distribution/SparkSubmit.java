// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.distribution;

import io.powercut.exit.ExitCode;
import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.process.PowercutHome;
import io.powercut.process.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts a sweep on an Apache Spark cluster: {@code spark-submit} with the jar of powercut-spark.
 */
public final class SparkSubmit {
  private static final String JAR = "POWERCUT_SPARK_JAR";

  /** Its parts give each other up to 20 seconds. */
  private static final int PATIENCE_SECONDS = 60;

  private SparkSubmit() {}

  /**
   * Runs a sweep there.
   *
   * @param master of Spark, as {@code spark://HOST:PORT} or {@code local[2]}
   * @param ship a URL of a folder that all machines reach, by which what they need goes to them; by
   *     Spark's broadcast if there is none
   * @param arguments of {@code powercut sweep}
   * @return the exit code of the sweep
   * @throws PowercutException if Spark or the jar is missing
   */
  public static int sweep(String master, Optional<String> ship, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                program(System.getenv()).toString(),
                "--master",
                master,
                "--deploy-mode",
                "client",
                "--conf",
                "spark.log.level=ERROR"));
    ship.ifPresent(url -> command.addAll(List.of("--conf", "spark.powercut.ship=" + url)));
    command.addAll(List.of("--class", "io.powercut.spark.Sweep", jar(System.getenv()).toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().put("POWERCUT", PowercutHome.find().resolve("powercut").toString());
    try {
      Process submit = builder.start();
      Thread hook = new Thread(() -> end(submit), "spark-submit");
      Runtime.getRuntime().addShutdownHook(hook);
      int exitCode = submit.waitFor();
      awaitInterruption(hook);
      return exitCode;
    } catch (IOException e) {
      throw PowercutException.notTrustworthy("cannot start " + FileProblem.of(e).text());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw PowercutException.notTrustworthy("interrupted");
    }
  }

  /** After Ctrl-C or SIGTERM: it ends in order, and says how. */
  private static void end(Process submit) {
    submit.destroy();
    try {
      boolean isOver = submit.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
      // Until the sweep has begun, only the signal is what ended it.
      Runtime.getRuntime()
          .halt(
              Optional.of(submit)
                  .filter(ended -> isOver)
                  .flatMap(ended -> ExitCode.of(ended.exitValue()))
                  .orElse(ExitCode.INCOMPLETE)
                  .code());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Where the hook runs, it ends this program. */
  private static void awaitInterruption(Thread hook) throws InterruptedException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException underway) {
      hook.join();
    }
  }

  private static Path program(Map<String, String> environment) {
    Stream<Path> home =
        Optional.ofNullable(environment.get("SPARK_HOME")).map(Path::of).stream()
            .map(folder -> folder.resolve("bin"));
    Stream<Path> path =
        Arrays.stream(environment.getOrDefault("PATH", "").split(":", -1)).map(Path::of);
    return Stream.concat(home, path)
        .map(folder -> folder.resolve("spark-submit"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                PowercutException.notTrustworthy(
                    "--on needs Apache Spark: neither SPARK_HOME nor PATH has a spark-submit. docs/spark.md"
                        + " says how to get one."));
  }

  private static Path jar(Map<String, String> environment) {
    Path built =
        PowercutHome.find()
            .resolve("powercut-spark/target/powercut-spark-" + Version.current() + ".jar");
    Path jar = Optional.ofNullable(environment.get(JAR)).map(Path::of).orElse(built);
    if (!Files.isRegularFile(jar)) {
      throw PowercutException.notTrustworthy(
          "--on needs %s; build it with mvn package -Pspark -pl powercut-spark,powercut-spark/spark-home, or name another with %s."
              .formatted(jar, JAR));
    }
    return jar;
  }
}
