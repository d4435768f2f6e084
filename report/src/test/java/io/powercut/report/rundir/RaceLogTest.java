// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.SampleRuns;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.PersistencyRace;
import io.powercut.tree.FailurePointId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What several runs of one target found together. */
class RaceLogTest {
  private static RaceLog log(RaceLog.Found... races) {
    return RaceLog.of(true, Arrays.asList(races));
  }

  private static RaceLog.Found race(String fingerprint, String level) {
    return new RaceLog.Found(fingerprint, SampleRuns.race(level, 10, 30, 20, Optional.empty()));
  }

  @Test
  void raceOfSeveralRunsShouldBeOneWithItsStrongestEvidence() {
    RaceLog united =
        RaceLog.united(
            List.of(
                log(race("a", "lockset")),
                log(race("b", "region")),
                log(race("a", "observed"), race("a", "lockset"))));

    assertThat(united.races()).extracting(RaceLog.Found::fingerprint).containsExactly("a", "b");
    PersistencyRace first = united.races().get(0).evidence();
    assertThat(first.level()).isEqualTo(PersistencyRace.Level.OBSERVED);
    assertThat(first.runs()).isEqualTo(2);
    assertThat(first.searched()).isEqualTo(3);
    assertThat(first.bytesInWords()).endsWith(", found in 2 of 3 runs");
  }

  @Test
  void runInWhichACrashWasTriedShouldBeShownAmongEquals() {
    Optional<Occurrence> tried = Optional.of(new Occurrence(new FailurePointId(7), 1));
    RaceLog united =
        RaceLog.united(
            List.of(
                log(race("a", "consequence")),
                log(new RaceLog.Found("a", SampleRuns.race("consequence", 10, 30, 20, tried)))));

    assertThat(united.races().get(0).evidence().tried()).isEqualTo(tried);
  }

  @Test
  void crashThatWasTriedShouldNotBeForgottenForStrongerEvidenceOfAnotherRun() {
    Optional<Occurrence> tried = Optional.of(new Occurrence(new FailurePointId(7), 1));
    RaceLog united =
        RaceLog.united(
            List.of(
                log(race("a", "consequence")),
                log(new RaceLog.Found("a", SampleRuns.race("observed", 10, 30, 20, tried)))));

    assertThat(united.races().get(0).evidence().level())
        .isEqualTo(PersistencyRace.Level.CONSEQUENCE);
    assertThat(united.races().get(0).evidence().tried()).isEqualTo(tried);
  }

  @Test
  void oneIncompleteRunShouldMakeAllIncomplete() {
    RaceLog incomplete = RaceLog.of(false, List.of());

    assertThat(RaceLog.united(List.of(log(), incomplete)).complete()).isFalse();
    assertThat(RaceLog.united(List.of(log(), log())).complete()).isTrue();
  }

  @Test
  void limitsAndThreadsThatDidNotTakeTurnsShouldBeSaidWithWhatToDo() {
    assertThat(RaceLog.notes(List.of(), false)).isEmpty();
    assertThat(RaceLog.notes(List.of("2 loads in the cache line 0x40 of pool"), true))
        .containsExactly(
            "limit reached: 2 loads in the cache line 0x40 of pool",
            "the threads used PM one after the other, or one of them alone, so what one stored looks"
                + " like initialisation to the next; they take turns with --set schedule.policy=delay"
                + " or schedule.quantum=1000, for example, or with races.runs=4");
  }
}
