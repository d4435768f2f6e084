// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the record says is compared with the files: a difference ends the run, and only that. */
@Tag("campaign")
class RecordTruthTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static Path program;

  @BeforeAll
  static void compile() {
    program = workbench.compile("programs/truth.c");
  }

  private static Workbench.Said run(String habit, String server) {
    Path campaign =
        workbench.write(
            "truth.yaml",
            """
            name: truth
            pm: {limit: 8MiB}
            target:
              command: [%s, %s, "{pm}"]
              timeout: 60s
            %s
            recovery: {command: ["true"], timeout: 10s}
            limits: {images: 5}
            """
                .formatted(program, habit, server));
    return workbench.runCampaign(campaign);
  }

  /** A client that the recorder does not see writes to the file. */
  private static String serverWithClient() {
    return """
      ready: {log: ready}
      client: {command: [sh, -c, "printf unseen | dd of=$1/data bs=1 seek=8200 conv=notrunc 2>/dev/null", sh, "{pm}"]}
      stop: {signal: TERM}
    """
        .indent(0);
  }

  @Test
  void storeThatWasNotSeenShouldEndTheRunWithFileOffsetAndLastStore() {
    Workbench.Said said = run("serve", serverWithClient());

    assertThat(said.exitCode()).as(said.output() + said.errors()).isEqualTo(3);
    assertThat(said.errors())
        .contains(
            "the record is not what the target did",
            "data differs from the record at offset 0x2008: it holds 756e7365656e",
            "last recorded store to that page is store at truth.c:");
  }

  @Test
  void storeThatIsGoneInTheEndShouldBeFoundAtAFence() {
    Workbench.Said said = run("serve-and-clean", serverWithClient());

    assertThat(said.exitCode()).as(said.output() + said.errors()).isEqualTo(3);
    assertThat(said.errors())
        .contains("in the page at 0x2000 of data the target's memory differs from the record");
  }

  @Test
  void modeThatWasNotSeenToChangeShouldEndTheRun() {
    String changing =
        serverWithClient().replaceAll("\"printf .*null\"", "\"chmod 0604 \\$1/data\"");
    Workbench.Said said = run("serve", changing);

    assertThat(said.exitCode()).as(said.output() + said.errors()).isEqualTo(3);
    assertThat(said.errors())
        .contains("the record is not what the target did: data has mode 0604, owner ")
        .contains("according to the record mode 0644, owner ")
        .contains("So a change of it was not seen");
  }

  @Test
  void nameThatWasNotSeenToChangeShouldEndTheRun() {
    String changing =
        serverWithClient().replaceAll("\"printf .*null\"", "\"cd \\$1; cp -p data x; mv x twin\"");
    Workbench.Said said = run("serve-twin", changing);

    assertThat(said.exitCode()).as(said.output() + said.errors()).isEqualTo(3);
    assertThat(said.errors())
        .contains(
            "according to the record, data and twin are two names of one file, and they are not");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "files", "threads", "attributes"})
  void recordThatIsTrueShouldBeCalledSo(String habit) {
    Workbench.Said said = run(habit, "");

    assertThat(said.exitCode()).as(said.output() + said.errors()).isIn(0, 4);
    assertThat(said.errors()).doesNotContain("the record");
  }

  @ParameterizedTest
  @ValueSource(strings = {"killed-child", "detached-child"})
  void whatIsInDoubtShouldNotBeCompared(String habit) {
    Workbench.Said said = run(habit, "");

    assertThat(said.exitCode()).as(said.output() + said.errors()).isIn(0, 4);
    assertThat(said.errors())
        .contains(
            "the record was not compared with the files: a process of the target was killed, as any is"
                + " that still runs when its command ends");
  }
}
