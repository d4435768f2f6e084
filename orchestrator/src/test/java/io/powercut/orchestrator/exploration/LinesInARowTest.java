// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.timeline.Happening;
import io.powercut.report.evidence.Timeline.Action;
import io.powercut.trace.Location;
import io.powercut.tree.Instruction;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LinesInARowTest {
  private final List<Happening> recent = new ArrayList<>();

  private Happening happened(Action kind, int thread, int offset, int size) {
    Happening one =
        new Happening(
            kind,
            recent.size(),
            thread,
            kind == Action.STORE ? Instruction.STORE : Instruction.CLWB,
            1,
            1,
            kind == Action.FENCE ? 0 : Location.of(1, offset),
            size,
            0,
            0);
    recent.add(one);
    return one;
  }

  private Happening store(int offset) {
    return happened(Action.STORE, 1, offset, 8);
  }

  private void flush(int offset) {
    happened(Action.FLUSH, 1, offset, 0);
  }

  private void fence(int thread) {
    happened(Action.FENCE, thread, 0, 0);
  }

  private List<Happening> behind(Happening lost) {
    return LinesInARow.storedBehind(lost, OptionalLong.empty(), recent);
  }

  @Test
  void storesToNeighbouringLinesShouldBeOfOneRun() {
    store(128);
    Happening lost = store(72);
    Happening same = store(64);
    Happening before = store(0);
    Happening behind = store(192);
    store(320);

    assertThat(behind(lost)).containsExactly(same, before, behind);
  }

  @Test
  void lineThatNothingStoredToShouldEndARun() {
    Happening lost = store(0);
    store(128);

    assertThat(behind(lost)).isEmpty();
  }

  /** It is taken care of already. */
  @Test
  void lineThatIsFlushedShouldEndARun() {
    Happening lost = store(0);
    store(64);
    flush(64);
    store(128);

    assertThat(behind(lost)).isEmpty();
  }

  @Test
  void fenceOfTheThreadShouldSeparate() {
    store(64);
    fence(1);
    Happening lost = store(0);
    store(128);
    fence(2);
    Happening same = store(8);
    fence(1);
    store(16);

    assertThat(behind(lost)).containsExactly(same);
  }

  @Test
  void otherThreadsShouldNotCount() {
    Happening lost = store(0);
    happened(Action.STORE, 2, 64, 8);
    happened(Action.STORE, 2, 8, 8);

    assertThat(behind(lost)).isEmpty();
  }

  /** What is stored from there on comes too late. */
  @Test
  void storeThatReliesOnTheLostOneShouldEnd() {
    Happening lost = store(0);
    Happening same = store(64);
    Happening early = store(8);

    assertThat(LinesInARow.storedBehind(lost, OptionalLong.of(early.ordinal()), recent))
        .containsExactly(same);
  }

  @Test
  void storeAcrossTwoLinesShouldJoinThem() {
    Happening lost = store(0);
    happened(Action.STORE, 1, 60, 64);
    Happening last = store(128);

    assertThat(behind(lost)).extracting(Happening::ordinal).containsExactly(1L, last.ordinal());
  }
}
