// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.target.HandRun;
import io.powercut.orchestrator.target.TargetByHand;
import io.powercut.report.facts.OracleControls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** That an oracle is refused which says no without a crash, and seen which never says no. */
class ControlsTest {
  private static final String DUMP = "dump: {command: [\"true\"]}\n";

  @RegisterExtension private final HandRun run = HandRun.open();

  private void control(Campaign campaign, RecoveryRuns recovery) {
    new CleanControl(campaign, recovery, run.workplace())
        .control("the state after set-up", run.base(), Optional.empty());
  }

  @Test
  void oracleThatRefusesAStateWithoutACrashShouldBeRefusedWithWhatItPrinted() throws IOException {
    FakeRuns refusing =
        new FakeRuns(pm -> new Verdict.Unrecoverable("it said no", "", OptionalInt.empty()));
    Campaign campaign = run.campaign();

    assertThatThrownBy(() -> control(campaign, refusing))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("recovery does not accept the state after set-up as consistent")
        .hasMessageContaining("it said no")
        .hasMessageContaining("It printed:\n  item 3 is gone");
    control(run.campaign("oracle: {controls: false}\n"), refusing);
    assertThat(refusing.evidence()).hasSize(1);
  }

  @Test
  void dumpThatChangesFromRunToRunShouldBeRefused() throws IOException {
    Campaign campaign = run.campaign(DUMP);

    control(campaign, FakeRuns.accepting().printing("same"));
    assertThatThrownBy(() -> control(campaign, FakeRuns.accepting().printing("10:03", "10:04")))
        .hasMessageContaining("differs between two runs on the same contents");
  }

  private Path after(byte fill) throws IOException {
    Path after = Files.createDirectory(run.folder().resolve("after"));
    byte[] content = new byte[TargetByHand.SIZE];
    Arrays.fill(content, fill);
    Files.write(after.resolve(TargetByHand.FILE), content);
    return after;
  }

  private Optional<OracleControls> damage(Campaign campaign, FakeRuns recovery, Path after)
      throws IOException {
    return new NegativeControl(
            campaign.oracle(),
            recovery,
            run.resources().area(),
            Progress.SILENT,
            new NegativeControl.States(run.base(), after, Optional.empty()))
        .run(new Budget(campaign));
  }

  private static byte[] pool(Path pm) {
    try {
      return Files.readAllBytes(pm.resolve(TargetByHand.FILE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void oracleShouldBeShownDamagedImagesAndSayNo() throws IOException {
    FakeRuns recovery =
        new FakeRuns(
            pm ->
                pool(pm)[0] == 7
                    ? new Verdict.Consistent()
                    : new Verdict.Unrecoverable("no magic", "", OptionalInt.empty()));
    OracleControls controls = damage(run.campaign(), recovery, after((byte) 7)).orElseThrow();

    // That all stores are lost is a legal state, since nothing was acknowledged.
    assertThat(controls.damaged())
        .extracting(OracleControls.Damaged::how)
        .containsExactlyInAnyOrder(
            "the first half of each file as before the run",
            "the second half of each file as before the run",
            "all bytes that the run changed inverted");
    assertThat(controls.damaged())
        .filteredOn(one -> one.verdict() == Verdict.Kind.UNRECOVERABLE)
        .hasSize(2);
    assertThat(pool(run.folder().resolve("after"))).containsOnly(7);
  }

  @Test
  void onlyChangedBytesShouldBeInvertedWhateverTheirPage() throws IOException {
    Path after = after((byte) 0);
    byte[] content = new byte[5 * 4096 + 7]; // longer than before the run
    content[1] = 7;
    content[4095] = 8;
    content[2 * 4096] = 9;
    content[content.length - 1] = 10;
    Files.write(after.resolve(TargetByHand.FILE), content);
    byte[] inverted = content.clone();
    for (int index : new int[] {1, 4095, 2 * 4096, content.length - 1}) {
      inverted[index] = (byte) ~content[index];
    }
    List<byte[]> shown = new ArrayList<>();

    damage(
        run.campaign(),
        new FakeRuns(
            pm -> {
              shown.add(pool(pm));
              return new Verdict.Consistent();
            }),
        after);

    assertThat(shown).anyMatch(image -> Arrays.equals(image, inverted));
  }

  @Test
  void imageThatIsNotDamagedShouldNotBeShown() throws IOException {
    FakeRuns recovery = FakeRuns.accepting();
    damage(run.campaign(), recovery, after((byte) 0));

    assertThat(recovery.glances()).isZero();
  }

  @Test
  void withoutControlsNothingShouldBeAsked() throws IOException {
    FakeRuns recovery = FakeRuns.accepting();

    assertThat(damage(run.campaign("oracle: {controls: false}\n"), recovery, after((byte) 7)))
        .isEmpty();
    assertThat(recovery.glances()).isZero();
  }
}
