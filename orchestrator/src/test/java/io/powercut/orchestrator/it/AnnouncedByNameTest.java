// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A file is written without an {@code fsync}, and then a change of names or sizes, or whoever is
 * told, relies on it.
 */
@Tag("campaign")
class AnnouncedByNameTest {
  @RegisterExtension private static final Workbench workbench = Workbench.with();

  private static CampaignRuns runs;

  @BeforeAll
  static void compile() {
    workbench.compile("programs/announcing.c", "", List.of("-O1"));
    Path campaign =
        workbench.write(
            "announcing.yaml",
            """
            name: announcing
            parameters: {habit: correct}
            setup: {command: ["%1$s/announcing", create, "{habit}", "{pm}"]}
            target: {command: ["%1$s/announcing", run, "{habit}", "{pm}"]}
            recovery: {command: ["%1$s/announcing", check, "{habit}", "{pm}"]}
            acknowledged: [stdout]
            patterns: {enabled: false}
            """
                .formatted(workbench.directory()));
    runs = new CampaignRuns(workbench, campaign, "announcing", "parameters.habit", List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "rename, call fsync on the file before the rename to other",
    "map, call msync or fsync for it before the rename to other",
    "link, call fsync on the file before the link other is made",
    "unlink, call fsync on the file before journal is removed",
    "truncate, call fsync on the file before journal is truncated",
    "tell, call fsync on the file before it is acknowledged",
    "table, call fsync on the file before other files are changed or synchronised"
  })
  void syncBeforeTheAnnouncementShouldBeAdvised(String habit, String advice) throws Exception {
    assertThat(runs.report(habit).findings())
        .extracting(
            finding -> finding.title().replaceAll("(_table)? at \\S*/announcing\\.c:\\d+", ""))
        .containsExactly("the store at run is not synchronised: " + advice + " (verified)");
  }

  /** No fsync helps: it is appended behind that. The recovery does not take its length for more. */
  @Test
  void acknowledgementBeforeTheWriteShouldBeAdvisedToWait() throws Exception {
    assertThat(runs.report("early").findings())
        .extracting(finding -> finding.title().replaceAll(" at \\S*/announcing\\.c:\\d+", ""))
        .containsExactly(
            "the store at run is synchronised too late, at run: do not acknowledge it before it is"
                + " persisted (verified)");
  }

  /** No failure point is reached: the power can be cut at the end of the run alone. */
  @Test
  void programThatNeverSynchronisesShouldBeTestedAtItsEnd() throws Exception {
    Workbench.Said said = runs.run("exit", "occurrences=null");

    assertThat(said.exitCode()).as(said.errors()).isEqualTo(1);
    assertThat(said.output())
        .contains("only the end of the run was tested", "is not synchronised before the store");
    assertThat(runs.report("silent", "occurrences=null").findings()).isEmpty();
    assertThat(Workbench.report(runs.latest()).outcome().complete()).isTrue();
  }

  /** The end belongs to one of the parts; the other has nothing to do. */
  @Test
  void partsOfAProgramThatNeverSynchronisesShouldFindWhatTheRunDoes() {
    Path recording = workbench.directory().resolve("recording");
    Workbench.Said recorded =
        end("record", runs.campaign().toString(), "--to", recording.toString());
    assertThat(recorded.exitCode()).as(recorded.errors()).isZero();
    assertThat(recorded.output()).contains("the end of the run, as no failure point was reached");
    List<String> parts = new ArrayList<>();
    Set<Integer> codes = new HashSet<>();
    for (String shard : List.of("1/2", "2/2")) {
      String part = workbench.directory().resolve("part-" + shard.charAt(0)).toString();
      parts.add(part);
      Workbench.Said judged =
          Workbench.powercut("judge", recording.toString(), "--shard", shard, "--into", part);
      codes.add(judged.exitCode());
      assertThat(judged.output())
          .contains(judged.exitCode() == 0 ? "another part tests the end" : "the end of the run");
    }
    assertThat(codes).containsExactlyInAnyOrder(0, 1);

    Workbench.Said merged =
        Workbench.powercut(
            "merge",
            "--recording",
            recording.toString(),
            "--runs",
            workbench.runs().toString(),
            parts.get(0),
            parts.get(1));

    assertThat(merged.exitCode()).as(merged.errors()).isEqualTo(1);
    assertThat(merged.output()).contains("only the end of the run was tested");
    for (String shard : List.of("1/2", "2/2")) {
      assertThat(runs.run("exit", "occurrences=null", "--shard=" + shard).exitCode()).isIn(0, 1);
    }
    assertThat(end("verify", runs.campaign().toString()).output()).contains("nothing was compared");
  }

  private static Workbench.Said end(String... arguments) {
    return Workbench.powercut(
        Stream.concat(
                Stream.of(arguments),
                Stream.of("--set", "parameters.habit=exit", "--set", "occurrences=null"))
            .toArray(String[]::new));
  }

  @Test
  void withTheSyncThereShouldBeNoFinding() throws Exception {
    assertThat(runs.report("correct").findings()).isEmpty();
  }
}
