// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.Observation;
import io.powercut.report.facts.OracleControls;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.RunFacts;
import io.powercut.report.rundir.Shard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KeptFactsTest {
  private static final OracleControls SHOWN =
      new OracleControls(List.of(new OracleControls.Damaged("zeroed", Verdict.Kind.UNRECOVERABLE)));

  @RegisterExtension private final HandRun run = HandRun.open();
  private RunDirectory directory;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = new RunDirectory(Files.createDirectory(run.folder().resolve("run")));
  }

  private KeptFacts facts(boolean isJudged) throws IOException {
    return new KeptFacts(
        directory,
        new KeptFacts.Origin(Path.of("/campaigns/app.yaml"), Optional.empty(), isJudged),
        new Timings(),
        Observation.of(run.campaign(), false),
        Map.of("kernel", "6.1"));
  }

  @Test
  void whatIsKnownUpToNowShouldBeInTheDirectory() throws IOException {
    KeptFacts facts = facts(false);
    facts.treeIsWhole();
    facts.controlled(Optional.of(SHOWN));
    facts.advise("symbols", "install them");
    facts.stopped("the disk is full");
    facts.store("app");

    RunFacts kept = directory.facts();
    assertThat(kept.campaignFile()).isEqualTo("/campaigns/app.yaml");
    assertThat(kept.treeIsWhole()).isTrue();
    assertThat(kept.controls()).contains(SHOWN);
    assertThat(kept.environment()).containsEntry("kernel", "6.1").containsKey("symbols");
    assertThat(kept.stopped()).contains("the disk is full");
  }

  @Test
  void runThatIsContinuedShouldKnowWhatItsEarlierPartDid() throws IOException {
    KeptFacts first = facts(false);
    first.treeIsWhole();
    first.controlled(Optional.of(SHOWN));
    first.store("app");
    RunFacts before = directory.facts();

    KeptFacts second = facts(false);
    second.store("app");

    assertThat(second.hadWholeTree()).isTrue();
    assertThat(directory.facts().started()).isEqualTo(before.started());
    assertThat(directory.facts().controls()).contains(SHOWN);
    assertThat(directory.facts().treeIsWhole()).isFalse();
  }

  @Test
  void runOfMergedPartsShouldKeepWhichOnesAreMissing() throws IOException {
    Json.write(
        directory.factsFile(),
        new RunFacts(
            "/campaigns/app.yaml",
            "2026-01-01T00:00:00Z",
            true,
            "build",
            Optional.empty(),
            List.of(new Shard(2, 2)),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));

    facts(true).store("app");

    assertThat(directory.facts().missingParts()).containsExactly(new Shard(2, 2));
    assertThat(directory.facts().targetBuildId()).isEqualTo("build");
  }
}
