// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.oracle.CrashStack;
import io.powercut.oracle.OracleResult;
import io.powercut.oracle.OracleSettings;
import io.powercut.oracle.OutputCheck;
import io.powercut.oracle.StepResult;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.YesSample;
import io.powercut.process.CommandResult;
import io.powercut.process.DataSize;
import io.powercut.process.Ending;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs of recovery whose results are given; what they are asked about is kept. */
final class FakeRuns implements RecoveryRuns {
  private final Function<Path, Verdict> recovery;
  private final Deque<String> dumps = new ArrayDeque<>();
  private final List<Optional<Path>> evidence = new ArrayList<>();
  private final List<OracleSettings> settings = new ArrayList<>();
  private int glances;

  /**
   * @param recovery what it makes of a PM directory
   */
  FakeRuns(Function<Path, Verdict> recovery) {
    this.recovery = recovery;
  }

  /** One that accepts everything. */
  static FakeRuns accepting() {
    return new FakeRuns(pm -> new Verdict.Consistent());
  }

  /** What the next dumps print; the last one goes on. */
  FakeRuns printing(String... texts) {
    dumps.addAll(List.of(texts));
    return this;
  }

  /** Where evidence was to go, by question. */
  List<Optional<Path>> evidence() {
    return evidence;
  }

  /** How each question was asked. */
  List<OracleSettings> settings() {
    return settings;
  }

  /** How often it was only glanced. */
  int glances() {
    return glances;
  }

  private Verdict on(JudgedImages images) {
    try (var copy = images.fresh()) {
      return recovery.apply(copy.directory());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public OracleResult judge(
      JudgedImages images,
      Optional<Path> kept,
      OracleSettings asked,
      Optional<OutputCheck> dump,
      YesSample sample) {
    evidence.add(kept);
    settings.add(asked);
    Verdict verdict = on(images);
    if (verdict instanceof Verdict.Consistent && dump.isPresent()) {
      verdict = dump.get().judge(printed());
    }
    StepResult step =
        new StepResult(
            "check",
            new Ending.Exited(verdict.isFinding() ? 1 : 0),
            "item 3 is gone\n",
            Duration.ZERO,
            Duration.ZERO,
            DataSize.ZERO);
    return new OracleResult(verdict, List.of(step), kept);
  }

  private CommandResult printed() {
    try {
      String text = dumps.size() > 1 ? dumps.remove() : dumps.element();
      Path file = Files.writeString(Files.createTempFile("dump", ""), text);
      file.toFile().deleteOnExit();
      return new CommandResult(
          new Ending.Exited(0),
          text,
          Optional.of(file),
          text.length(),
          Duration.ZERO,
          Duration.ZERO,
          DataSize.ZERO,
          0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Verdict.Kind glance(JudgedImages images) {
    glances++;
    return on(images).kind();
  }

  @Override
  public void forget(CrashStack hang) {}
}
