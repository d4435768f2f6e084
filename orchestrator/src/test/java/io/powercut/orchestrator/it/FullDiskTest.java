// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks without room: what is full and where is said, and with room the run goes on. */
@Tag("campaign")
class FullDiskTest {
  private static final long ROOM_BYTES = 64L << 20;
  private static final String ROOM = "size=64m,nr_inodes=10000";

  @RegisterExtension private final Workbench workbench = Workbench.with("bugs");

  private Path small;

  @BeforeEach
  void mount() throws IOException {
    small = Files.createDirectory(workbench.directory().resolve("small"));
    assumeTrue(
        executes("mount", "-t", "tmpfs", "-o", ROOM, "tmpfs", small.toString()), "needs root");
  }

  @AfterEach
  void unmount() throws IOException {
    assertThat(executes("umount", small.toString())).as("nothing there is open").isTrue();
  }

  private static boolean executes(String... command) throws IOException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .onExit()
            .join()
            .exitValue()
        == 0;
  }

  private void remount(String room) throws IOException {
    assertThat(executes("mount", "-o", "remount," + room, small.toString())).isTrue();
  }

  private Path campaign() {
    String program = Workbench.home().resolve("workloads/bugs/build/bug/one-path").toString();
    return workbench.write(
        "one-path.yaml",
        """
        name: one-path
        environment: {PM_DIRECTORY: "{pm}"}
        setup: {command: ["%1$s", create, "{pm}"]}
        target: {command: ["%1$s", run, "{pm}"]}
        recovery: {command: ["%1$s", check, "{pm}"]}
        limits: {diskReserve: 0B}
        """
            .formatted(program));
  }

  private Workbench.Said run(Path runs, Path pm, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "run",
                campaign().toString(),
                "--runs",
                runs.toString(),
                "--set",
                "pm.directory=" + pm));
    arguments.addAll(List.of(more));
    return Workbench.powercut(arguments.toArray(String[]::new));
  }

  private void assertFull(Workbench.Said said) {
    assertThat(said.exitCode()).as(said.output() + said.errors()).isIn(3, 4);
    assertThat(said.errors() + said.output())
        .contains(small.toString())
        .containsAnyOf("no space left", "No space left", "the disk is full")
        .doesNotContain("bug in Powercut", "\tat ");
    said.output()
        .lines()
        .filter(line -> line.startsWith("report "))
        .forEach(line -> assertThat(Path.of(line.substring(7).strip())).isRegularFile());
  }

  @ParameterizedTest
  @CsvSource({
    "4k,   10000",
    "16k,  10000",
    "24k, 10000",
    "40k,  10000",
    "64k,  10000",
    "96k, 10000",
    "160k, 10000",
    "64m,  3",
    "64m,  6",
    "64m,  8",
    "64m,  12",
    "64m,  16"
  })
  void fullDiskUnderTheRunShouldBeNamedAndTheRunGoOnWithRoom(String size, int inodes)
      throws IOException {
    remount("size=" + size + ",nr_inodes=" + inodes);
    Path runs = small.resolve("runs");
    assertFull(run(runs, workbench.pm()));

    remount(ROOM);
    boolean hasRun = Files.exists(runs.resolve("one-path/latest/campaign.yaml"));
    Workbench.Said resumed =
        hasRun ? run(runs, workbench.pm(), "--resume") : run(runs, workbench.pm());
    assertThat(resumed.exitCode()).as(resumed.output() + resumed.errors()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4k", "32k", "64k", "256k", "1m"})
  void fullDiskUnderThePmFilesShouldBeNamed(String size) throws IOException {
    remount("size=" + size);
    assertFull(run(workbench.runs(), small));

    remount(ROOM);
    assertThat(small).isEmptyDirectory();
    assertThat(run(workbench.runs(), small, "--resume").exitCode()).isEqualTo(1);
  }

  @Test
  void reportForWhichThereIsNoRoomShouldNotBeTold() throws IOException {
    Path runs = small.resolve("runs");
    assertThat(run(runs, workbench.pm()).exitCode()).isEqualTo(1);
    Path latest = runs.resolve("one-path/latest");
    Files.delete(latest.resolve("report.html"));
    remount("size=" + (ROOM_BYTES - Files.getFileStore(small).getUsableSpace()));

    Workbench.Said said = Workbench.powercut("report", latest.toString());
    assertFull(said);
    assertThat(said.errors()).contains("report.html", "powercut report " + latest.toRealPath());
    remount(ROOM);
    assertThat(Workbench.powercut("report", latest.toString()).exitCode()).isEqualTo(1);
    assertThat(latest.resolve("report.html")).isNotEmptyFile();
  }
}
