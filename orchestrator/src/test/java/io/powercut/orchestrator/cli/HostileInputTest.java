// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.loading.CampaignWriter;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.Removal;
import io.powercut.orchestrator.it.Workbench;
import io.powercut.orchestrator.it.Workbench.Said;
import io.powercut.orchestrator.run.CampaignRun;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.rundir.RunDirectory;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files and options that no sane person writes: whatever powercut is given, it ends soon, says why
 * on a few screens, and never with the exit code that means a bug.
 */
@Tag("campaign")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileInputTest {
  private static final String LEAST =
      """
      target: {command: ["true"]}
      recovery: {command: ["true"]}
      """;

  @RegisterExtension private final Workbench workbench = Workbench.with();

  private static void assertRefused(Said said, int exitCode, String... reasons) {
    assertThat(said.exitCode()).as(said.errors()).isEqualTo(exitCode);
    assertThat(said.errors())
        .contains(reasons)
        .doesNotContain("bug in Powercut", "\tat ")
        .hasSizeLessThan(250_000);
    assertThat(said.errors().lines()).hasSizeLessThan(105);
  }

  private Path fifo(String name) throws Exception {
    Path fifo = workbench.directory().resolve(name);
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    return fifo;
  }

  @Test
  void fifoAsCampaignShouldBeRefused() throws Exception {
    Path fifo = fifo("campaign.yaml");

    assertRefused(workbench.runCampaign(fifo), 2, fifo + ": is a FIFO, a socket or a device");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/zero", "/proc/kmsg", "/proc/kcore", "/dev/tty", "/"})
  void specialFileAsCampaignShouldBeRefused(String file) {
    assertRefused(workbench.runCampaign(Path.of(file)), 2, file + ":");
  }

  @Test
  void fifoThatACampaignExtendsShouldBeRefused() throws Exception {
    Path fifo = fifo("base.yaml");
    Path campaign = workbench.write("campaign.yaml", "extends: base.yaml\n" + LEAST);

    assertRefused(workbench.runCampaign(campaign), 2, fifo.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/dev/zero", "/proc/kmsg", "/"})
  void baselineThatIsNoFileShouldBeRefused(String target) throws IOException {
    Path link = workbench.directory().resolve("accepted.yaml");
    Files.createSymbolicLink(link, Path.of(target));
    Path campaign = workbench.write("campaign.yaml", "baseline: accepted.yaml\n" + LEAST);
    Said said = workbench.runCampaign(campaign);

    if (target.equals("/proc/kmsg")) {
      assertThat(said.errors()).as("it says that it is empty").doesNotContain("accepted.yaml");
    } else {
      assertRefused(said, 2, link.toString());
    }
  }

  @Test
  void chainOf4000ExtendsShouldBeRefused() {
    for (int number = 0; number < 4000; number++) {
      workbench.write("c" + number + ".yaml", "extends: c" + (number + 1) + ".yaml\n");
    }
    workbench.write("c4000.yaml", LEAST);
    Said said = workbench.runCampaign(workbench.directory().resolve("c0.yaml"));

    assertRefused(said, 2, "c31.yaml:1:10: extends:", "at most 32");
  }

  @Test
  void overrideWith20000SegmentsShouldBeRefused() {
    Path campaign = workbench.write("campaign.yaml", LEAST);
    String key = "a" + ".a".repeat(20_000);
    Said said = workbench.runCampaign(campaign, "--set", key + "=1");

    assertRefused(said, 2, "--set a.a.a.", "more than 50 levels deep");
    assertThat(said.errors()).hasSizeLessThan(3_000);
  }

  @Test
  void overrideOfAnExistingPathWithManySegmentsShouldBeRefused() {
    Path campaign = workbench.write("campaign.yaml", LEAST);
    Said said = workbench.runCampaign(campaign, "--set", "a.".repeat(60) + "a=1");

    assertRefused(said, 2, "more than 50 levels deep");
  }

  @Test
  void aliasesOfAliasesShouldBeRefused() {
    String laughs =
        "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n"
            + IntStream.range(1, 20)
                .mapToObj(
                    level ->
                        "l%1$d: &l%1$d [%2$s]\n"
                            .formatted(level, ("*l" + (level - 1) + ", ").repeat(10)))
                .collect(Collectors.joining());
    Path campaign = workbench.write("campaign.yaml", LEAST + laughs);

    assertRefused(workbench.runCampaign(campaign), 2, campaign + ":", "more than 1048576 values");
  }

  @Test
  void aliasesInAliasesShouldNotNestWithoutEnd() {
    String chain =
        "l0: &l0 [x]\n"
            + IntStream.range(1, 10_000)
                .mapToObj(level -> "l%1$d: &l%1$d [*l%2$d]\n".formatted(level, level - 1))
                .collect(Collectors.joining());
    Path campaign = workbench.write("campaign.yaml", LEAST + chain);

    assertRefused(workbench.runCampaign(campaign), 2, campaign + ":", "is nested too deeply");
  }

  @Test
  void listOfMistakesShouldEnd() {
    String unknown =
        IntStream.range(0, 50_000)
            .mapToObj(key -> "k" + key + ": 1\n")
            .collect(Collectors.joining());
    Path campaign = workbench.write("campaign.yaml", LEAST + unknown);

    assertRefused(workbench.runCampaign(campaign), 2, campaign + ":3:1: k0", "and more mistakes");
  }

  @Test
  void listOfMistakesInABaselineShouldEnd() throws IOException {
    Path baseline = workbench.write("accepted.yaml", "- wrong\n".repeat(50_000));
    Path campaign = workbench.write("campaign.yaml", "baseline: accepted.yaml\n" + LEAST);

    assertRefused(workbench.runCampaign(campaign), 2, baseline + ":1:", "49950 more mistakes");
  }

  @Test
  void lackOfMemoryShouldEndWithThreeAndOneSentence() throws Exception {
    Path campaign = workbench.write("large.yaml", LEAST);
    Path run = Files.createDirectories(workbench.runs().resolve("large/latest"));
    CampaignWriter.write(workbench.load(campaign, List.of()), run.resolve("campaign.yaml"));
    try (BufferedWriter out = Files.newBufferedWriter(run.resolve("verdicts.jsonl"))) {
      String verdict = verdict("x".repeat(100_000));
      for (int line = 0; line < 600; line++) {
        out.write(verdict.formatted(line));
        out.newLine();
      }
    }
    Path errors = workbench.directory().resolve("errors");
    Process powercut =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx32m",
                "-Dpowercut.home=" + Workbench.home(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.powercut.orchestrator.Main",
                "run",
                campaign.toString(),
                "--resume",
                "--runs",
                workbench.runs().toString(),
                "--set",
                "pm.directory=" + workbench.pm(),
                "--set",
                "occurrences.first=1")
            .redirectError(errors.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();

    assertThat(powercut.waitFor(50, TimeUnit.SECONDS)).isTrue();
    assertThat(powercut.exitValue()).as(Files.readString(errors)).isEqualTo(3);
    assertThat(Files.readAllLines(errors))
        .singleElement()
        .asString()
        .contains("Powercut ran out of memory", "its heap of");
  }

  @Test
  void textThatTurnsItsDirectionShouldNotReachTheTerminal() {
    String turned = "\u202e" + "gnp.exe";
    Path wrong = workbench.write("wrong.yaml", LEAST + "limits: {parallel: \"" + turned + "\"}\n");
    assertRefused(workbench.runCampaign(wrong), 2, "gnp.exe");
    assertThat(workbench.runCampaign(wrong).errors()).doesNotContain("\u202e");

    Path campaign =
        workbench.write(
            "turned.yaml",
            """
            target: {command: ["%1$s"]}
            recovery: {command: [sh, -c, "echo %1$s; exit 1"]}
            """
                .formatted(turned));
    Said said = workbench.runCampaign(campaign);
    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.output() + said.errors()).contains("gnp.exe").doesNotContain("\u202e");
  }

  @Test
  void campaignThatIsTooLargeWhenWrittenOutShouldBeRefusedAtOnce() {
    String large =
        """
        parameters:
          text: "%s"
        environment: &e
          A: "%1$s"
        setup: {command: [a, "%1$s"]}
        """
            .formatted("x".repeat(340_000));
    Path base = workbench.write("base.yaml", large);
    Path campaign =
        workbench.write(
            "campaign.yaml",
            "extends: base.yaml\nbuild: {command: [b, \"%s\"]}\n".formatted("y".repeat(200_000))
                + LEAST);

    assertRefused(workbench.runCampaign(campaign), 2, campaign + ": is 1.", "written out");
    assertThat(workbench.runs()).doesNotExist();
    assertThat(base).exists();
  }

  @Test
  void killedSweepShouldLeaveNothingInTheTemporaryFolder() throws Exception {
    Path temporary = Files.createDirectory(workbench.directory().resolve("temporary"));
    Path campaign = workbench.write("slow.yaml", "setup: {command: [sleep, \"20\"]}\n" + LEAST);
    Process sweep =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary,
                "-Dpowercut.home=" + Workbench.home(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.powercut.orchestrator.Main",
                "sweep",
                campaign.toString(),
                "--runs",
                workbench.runs().toString(),
                "--set",
                "pm.directory=" + workbench.pm())
            .redirectErrorStream(true)
            .redirectOutput(workbench.directory().resolve("said").toFile())
            .start();
    await().atMost(Duration.ofSeconds(50)).until(() -> !workbench.filesLeft().isEmpty());
    List<ProcessHandle> children = sweep.descendants().toList();
    sweep.destroyForcibly().waitFor();
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));

    assertThat(temporary).isEmptyDirectory();
    for (Path area : workbench.filesLeft()) {
      Removal.remove(area);
    }
  }

  private static String verdict(String seen) {
    return "{\"failurePointId\":\"%016x\",\"visit\":1,\"kind\":\"CONSISTENT\",\"seen\":\""
        + seen
        + "\",\"step\":\"\",\"output\":\"\",\"recoveryStack\":[],\"seconds\":0.1}";
  }

  @Test
  void errorInARunShouldBeKeptAsItsFailure() throws Exception {
    Path file = workbench.write("campaign.yaml", LEAST);
    Campaign campaign = workbench.load(file, List.of());
    RunDirectory directory =
        RunDirectory.create(workbench.runs(), "campaign", LocalDateTime.of(2026, 1, 31, 12, 0));
    CampaignRun run = new CampaignRun(campaign, file, directory, Optional.empty(), new Exhausted());

    assertThatThrownBy(run::run)
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("Powercut ran out of memory: its heap of");
    assertThat(directory.path().resolve("failure.txt"))
        .content()
        .contains("Powercut ran out of memory: its heap of");
    Said said = Workbench.powercut("report", directory.path().toString());
    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.errors()).contains("has no report", "ran out of memory");
  }

  /** Ends the run in its first phase as a lack of memory there would. */
  private static final class Exhausted implements Progress {
    @Override
    public void phase(String title) {
      throw new OutOfMemoryError("Java heap space");
    }

    @Override
    public void step(String task, long done, long total) {}

    @Override
    public void note(String message) {}

    @Override
    public void close() {}
  }
}
