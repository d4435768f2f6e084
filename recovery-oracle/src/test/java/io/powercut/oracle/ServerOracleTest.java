// SPDX-License-Identifier: Apache-2.0
package io.powercut.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.server.FreePort;
import io.powercut.oracle.server.Readiness.FileExists;
import io.powercut.oracle.server.Readiness.TcpPort;
import io.powercut.oracle.server.ServerPlan;
import io.powercut.oracle.server.StopPlan;
import io.powercut.process.CommandSpec;
import io.powercut.process.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("programs")
@Execution(ExecutionMode.CONCURRENT)
class ServerOracleTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path directory;
  private OracleFixture fixture;

  @BeforeEach
  void start() throws IOException {
    fixture = new OracleFixture(directory);
  }

  @AfterEach
  void close() throws IOException {
    fixture.close();
  }

  /** A server and a client that sends it one request; each asking has a port of its own. */
  private OracleResult judge(String server, String request) {
    return fixture.judge(
        image -> {
          int port = FreePort.find();
          CommandSpec client =
              fixture
                  .recovery("ask", Integer.toString(port), request)
                  .timeLimit(Duration.ofSeconds(2))
                  .build();
          ServerPlan plan =
              ServerPlan.of(new TcpPort("127.0.0.1", port), LONG, client)
                  .withStop(new StopPlan.BySignal(Signal.TERM, Duration.ofSeconds(1)));
          CommandSpec command = fixture.recovery(server, Integer.toString(port)).build();
          return List.of(RecoveryStep.server("serve", command, plan));
        });
  }

  @Test
  void serverThatServesAndStopsIsConsistent() {
    OracleResult result = judge("server", "p");
    assertThat(result.verdict()).isEqualTo(new Verdict.Consistent());
    assertThat(result.steps().get(0).outputTail()).isEqualTo("\n[client]\nanswer o\n");
  }

  /** A server that is ready at once and then ends in this way, while nobody asks it to. */
  private Verdict unasked(String end) {
    Path ready = directory.resolve("ready");
    CommandSpec client = CommandSpec.command("sleep", "1").build();
    return fixture
        .judge(
            image -> {
              CommandSpec server =
                  CommandSpec.command("sh", "-c", "touch " + ready + "; sleep 0.3; " + end).build();
              ServerPlan plan =
                  ServerPlan.of(new FileExists(ready), LONG, client)
                      .withStop(new StopPlan.BySignal(Signal.TERM, Duration.ofSeconds(1)));
              return List.of(RecoveryStep.server("serve", server, plan));
            })
        .verdict();
  }

  @Test
  void serverEndedByASignalThatNobodySentIsNotHealthy() {
    assertThat(unasked("kill -TERM $$; sleep 9").kind()).isEqualTo(Verdict.Kind.CRASHED);
    assertThat(unasked("exit 143").kind()).isEqualTo(Verdict.Kind.UNRECOVERABLE);
    assertThat(unasked("exit 0")).isEqualTo(new Verdict.Consistent());
  }

  @Test
  void clientsFailureIsUnrecoverableWithItsOutput() {
    Verdict verdict = judge("server", "b").verdict();
    assertThat(verdict).isInstanceOf(Verdict.Unrecoverable.class);
    assertThat(((Verdict.Unrecoverable) verdict).said()).isEqualTo("answer b\n");
  }

  @Test
  void serversCrashUnderItsClientIsACrashWithItsStack() throws IOException {
    Verdict verdict = judge("server", "c").verdict();
    assertThat(verdict).isInstanceOf(Verdict.Crashed.class);
    List<CrashFrame> frames = ((Verdict.Crashed) verdict).stack().frames();
    assertThat(frames)
        .extracting(CrashFrame::function)
        .containsExactly("follow_pointer", "recover_tree", "serve", "main");
    assertThat(frames.get(0).line()).hasValue(fixture.crashingLine());
  }

  @Test
  void serversCrashBeforeItIsReadyIsACrashWithItsStack() {
    Verdict verdict = judge("server-crashes-first", "p").verdict();
    assertThat(verdict).isInstanceOf(Verdict.Crashed.class);
    assertThat(verdict.describe()).contains("follow_pointer");
  }

  @Test
  void serversExitBeforeItsTimeIsUnrecoverable() {
    assertThat(judge("says-no", "p").verdict()).isInstanceOf(Verdict.Unrecoverable.class);
    assertThat(judge("server", "x").verdict()).isInstanceOf(Verdict.Unrecoverable.class);
    assertThat(judge("fine", "p").verdict()).isInstanceOf(Verdict.Unrecoverable.class);
  }

  @Test
  void serverThatNeverAnswersOrNeverStopsIsHung() {
    assertThat(judge("server", "h").verdict().kind()).isEqualTo(Verdict.Kind.HUNG);
    assertThat(judge("server-ignores-term", "p").verdict().kind()).isEqualTo(Verdict.Kind.HUNG);
  }
}
