// SPDX-License-Identifier: Apache-2.0
package io.powercut.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitsTest {
  @TempDir static Path directory;
  private static Path hostile;
  private static Supervisor supervisor;

  @BeforeAll
  static void start() {
    hostile = TestPrograms.compile(LimitsTest.class, "hostile.c", directory);
    supervisor = Supervisor.start();
  }

  @AfterAll
  static void close() {
    supervisor.close();
  }

  @Test
  void hangIsEndedAtItsTimeLimit() {
    Duration limit = Duration.ofMillis(300);
    CommandResult result =
        supervisor.run(
            TestPrograms.marked("hang", hostile, "ignore-term").timeLimit(limit).build());
    assertThat(result.ending()).isEqualTo(new Ending.TimedOut(limit));
    assertThat(result.ending().describe()).contains("time limit of 300ms");
    assertThat(result.wallTime()).isBetween(limit, Duration.ofSeconds(5));
    assertThat(TestPrograms.alive("hang")).isEmpty();
  }

  @Test
  void commandThatSpinsIsEndedAtItsLimitOfProcessorTime() {
    Duration limit = Duration.ofMillis(200);
    for (String script : List.of("%s spin", "%s spin; exit", "%s spin & wait")) {
      CommandResult result =
          supervisor.run(
              CommandSpec.command("sh", "-c", script.formatted(hostile)).cpuLimit(limit).build());
      assertThat(result.ending()).as(script).isEqualTo(new Ending.TimedOut(limit, true));
      assertThat(result.ending().describe()).contains("200ms of processor time");
      assertThat(result.cpuTime()).isBetween(limit, Duration.ofSeconds(2));
    }
  }

  @Test
  void commandThatWaitsUsesNoProcessorTime() {
    CommandResult result =
        supervisor.run(CommandSpec.command("sleep", "0.5").cpuLimit(Duration.ofMillis(50)).build());
    assertThat(result.isSuccess()).isTrue();
  }

  @Test
  void memoryLimitEndsACommand() {
    DataSize limit = DataSize.ofMebibytes(100);
    CommandResult result =
        supervisor.run(
            TestPrograms.marked("memory", hostile, "memory", "20000").memoryLimit(limit).build());
    assertThat(result.ending()).isInstanceOf(Ending.MemoryLimitExceeded.class);
    Ending.MemoryLimitExceeded ending = (Ending.MemoryLimitExceeded) result.ending();
    assertThat(ending.limit()).isEqualTo(limit);
    assertThat(ending.seen()).isBetween(limit, DataSize.ofMebibytes(1000));
  }

  @Test
  void memoryLimitCountsAllProcessesTogether() {
    CommandResult result =
        supervisor.run(
            TestPrograms.marked("family", hostile, "memory-in-children", "60")
                .memoryLimit(DataSize.ofMebibytes(150))
                .build());
    assertThat(result.ending()).isInstanceOf(Ending.MemoryLimitExceeded.class);
    assertThat(TestPrograms.alive("family")).isEmpty();
  }

  @Test
  void sharedMemoryIsNotCounted() {
    CommandResult result =
        supervisor.run(
            TestPrograms.marked("shared", hostile, "shared-memory", "150")
                .memoryLimit(DataSize.ofMebibytes(50))
                .build());
    assertThat(result.isSuccess()).isTrue();
  }

  @Test
  void directoryThatGrowsTooLargeEndsTheCommand() throws IOException {
    Path below = Files.createDirectories(directory.resolve("full/deep"));
    CommandResult result =
        supervisor.run(
            TestPrograms.marked("fill", hostile, "fill", below.resolve("file").toString())
                .spaceGuard(SpaceGuard.atMost(directory.resolve("full"), DataSize.ofMebibytes(8)))
                .build());
    assertThat(result.ending()).isInstanceOf(Ending.SpaceExhausted.class);
    assertThat(result.ending().describe()).contains("full", "the limit is 8MiB");
    assertThat(Files.size(below.resolve("file"))).isLessThan(60L << 20);
    Files.delete(below.resolve("file"));
  }

  @Test
  void commandThatFailedOverAFullDirectoryIsNotBlamed() throws IOException {
    Path full = Files.createDirectories(directory.resolve("quick"));
    CommandResult result =
        supervisor.run(
            CommandSpec.command("sh", "-c", "head -c 100000 /dev/zero > " + full + "/file; exit 1")
                .spaceGuard(SpaceGuard.atMost(full, DataSize.ofKibibytes(64)))
                .build());
    assertThat(result.ending()).isInstanceOf(Ending.SpaceExhausted.class);
  }

  @Test
  void holesOfASparseFileTakeNoSpace() throws IOException {
    Path sparse = Files.createDirectories(directory.resolve("sparse"));
    CommandResult result =
        supervisor.run(
            CommandSpec.command("truncate", "-s", "10G", sparse + "/file")
                .spaceGuard(SpaceGuard.atMost(sparse, DataSize.ofMebibytes(1)))
                .build());
    assertThat(result.isSuccess()).isTrue();
  }

  @Test
  void commandThatWouldFillItsFileSystemIsEnded() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "a file system can be mounted");
    Path small = Files.createDirectories(directory.resolve("small"));
    // The mount is in a namespace of the supervisor's own, and goes with it.
    Path wrapper =
        TestPrograms.script(
            directory.resolve("in-namespace"),
            "#!/bin/sh\nexec unshare -m sh -c 'mount -t tmpfs -o size=24m none "
                + small
                + " && exec "
                + PowercutHome.nativeProgram("powercut-supervisor")
                + "'\n");
    try (Supervisor inside = Supervisor.start(wrapper)) {
      CommandSpec.Builder command =
          TestPrograms.marked("small", hostile, "fill-and-fail", small.resolve("file").toString());
      Ending guarded =
          inside
              .run(command.spaceGuard(SpaceGuard.keepFree(small, DataSize.ofMebibytes(4))).build())
              .ending();
      assertThat(guarded).isInstanceOf(Ending.SpaceExhausted.class);
      assertThat(guarded.describe()).contains("4MiB must stay free");
    }
    assertThat(small).isEmptyDirectory();
  }
}
