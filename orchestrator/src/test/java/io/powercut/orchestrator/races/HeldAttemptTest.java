// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.races;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.recorder.HeldWriter;
import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.HeldOrder;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RaceLog;
import io.powercut.tree.FailurePointId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What came of holding a writer. */
class HeldAttemptTest {
  private static final HeldWriter WRITER = new HeldWriter(2, 7, 100, Optional.empty());
  private static final Occurrence HERE = new Occurrence(new FailurePointId(7), 1);

  private static HeldAttempt seen(long load, Optional<Occurrence> tried) {
    return HeldAttempt.of(
        WRITER,
        Optional.of(new RaceLog.Found("one", SampleRuns.race("region", 10, 30, load, tried))),
        false);
  }

  private static final HeldAttempt TRIED = seen(20, Optional.of(HERE));
  private static final HeldAttempt UNUSED = seen(20, Optional.empty());
  private static final HeldAttempt IMPOSSIBLE = seen(40, Optional.empty());

  @Test
  void outcomeShouldBeWhatTheReaderDid() {
    assertThat(TRIED.order()).isEqualTo(new HeldOrder(2, 7, HeldOrder.TRIED));
    assertThat(UNUSED.order().outcome()).isEqualTo(HeldOrder.UNUSED);
    assertThat(IMPOSSIBLE.isImpossible()).isTrue();
    assertThat(HeldAttempt.of(WRITER, Optional.empty(), false).isImpossible()).isTrue();
    assertThat(HeldAttempt.failed(WRITER).order().outcome()).isEqualTo(HeldOrder.FAILED);
  }

  private static HeldAttempt at(long store, boolean isHarmful) {
    return HeldAttempt.of(new HeldWriter(2, store, 100, Optional.empty()), TRIED.seen(), isHarmful);
  }

  @Test
  void harmAtOneStoreShouldCountBeforeThatAnotherOneDidNone() {
    HeldAttempt all = at(7, false).orBetter(at(8, false)).orBetter(at(9, true));

    assertThat(all.isHarmful()).isTrue();
    assertThat(all.order()).isEqualTo(new HeldOrder(2, 9, HeldOrder.TRIED).ofStores(3));
    assertThat(all.orBetter(at(10, false)).order().store()).isEqualTo(9);
    assertThat(all.isOpen()).isFalse();
    assertThat(at(7, false).isOpen()).isTrue();
    assertThat(HeldAttempt.failed(WRITER).isOpen()).isFalse();
  }

  @Test
  void anotherWayToHoldAtAStoreShouldNotCountTwice() {
    assertThat(IMPOSSIBLE.orBetter(UNUSED).order().stores()).isEqualTo(1);
  }

  @Test
  void ofTwoTheOneThatSaysMoreShouldBeKept() {
    assertThat(IMPOSSIBLE.orBetter(TRIED)).isSameAs(TRIED);
    assertThat(TRIED.orBetter(UNUSED)).isSameAs(TRIED);
    assertThat(IMPOSSIBLE.orBetter(HeldAttempt.failed(WRITER))).isSameAs(IMPOSSIBLE);
    assertThat(UNUSED.orBetter(seen(20, Optional.empty()))).isSameAs(UNUSED);
  }
}
