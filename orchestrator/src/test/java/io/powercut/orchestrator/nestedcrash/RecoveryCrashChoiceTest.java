// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.nestedcrash;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.orchestrator.judging.ProgramByHand;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On which images recovery is cut. */
class RecoveryCrashChoiceTest {
  private static final int OFFERED = 60;

  @TempDir private Path folder;
  private ProgramByHand program;
  private RecoveryCrashLog log;

  @BeforeEach
  void open() throws IOException {
    program = new ProgramByHand(folder);
    log = RecoveryCrashLog.open(folder.resolve("log.jsonl"));
  }

  @AfterEach
  void close() throws IOException {
    program.close();
  }

  private static CallStack stack(String function) {
    return CallStack.of(
        List.of(new Frame("app", 1, List.of(new SourcePosition(function, "/src/app.c", 1)))));
  }

  /** An image of its own for each occurrence of one failure point. */
  private List<CrashPoint> occurrences() throws IOException {
    List<CrashPoint> all = new ArrayList<>();
    for (int number = 1; number <= OFFERED; number++) {
      program.store(number, number, 0, 1);
      all.add(program.cut(new Occurrence(new FailurePointId(1), number), Optional.empty()));
    }
    return all;
  }

  private List<Long> chosen(int most, List<CrashPoint> offered, String... functions)
      throws IOException {
    try (RecoveryCrashChoice choice = new RecoveryCrashChoice(Optional.of(log), most)) {
      for (int index = 0; index < offered.size(); index++) {
        CrashPoint point = offered.get(index);
        String function = index < functions.length ? functions[index] : "usual";
        choice.offer(point, point.image().hash(), stack(function));
      }
      List<RecoveryCrashChoice.Chosen> taken = choice.take();
      List<Long> numbers = taken.stream().map(one -> one.occurrence().number()).toList();
      taken.forEach(RecoveryCrashChoice.Chosen::close);
      return numbers;
    }
  }

  @Test
  void occurrencesShouldBeOfTheWholeRun() throws IOException {
    List<CrashPoint> all = occurrences();
    List<Long> numbers = chosen(12, all);

    assertThat(numbers).hasSize(12).contains(1L);
    assertThat(numbers.stream().filter(number -> number > 12)).hasSizeGreaterThan(6);
    all.forEach(CrashPoint::close);
  }

  @Test
  void choiceShouldNotDependOnTheOrderInWhichOthersAreOffered() throws IOException {
    List<CrashPoint> all = occurrences();
    List<CrashPoint> others = new ArrayList<>(all.subList(1, OFFERED));
    List<Long> numbers = chosen(12, all);
    Collections.reverse(others);
    others.add(0, all.get(0));

    assertThat(chosen(12, others)).containsExactlyInAnyOrderElementsOf(numbers);
    all.forEach(CrashPoint::close);
  }

  @Test
  void newFunctionsShouldTakeThePlaceOfOtherOccurrences() throws IOException {
    List<CrashPoint> all = occurrences();
    String[] functions =
        IntStream.range(0, OFFERED)
            .mapToObj(index -> index < 50 ? "usual" : "f" + index)
            .toArray(String[]::new);

    assertThat(chosen(11, all, functions))
        .contains(51L, 52L, 53L, 54L, 55L, 56L, 57L, 58L, 59L, 60L)
        .hasSize(11);
    all.forEach(CrashPoint::close);
  }
}
