// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.server.Readiness.FileExists;
import io.powercut.oracle.server.Readiness.LogLine;
import io.powercut.oracle.server.Readiness.TcpPort;
import io.powercut.oracle.server.Readiness.UnixSocket;
import io.powercut.process.CommandSpec;
import io.powercut.process.Ending;
import io.powercut.process.RunningCommand;
import io.powercut.process.Signal;
import io.powercut.process.Supervisor;
import io.powercut.process.TestPrograms;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("programs")
class ServerRunTest {
  private static final String MARK = "server-run";
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir static Path directory;
  private static Path program;
  private static Supervisor supervisor;
  private final String port = Integer.toString(FreePort.find());

  @BeforeAll
  static void start() {
    program = TestPrograms.compile(ServerRunTest.class, "recovery.c", directory);
    supervisor = Supervisor.start();
  }

  @AfterAll
  static void close() {
    supervisor.close();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(TestPrograms.alive(MARK)).isEmpty();
  }

  private static CommandSpec.Builder command(String... arguments) {
    return TestPrograms.marked(MARK, program, arguments);
  }

  private ServerPlan plan(Readiness readiness, String request) {
    return ServerPlan.of(readiness, LONG, command("ask", port, request).build());
  }

  private ServerOutcome run(String request, String... server) {
    return ServerRun.run(supervisor, command(server).build(), plan(tcp(), request));
  }

  private Readiness tcp() {
    return new TcpPort("127.0.0.1", Integer.parseInt(port));
  }

  private static void assertStoppedBySignal(ServerOutcome outcome) {
    assertThat(outcome).isInstanceOf(ServerOutcome.Completed.class);
    assertThat(outcome.server().ending()).isEqualTo(new Ending.Signalled(Signal.TERM));
    assertThat(outcome.clientResult().orElseThrow().outputTail()).isEqualTo("answer o\n");
  }

  @Test
  void isReadyWhenItsPortIs() {
    assertStoppedBySignal(run("p", "server", port));
  }

  @Test
  void isReadyWhenItsSocketIs() {
    Path socket = directory.resolve("socket");
    ServerOutcome outcome =
        ServerRun.run(
            supervisor,
            command("server", socket.toString()).build(),
            ServerPlan.of(new UnixSocket(socket), LONG, CommandSpec.command("true").build()));
    assertThat(outcome).isInstanceOf(ServerOutcome.Completed.class);
  }

  @Test
  void isReadyWhenItsFileIsThere() {
    Path file = directory.resolve("up");
    ServerOutcome outcome =
        ServerRun.run(
            supervisor,
            command("server-with-file", port, file.toString()).build(),
            plan(new FileExists(file), "p"));
    assertStoppedBySignal(outcome);
  }

  @Test
  void isReadyWhenItSaysSoHoweverMuchItSaysThen() {
    ServerOutcome outcome =
        ServerRun.run(
            supervisor,
            command("server-with-log", port).outputFile(directory.resolve("log")).build(),
            plan(new LogLine(Pattern.compile("^listening now$", Pattern.MULTILINE)), "p"));
    assertStoppedBySignal(outcome);
  }

  @Test
  void serverThatEndsBeforeItIsReadyIsToldApart() {
    ServerOutcome outcome = run("p", "says-no");
    assertThat(outcome).isInstanceOf(ServerOutcome.EndedBeforeReady.class);
    assertThat(outcome.server().ending()).isEqualTo(new Ending.Exited(1));
    assertThat(outcome.describe()).isEqualTo("before the server was ready, it exited with code 1");
    assertThat(run("p", "server-crashes-first").server().ending())
        .isEqualTo(new Ending.Signalled(Signal.parse("SEGV")));
  }

  @Test
  void serverThatIsNeverReadyIsToldApart() {
    ServerOutcome outcome =
        ServerRun.run(
            supervisor,
            command("server", port).build(),
            ServerPlan.of(
                new FileExists(directory.resolve("never")),
                Duration.ofMillis(300),
                CommandSpec.command("true").build()));
    assertThat(outcome).isInstanceOf(ServerOutcome.NotReady.class);
    assertThat(outcome.describe()).contains("never was not there after 300 ms");
    assertThat(outcome.server().ending()).isEqualTo(new Ending.Stopped());
  }

  @Test
  void serverThatDoesNotExistIsToldApart() {
    ServerOutcome outcome =
        ServerRun.run(supervisor, CommandSpec.command("/no/such/server").build(), plan(tcp(), "p"));
    assertThat(outcome).isInstanceOf(ServerOutcome.EndedBeforeReady.class);
    assertThat(outcome.server().ending()).isInstanceOf(Ending.NotStarted.class);
  }

  @Test
  void serverThatCrashesUnderItsClientIsToldApart() {
    ServerOutcome outcome = run("c", "server", port);
    assertThat(outcome).isInstanceOf(ServerOutcome.EndedDuringClient.class);
    assertThat(outcome.server().ending()).isEqualTo(new Ending.Signalled(Signal.parse("SEGV")));
  }

  @Test
  void clientThatWaitsForADeadServerIsEnded() {
    CommandSpec waiting =
        TestPrograms.marked(
                MARK, Path.of("/bin/sh"), "-c", program + " ask " + port + " x; exec sleep 1000")
            .build();
    ServerOutcome outcome =
        ServerRun.run(
            supervisor, command("server", port).build(), ServerPlan.of(tcp(), LONG, waiting));
    assertThat(outcome).isInstanceOf(ServerOutcome.EndedDuringClient.class);
    assertThat(outcome.server().ending()).isEqualTo(new Ending.Exited(5));
    assertThat(outcome.clientResult().orElseThrow().ending()).isEqualTo(new Ending.Stopped());
  }

  @Test
  void clientThatFailsWhileTheServerLivesIsToldApart() {
    ServerOutcome outcome = run("b", "server", port);
    assertThat(outcome).isInstanceOf(ServerOutcome.ClientFailed.class);
    assertThat(outcome.describe())
        .isEqualTo(
            "the server ran, but its client failed: it exited with code 1, expected exit code 0");
    assertThat(outcome.clientResult().orElseThrow().outputTail()).isEqualTo("answer b\n");
  }

  @Test
  void clientThatHangsIsToldApart() {
    ServerPlan plan =
        plan(tcp(), "h")
            .withClient(
                Optional.of(command("ask", port, "h").timeLimit(Duration.ofMillis(300)).build()));
    ServerOutcome outcome = ServerRun.run(supervisor, command("server", port).build(), plan);
    assertThat(outcome).isInstanceOf(ServerOutcome.ClientFailed.class);
    assertThat(outcome.clientResult().orElseThrow().ending()).isInstanceOf(Ending.TimedOut.class);
  }

  @Test
  void serverMayEndByItselfWhenItsClientTellsItTo() {
    ServerOutcome outcome = run("q", "server", port);
    assertThat(outcome).isInstanceOf(ServerOutcome.EndedUnasked.class);
    assertThat(outcome.server().ending()).isEqualTo(new Ending.Exited(0));
  }

  @Test
  void isStoppedByACommand() {
    ServerPlan plan =
        plan(tcp(), "p").withStop(new StopPlan.ByCommand(command("ask", port, "q").build(), LONG));
    ServerOutcome outcome = ServerRun.run(supervisor, command("server", port).build(), plan);
    assertThat(outcome).isInstanceOf(ServerOutcome.Completed.class);
    assertThat(outcome.server().ending()).isEqualTo(new Ending.Exited(0));
  }

  @Test
  void stopThatFailsIsToldApart() {
    ServerPlan plan =
        plan(tcp(), "p")
            .withStop(
                new StopPlan.ByCommand(
                    CommandSpec.command("false").build(), Duration.ofSeconds(1)));
    ServerOutcome outcome = ServerRun.run(supervisor, command("server", port).build(), plan);
    assertThat(outcome).isInstanceOf(ServerOutcome.StopFailed.class);
  }

  /** As that of a target may be, when the namespace that it shares with its server ends. */
  @Test
  void stopMayBeKilledByTheEndOfItsServer() {
    Path up = directory.resolve("up");
    Path down = directory.resolve("down");
    String server =
        "touch %s; until test -e %s; do sleep 0.01; done; sleep 0.1".formatted(up, down);
    ServerPlan plan =
        ServerPlan.of(new FileExists(up), LONG, CommandSpec.command("true").build())
            .withStop(
                new StopPlan.ByCommand(
                    CommandSpec.command("sh", "-c", "touch %s; kill -9 $$".formatted(down)).build(),
                    LONG));
    ServerOutcome outcome =
        ServerRun.run(supervisor, CommandSpec.command("sh", "-c", server).build(), plan);
    assertThat(outcome).isInstanceOf(ServerOutcome.Completed.class);
    assertThat(outcome.server().ending()).isEqualTo(new Ending.Exited(0));
  }

  @Test
  void serverThatDoesNotStopIsToldApart() {
    ServerPlan plan =
        plan(tcp(), "p").withStop(new StopPlan.BySignal(Signal.TERM, Duration.ofMillis(300)));
    ServerOutcome outcome =
        ServerRun.run(supervisor, command("server-ignores-term", port).build(), plan);
    assertThat(outcome).isInstanceOf(ServerOutcome.DidNotStop.class);
    assertThat(outcome.describe()).contains("still running 300 ms later");
  }

  @Test
  void serverOverItsOwnLimitIsEnded() {
    ServerOutcome outcome =
        ServerRun.run(
            supervisor,
            command("hang").timeLimit(Duration.ofMillis(300)).build(),
            plan(tcp(), "p"));
    assertThat(outcome).isInstanceOf(ServerOutcome.EndedBeforeReady.class);
    assertThat(outcome.server().ending()).isInstanceOf(Ending.TimedOut.class);
  }

  /** The kernel gives a client the very port that it asks for once in about 10,000 times. */
  @Test
  void clientThatIsConnectedToItselfShouldNotTakeItsServerForReady() {
    RunningCommand server = supervisor.start(CommandSpec.command("true").build());
    Readiness ready = new TcpPort("127.0.0.1", 46_798);

    for (int i = 0; i < 40_000; i++) {
      assertThat(ready.isReady(server, Optional.empty())).isFalse();
    }
    server.await();
  }
}
