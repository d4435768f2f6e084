// SPDX-License-Identifier: Apache-2.0
package io.powercut.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * {@code powercut sweep} whose work is done by Spark's executors. All arguments are those of {@code
 * powercut sweep}; the exit code is its own.
 */
public final class Sweep {
  private static final int CANNOT_START = 3;
  private static final int MOST_ATTEMPTS = 2;

  private Sweep() {}

  /** Runs a sweep; {@code spark-submit} calls this. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int exitCode;
    Path work = Files.createTempDirectory("powercut-driver-");
    Ending ending = new Ending();
    try (JavaSparkContext spark = new JavaSparkContext(configuration(new SparkConf()))) {
      exitCode = run(spark, work, List.of(arguments), ending);
    } finally {
      Folders.remove(work);
    }
    ending.exit(exitCode);
  }

  /** What a sweep needs, whatever the user has set. */
  static SparkConf configuration(SparkConf given) {
    // Three attempts, of which the third is refused (UnitTask): Spark wants this above the next.
    return given
        .setIfMissing("spark.app.name", "powercut sweep")
        .setIfMissing("spark.log.level", "WARN")
        .setIfMissing("spark.ui.showConsoleProgress", "false")
        .set("spark.speculation", "false")
        .set("spark.task.maxFailures", Integer.toString(MOST_ATTEMPTS + 1))
        .set("spark.excludeOnFailure.enabled", "true")
        .set("spark.excludeOnFailure.task.maxTaskAttemptsPerExecutor", "1")
        .set("spark.excludeOnFailure.task.maxTaskAttemptsPerNode", "2")
        .set("spark.excludeOnFailure.application.maxFailedTasksPerExecutor", "1");
  }

  private static int run(JavaSparkContext spark, Path work, List<String> arguments, Ending ending)
      throws IOException, InterruptedException {
    String powercut = Optional.ofNullable(System.getenv("POWERCUT")).orElse("powercut");
    UnitServer listening;
    try {
      listening = UnitServer.listen(spark, work, powercut);
    } catch (IOException e) {
      System.err.println("powercut: the sweep cannot begin: " + e.getMessage());
      return CANNOT_START;
    }
    try (UnitServer server = listening) {
      List<String> command = new ArrayList<>(List.of(powercut, "sweep"));
      command.addAll(arguments);
      command.addAll(List.of("--cluster", server.socket().toString()));
      Process sweep;
      try {
        sweep = new ProcessBuilder(command).inheritIO().start();
      } catch (IOException e) {
        System.err.println(
            "powercut cannot be started: " + e.getMessage() + "; name it with POWERCUT");
        return CANNOT_START;
      }
      ending.of(sweep);
      server.serve(sweep);
      try {
        return sweep.waitFor();
      } finally {
        sweep.destroy();
        sweep.waitFor(20, TimeUnit.SECONDS);
      }
    }
  }
}
