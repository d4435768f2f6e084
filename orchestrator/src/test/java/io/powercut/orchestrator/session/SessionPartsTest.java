// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.image.PmArea;
import io.powercut.oracle.server.Readiness;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.process.CommandSpec;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import io.powercut.process.Success;
import io.powercut.process.Supervisor;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The small parts of a session. */
class SessionPartsTest {
  @TempDir private Path folder;

  @Test
  void remedyShouldNameTheKeyThatAllowsMore() {
    assertThat(Remedies.of(new Ending.TimedOut(Duration.ofSeconds(1)), "setup"))
        .contains("raise setup.timeout");
    assertThat(
            Remedies.of(
                new Ending.MemoryLimitExceeded(DataSize.ofMebibytes(1), DataSize.ofMebibytes(2)),
                "setup"))
        .contains("limits.memory");
    assertThat(Remedies.of(new Ending.SpaceExhausted(folder, "full"), "setup"))
        .contains("pm.limit");
    assertThat(Remedies.of(new Ending.NotStarted("no"), "build"))
        .contains("build.command", "a list");
    assertThat(Remedies.of(new Ending.Exited(3), "target")).contains("target.success");
    assertThat(Remedies.of(new Ending.Exited(3), "setup")).isEmpty();
    assertThat(Remedies.ofRecorder("Max number of threads is too low")).isPresent();
    assertThat(Remedies.ofRecorder("==7== Valgrind: Possibly corrupted debuginfo file."))
        .hasValueSatisfying(remedy -> assertThat(remedy).contains("-gdwarf-4"));
    for (String sanitizer :
        List.of("==7==ASan runtime does not come first in", "==7==End of process memory map.")) {
      assertThat(Remedies.ofRecorder(sanitizer))
          .hasValueSatisfying(remedy -> assertThat(remedy).contains("-fsanitize=address"));
    }
    assertThat(Remedies.ofRecorder("valgrind:    Can't create client cmdline file in /none/x"))
        .hasValueSatisfying(remedy -> assertThat(remedy).contains("TMPDIR"));
    assertThat(Remedies.ofRecorder("all is well")).isEmpty();
  }

  /** Another process holds the lock of its own until it ends, however it ends. */
  @Test
  void temporaryRunOfAKilledProcessShouldBeRemovedByTheNextOne() throws IOException {
    Path left = Files.createDirectories(folder.resolve("powercut-0000007-00c0ffee/output"));

    try (TemporaryRun first = TemporaryRun.createIn(folder)) {
      assertThat(left.getParent()).doesNotExist();
      try (TemporaryRun second = TemporaryRun.createIn(folder)) {
        assertThat(second.directory().outputDirectory()).exists();
      }
      assertThat(first.directory().outputDirectory()).exists();
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void remedyOfAServerShouldNotBeToTakeItsEndForSuccess() {
    assertThat(Remedies.ofServer(new Ending.Exited(0), "target"))
        .contains("in the foreground", "target.stop");
    assertThat(Remedies.ofServer(new Ending.Exited(3), "target")).isEmpty();
    assertThat(Remedies.ofServer(new Ending.TimedOut(Duration.ofSeconds(1)), "target"))
        .contains("raise target.timeout");
  }

  /** Programs say what is wrong first, and then how they are used. */
  @Test
  void firstLinesOfAFailedCommandShouldBeShownAsTheLast() {
    try (Supervisor supervisor = Supervisor.start()) {
      for (int usage : List.of(15, 21)) {
        String failing = "echo no such option; seq %d; exit 2".formatted(usage);
        CommandOutcome outcome =
            CommandOutcome.of(
                supervisor,
                CommandSpec.command("sh", "-c", failing).build(),
                Optional.empty(),
                Success.EXIT_ZERO);
        assertThat(Preparation.explain(outcome, "setup", "it failed", List.of()))
            .contains(
                usage == 15
                    ? "printed:\n  no such option\n  1\n  2\n  3\n  4\n  5\n  6\n"
                    : "printed:\n  no such option\n  1\n  2\n  3\n  4\n  ... (2 lines left out)\n  7\n",
                "\n  %d".formatted(usage));
      }
    }
  }

  @Test
  void serverMayBeEndedByItsClient(@TempDir Path pm) {
    Path up = pm.resolve("up");
    Path down = pm.resolve("down");
    String server = "touch %s; until test -e %s; do sleep 0.01; done; exit 4".formatted(up, down);
    CommandSpec client =
        CommandSpec.command("sh", "-c", "touch %s; sleep 0.3".formatted(down)).build();
    try (Supervisor supervisor = Supervisor.start()) {
      for (int expected : List.of(4, 0)) {
        CommandOutcome outcome =
            CommandOutcome.of(
                supervisor,
                CommandSpec.command("sh", "-c", server).build(),
                Optional.of(
                    ServerPlan.of(new Readiness.FileExists(up), Duration.ofSeconds(60), client)),
                new Success(Set.of(expected), Set.of(), Optional.empty(), Optional.empty()));
        assertThat(outcome.problem().isEmpty()).isEqualTo(expected == 4);
        assertThat(outcome.isServerProblem()).isFalse();
        down.toFile().delete();
      }
    }
  }

  @Test
  void pmFilesShouldGoToADaxMountThatCanBeWritten() {
    String mount = "/dev/pmem0 %s ext4 rw,dax=always 0 0".formatted(folder);

    assertThat(PmParent.daxMount(List.of("proc /proc proc rw 0 0", mount))).isEqualTo(folder);
    assertThat(PmParent.daxMount(List.of("/dev/sda1 %s ext4 rw,nodaxx 0 0".formatted(folder))))
        .isEqualTo(PmArea.defaultParent());
  }

  @Test
  void machineShouldBeDescribed() {
    assertThat(MachineEnvironment.describe(folder))
        .containsEntry("pmDirectory", folder.toString())
        .containsKeys("kernel", "processor", "java");
  }

  @Test
  void temporaryRunShouldBeGoneWhenItIsClosed() throws IOException {
    RunDirectory directory;
    try (TemporaryRun run = TemporaryRun.create()) {
      directory = run.directory();
      assertThat(directory.outputDirectory()).isDirectory();
    }
    assertThat(directory.path()).doesNotExist();
  }

  @Test
  void errorOfOursShouldSayWhatRanOut() {
    assertThat(new OwnErrorException(new OutOfMemoryError("Java heap space")).text())
        .contains("memory");
  }

  @Test
  void interruptionShouldNotBeRequestedBeforeItComes() {
    try (Interruption interruption = new Interruption(() -> {})) {
      assertThat(interruption.isRequested()).isFalse();
      assertThat(interruption.flag()).isFalse();
    }
    assertThat(Interruption.isUnderway()).isFalse();
  }

  @Test
  void placesOfAnExecutionShouldBeItsOwnAndGoWithIt() throws IOException {
    try (PmArea area = PmArea.create(folder)) {
      Path pm;
      try (ExecutionDirectories places = ExecutionDirectories.in(area);
          ExecutionDirectories other = ExecutionDirectories.in(area)) {
        pm = places.pm();
        assertThat(pm).isDirectory().isNotEqualTo(other.pm());
        assertThat(pm.toString()).hasSameSizeAs(other.pm().toString());
        assertThat(places.port()).isPositive().isEqualTo(places.port());
      }
      assertThat(pm).doesNotExist();
    }
  }

  @Test
  void acknowledgementShouldReplaceWhateverIsThere() throws IOException {
    Path log = Files.writeString(folder.resolve("log"), "one\ntwo\nthree");
    Path file = Files.writeString(folder.resolve("file"), "onX\ntwo\nand much more");
    new Acknowledgement(log, 8, 2).writeTo(file);
    Path link = Files.createSymbolicLink(folder.resolve("link"), log);
    new Acknowledgement(log, 4, 1).writeTo(link);

    assertThat(file).hasContent("one\ntwo\n");
    assertThat(link).isRegularFile().hasContent("one\n");
    assertThat(log).hasContent("one\ntwo\nthree");
    assertThat(new Acknowledgement(log, 8, 2).describe().lastLine()).isEqualTo("two");
  }

  @Test
  void failureOfAWorkerShouldReachTheCaller() {
    assertThatThrownBy(
            () ->
                Workers.run(
                    "worker",
                    2,
                    () -> {
                      throw new IllegalStateException("no disk");
                    }))
        .hasMessage("no disk");
    assertThatThrownBy(
            () ->
                Workers.run(
                    "worker",
                    2,
                    () -> {
                      throw new StackOverflowError();
                    }))
        .isInstanceOf(OwnErrorException.class);
  }

  @Test
  void closedWorkersShouldHaveBeenInterruptedAndHaveEnded() {
    AtomicInteger ended = new AtomicInteger();
    Set<String> names = ConcurrentHashMap.newKeySet();
    CountDownLatch started = new CountDownLatch(2);
    try (Workers workers =
        Workers.start(
            "image-worker",
            2,
            () -> {
              names.add(Thread.currentThread().getName());
              started.countDown();
              try {
                Thread.sleep(60_000);
              } catch (InterruptedException e) {
                ended.incrementAndGet();
              }
            })) {
      assertThat(workers).isNotNull();
      started.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    assertThat(ended).hasValue(2);
    assertThat(names).containsExactlyInAnyOrder("image-worker-0", "image-worker-1");
  }

  @Test
  void whatAnotherThreadThrowsShouldReachTheOneThatWaits() {
    CompletableFuture<String> name =
        Workers.inThread("target", () -> Thread.currentThread().getName());
    CompletableFuture<String> failing =
        Workers.inThread(
            "target",
            () -> {
              throw new IllegalStateException("no disk");
            });

    assertThat(Workers.await(name)).isEqualTo("target");
    assertThatThrownBy(() -> Workers.await(failing))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no disk");
  }

  @Test
  void supervisorsThatAreClosedShouldLendNone() {
    Supervisors supervisors = new Supervisors();
    supervisors.close();
    assertThatThrownBy(supervisors::borrow).isInstanceOf(InterruptedRunException.class);
  }

  @Test
  void acknowledgementKnowsWhatItWasBeforeARecord() {
    Acknowledgement.History history = new Acknowledgement.History();
    Acknowledgement nothing = new Acknowledgement(folder, 0, 0, history);
    assertThat(nothing.before(5)).isEqualTo(nothing);
    history.add(new Acknowledgement.Output(10, 0, 0), 8, 1);
    history.add(new Acknowledgement.Output(20, 0, 0), 16, 2);
    Acknowledgement now = new Acknowledgement(folder, 16, 2, history);

    assertThat(now.before(30)).isEqualTo(now);
    assertThat(now.before(20).bytes()).isEqualTo(8);
    assertThat(now.before(11).lines()).isEqualTo(1);
    assertThat(now.before(10).bytes()).isZero();
  }

  @Test
  void oldAcknowledgementsAreForgotten() {
    Acknowledgement.History history = new Acknowledgement.History();
    int many = Acknowledgement.History.MOST + 10;
    for (int output = 1; output <= many; output++) {
      history.add(new Acknowledgement.Output(output * 10L, 0, 0), output, output);
    }
    Acknowledgement now = new Acknowledgement(folder, many, many, history);

    assertThat(now.before(10L * many).bytes()).isEqualTo(many - 1);
    assertThat(now.before(130).bytes()).isEqualTo(12);
    assertThat(now.before(50)).as("which is no longer known").isEqualTo(now);
  }
}
