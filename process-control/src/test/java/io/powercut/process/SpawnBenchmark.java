// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.Callable;

/**
 * What starting a process costs, through a supervisor and through {@link ProcessBuilder}. Run it
 * with {@code java -cp target/classes:target/test-classes:... io.powercut.process.SpawnBenchmark};
 * prints the cost of one run each way.
 */
public final class SpawnBenchmark {
  private static final int RUNS = 1000;
  private static final int ROUNDS = 5;

  private SpawnBenchmark() {}

  /** No arguments. */
  public static void main(String[] arguments) throws Exception {
    CommandSpec command = CommandSpec.command("/bin/true").build();
    ProcessBuilder builder = new ProcessBuilder("/bin/true").redirectOutput(new File("/dev/null"));
    try (Supervisor supervisor = Supervisor.start()) {
      for (int round = 0; round < ROUNDS; round++) {
        System.out.println("supervisor " + microseconds(() -> supervisor.run(command)));
        System.out.println("ProcessBuilder " + microseconds(() -> waitFor(builder)));
      }
    }
  }

  private static int waitFor(ProcessBuilder builder) throws IOException, InterruptedException {
    return builder.start().waitFor();
  }

  /** Median and minimum: on a machine that others use too, a mean says little. */
  private static String microseconds(Callable<?> run) throws Exception {
    long[] nanoseconds = new long[RUNS];
    for (int count = 0; count < RUNS; count++) {
      long start = System.nanoTime();
      run.call();
      nanoseconds[count] = System.nanoTime() - start;
    }
    Arrays.sort(nanoseconds);
    return "median "
        + nanoseconds[RUNS / 2] / 1000
        + " us, minimum "
        + nanoseconds[0] / 1000
        + " us";
  }
}
