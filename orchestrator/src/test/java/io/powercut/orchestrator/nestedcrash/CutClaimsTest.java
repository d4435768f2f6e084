// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.image.pages.ImageHash;
import io.powercut.report.evidence.CutPlace;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.tree.FailurePointId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the recoveries of a run have cut between them. */
class CutClaimsTest {
  private static final CutPlace CUT = new CutPlace(new FailurePointId(7), 1);

  @TempDir private Path folder;
  private RecoveryCrashLog log;

  @BeforeEach
  void open() {
    log = RecoveryCrashLog.open(folder.resolve("log.jsonl"));
  }

  /** Another one for each number. */
  private ImageHash image(int number) throws Exception {
    Path directory = Files.createDirectories(folder.resolve("image-" + number));
    Files.write(directory.resolve("pool"), new byte[] {(byte) number});
    return ImageHash.of(directory);
  }

  private void logged(boolean isComplete, Map<String, Integer> states) throws Exception {
    log.add(
        new RecoveryCrashVerdicts(
            new FailurePointId(1),
            1,
            "first",
            Map.of(CUT.toString(), image(1).toString()),
            states,
            Map.of(),
            1,
            0,
            List.of(),
            List.of(),
            Map.of(),
            isComplete));
  }

  @Test
  void eachImageShouldBeClaimedOnceUntilThereAreEnough() throws Exception {
    CutClaims claims = new CutClaims(2, log);

    assertThat(claims.claim(CUT, image(1))).isTrue();
    assertThat(claims.claim(CUT, image(1))).isFalse();
    assertThat(claims.isEnough(CUT)).isFalse();
    assertThat(claims.claim(CUT, image(2))).isTrue();
    assertThat(claims.isEnough(CUT)).isTrue();
    assertThat(claims.claim(CUT, image(3))).isFalse();
  }

  @Test
  void crashStatesShouldBeClaimedOnSoManyImages() {
    CutClaims claims = new CutClaims(2, log);

    assertThat(claims.claimStates(CUT)).isTrue();
    assertThat(claims.isExploredEnough(CUT)).isFalse();
    assertThat(claims.claimStates(CUT)).isTrue();
    assertThat(claims.isExploredEnough(CUT)).isTrue();
    assertThat(claims.claimStates(CUT)).isFalse();
  }

  @Test
  void whatIsSettledInTheLogShouldCount() throws Exception {
    logged(true, Map.of(CUT.toString(), 3));
    CutClaims claims = new CutClaims(1, log);

    assertThat(claims.isEnough(CUT)).isTrue();
    assertThat(claims.isExploredEnough(CUT)).isTrue();
  }

  @Test
  void whatWasCutShortShouldBeDoneAgain() throws Exception {
    logged(false, Map.of(CUT.toString(), 3));
    CutClaims claims = new CutClaims(1, log);

    assertThat(claims.isEnough(CUT)).isFalse();
    assertThat(claims.isExploredEnough(CUT)).isFalse();
  }

  @Test
  void findingShouldBeNewOnce() {
    CutClaims claims = new CutClaims(1, log);

    assertThat(claims.isKnown("f")).isFalse();
    assertThat(claims.isNew("f")).isTrue();
    assertThat(claims.isKnown("f")).isTrue();
    assertThat(claims.isNew("f")).isFalse();
  }
}
