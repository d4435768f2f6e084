// SPDX-License-Identifier: Apache-2.0
package io.powercut.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowercutTest {
  private static final String BUG =
      """
      {"event":"phase","title":"running"}
      not an event
      {"event":"finding","severity":"BUG","kind":"CRASHED","fingerprint":"f1","title":"it crashed","place":"put at a.c:7","accepted":false,"fails":true,"replay":"powercut replay r f1"}
      {"event":"later","what":"this version does not know"}
      {"event":"finding","unknown":1,"severity":"WARNING","kind":"DIRTY_OVERWRITE","fingerprint":"f2","title":"overwritten","place":"put at a.c:9","accepted":false,"fails":false,"replay":null}
      {"event":"finding","severity":"BUG","kind":"HUNG","fingerprint":"f3","title":"known","place":"get at a.c:3","accepted":true,"fails":false,"replay":"powercut replay r f3"}
      {"event":"result","exit":1,"meaning":"new bugs","report":"/runs/a/report.json","reason":""}
      """;

  @TempDir Path folder = Path.of("");

  /** A command that says what it was given, and then this. */
  private Powercut printing(String events, int exitCode) throws IOException {
    Files.writeString(folder.resolve("events"), events);
    return script("printf '%s\\n' \"$@\" >arguments\ncat events\nexit " + exitCode);
  }

  private Powercut script(String text) throws IOException {
    Path command = folder.resolve("powercut");
    Files.writeString(command, "#!/bin/sh\ncd " + folder + " || exit 9\n" + text + "\n");
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    return Powercut.at(command);
  }

  @Test
  void runShouldGiveItsFindings() throws IOException {
    Outcome outcome = printing(BUG, 1).run(Path.of("app.yaml"));

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.findings())
        .extracting(Finding::fingerprint)
        .containsExactly("f1", "f2", "f3");
    assertThat(outcome.failures()).extracting(Finding::fingerprint).containsExactly("f1");
    assertThat(outcome.findings().get(1).replay()).isEmpty();
    assertThat(outcome.report()).contains(Path.of("/runs/a"));
    assertThatThrownBy(outcome::requireClean)
        .isInstanceOf(AssertionError.class)
        .hasMessage(
            """
            BUG crashed  it crashed
              at put at a.c:7
              fingerprint: f1
              replay: powercut replay r f1
            powercut: new bugs (exit code 1)
            report: /runs/a/report.html""");
  }

  /** With {@code failOn: [bug, race]}. */
  @Test
  void raceThatFailsARunShouldBeDescribed() throws IOException {
    String race =
        BUG.replace(
            "\"severity\":\"BUG\",\"kind\":\"CRASHED\"",
            "\"severity\":\"RACE\",\"kind\":\"DATA_RACE\"");
    assertThat(race).isNotEqualTo(BUG);
    Outcome outcome = printing(race, 1).run(Path.of("app.yaml"));

    assertThat(outcome.describe()).startsWith("RACE data_race  it crashed\n");
  }

  @Test
  void cleanRunShouldPass() throws IOException {
    Outcome outcome =
        printing("{\"event\":\"result\",\"meaning\":\"nothing new\"}", 0).run(Path.of("app.yaml"));

    assertThatCode(outcome::requireClean).doesNotThrowAnyException();
    assertThat(outcome.report()).isEmpty();
  }

  /** What could not be tested is no success. */
  @Test
  void runThatTestedNothingShouldFail() throws IOException {
    Outcome early =
        printing("{\"event\":\"error\",\"exit\":3,\"message\":\"gdb is missing\"}", 3)
            .run(Path.of("app.yaml"));
    Outcome silent = script("echo 'no such option' >&2; exit 2").run(Path.of("app.yaml"));

    assertThatThrownBy(early::requireClean).hasMessage("powercut: gdb is missing (exit code 3)");
    assertThatThrownBy(silent::requireClean).hasMessage("powercut: no such option (exit code 2)");
  }

  @Test
  void optionsShouldReachTheCommand() throws IOException {
    Powercut plain = printing("", 0);
    plain.set("parameters.n", "5 = 5").runs(Path.of("/tmp/a b")).run(Path.of("my app.yaml"));

    assertThat(folder.resolve("arguments"))
        .hasContent("run\nmy app.yaml\n--json\n--set\nparameters.n=5 = 5\n--runs\n/tmp/a b\n");
    plain.resume().shard("2/3").run(Path.of("app.yaml"));
    assertThat(folder.resolve("arguments"))
        .hasContent("run\napp.yaml\n--json\n--resume\n--shard\n2/3\n");
    plain.run(Path.of("app.yaml"));
    assertThat(folder.resolve("arguments")).hasContent("run\napp.yaml\n--json\n");
  }

  @Test
  void listenerShouldGetEachEventInOrder() throws IOException {
    List<Event> events = new ArrayList<>();
    printing(BUG, 1).run(Path.of("app.yaml"), events::add);

    assertThat(events)
        .extracting(event -> event.getClass().getSimpleName())
        .containsExactly("Phase", "Found", "Found", "Found", "Result");
  }

  /** As when it is killed behind its last event. */
  @Test
  void exitCodeShouldBeThatOfTheProcess() throws IOException {
    Outcome outcome =
        printing("{\"event\":\"result\",\"exit\":0,\"meaning\":\"nothing new\"}", 137)
            .run(Path.of("app.yaml"));

    assertThat(outcome.exitCode()).isEqualTo(137);
    assertThat(outcome.isClean()).isFalse();
  }

  @Test
  void campaignShouldBeAFileWhileItRuns() throws IOException {
    Powercut powercut = script("cat \"$2\" >campaign; printf '%s' \"$2\" >name");
    powercut.run(
        Campaign.named("app", Path.of("/app"))
            .target("./app", "{pm}/a \"b\"")
            .recovery("./check")
            .with("pm", Map.of("limit", "1MiB")));

    assertThat(folder.resolve("campaign"))
        .hasContent(
            """
            {"name":"app","workingDirectory":"/app","target":{"command":["./app","{pm}/a \\"b\\""]},"recovery":{"command":["./check"]},"pm":{"limit":"1MiB"}}
            """);
    assertThat(Path.of(Files.readString(folder.resolve("name")))).doesNotExist();
  }

  @Test
  void commandShouldBeFoundOnThePath() throws IOException {
    script("exit 0");
    assertThat(Powercut.onPath("/nowhere::" + folder)).contains(folder.resolve("powercut"));
    assertThat(Powercut.onPath("/nowhere")).isEmpty();
    assertThatThrownBy(() -> Powercut.at(folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no command");
  }
}
