// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.exit.PowercutException;
import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.AcknowledgedOutput;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerdictLogTest {
  private static final Judgement CRASH =
      new Judgement(
          FailurePointId.parse("0123456789abcdef"),
          1,
          0,
          Verdict.Kind.CRASHED,
          "recovery was ended by SIGSEGV",
          "check",
          "last \"words\"\n",
          List.of(new StackFrame("insert", "/src/map.c", 12, "map", "0x1a")),
          Optional.of("images/0123456789abcdef"),
          Optional.of(new AcknowledgedOutput(8, 1, "1 put 2")),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of(12L),
          0.25,
          Optional.empty(),
          Optional.empty());

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("verdicts.jsonl");
  }

  @Test
  void verdictsShouldComeBackAsTheyWereAdded() {
    VerdictLog.open(file()).add(CRASH);

    assertThat(VerdictLog.open(file()).all()).containsExactly(CRASH);
  }

  @Test
  void incompleteLastLineShouldBeLeftOutAndTheNextVerdictKept() throws IOException {
    VerdictLog.open(file()).add(CRASH);
    Files.writeString(file(), "{\"failurePointId\":\"00", StandardOpenOption.APPEND);

    VerdictLog reopened = VerdictLog.open(file());
    Judgement next =
        Judgement.inconclusive(FailurePointId.parse("fedcba9876543210"), "not reached again");
    reopened.add(next);

    assertThat(VerdictLog.open(file()).all()).containsExactly(CRASH, next);
  }

  @Test
  void damagedLineShouldBeNamed() throws IOException {
    Files.writeString(file(), "nonsense\n");

    assertThatThrownBy(() -> VerdictLog.open(file()))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("verdicts.jsonl:1");
  }

  @Test
  void laterVerdictShouldTakeTheEarlierOnesPlace() {
    VerdictLog log = VerdictLog.open(file());
    log.add(Judgement.inconclusive(CRASH.failurePointId(), "disk full"));
    log.add(CRASH);

    assertThat(log.find(CRASH.failurePointId())).contains(CRASH);
    assertThat(VerdictLog.open(file()).all()).containsExactly(CRASH);
  }
}
