// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.campaign.sections.DumpSection;
import io.powercut.campaign.sections.OracleSection;
import io.powercut.exit.FileProblem;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.oracle.ImageCopy;
import io.powercut.oracle.OracleResult;
import io.powercut.oracle.OracleSettings;
import io.powercut.oracle.OutputCheck;
import io.powercut.oracle.Verdict;
import io.powercut.oracle.YesSample;
import io.powercut.orchestrator.dump.Dump;
import io.powercut.orchestrator.dump.DumpComparison;
import io.powercut.orchestrator.dump.DumpReader;
import io.powercut.orchestrator.session.OwnPressure;
import io.powercut.orchestrator.session.Progress;
import io.powercut.report.evidence.AcknowledgedOutput;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Lets the campaign's recovery judge images, and keeps those that prove a bug. */
public final class ImageJudge implements CrashImageJudge {
  private static final double NANOSECONDS = 1e9;

  /** How often a recovery that timed out is repeated while memory is short. */
  private static final int TIMES_UNDER_PRESSURE = 3;

  private final RecoveryRuns recovery;
  private final OracleSettings settings;
  private final YesSample sample;
  private final RunDirectory directory;
  private final Progress progress;

  /**
   * @param directory where images of bugs go
   * @param progress told of what cannot be kept
   */
  public ImageJudge(
      RecoveryRuns recovery, OracleSection section, RunDirectory directory, Progress progress) {
    this.recovery = recovery;
    this.settings = OracleChoices.of(section);
    this.sample = section.doubleCheck() ? YesSample.create() : YesSample.none();
    this.directory = directory;
    this.progress = progress;
  }

  @Override
  public Dump dump(String of, JudgedImages images) {
    DumpReader dump = new DumpReader(of);
    OracleResult result =
        recovery.judge(
            images, Optional.empty(), OracleChoices.ONCE, Optional.of(dump), YesSample.none());
    return result.verdict() instanceof Verdict.Consistent
        ? dump.dump()
        : Dump.missing(of, result.verdict().describe());
  }

  @Override
  public Judgement judge(Occurrence occurrence, JudgedImages images) {
    return judge(occurrence, images, directory.imageDirectory(occurrence));
  }

  @Override
  public Judgement judge(Occurrence occurrence, JudgedImages images, Path kept) {
    long begin = System.nanoTime();
    OracleResult result = compare(images, Optional.of(kept.resolve("evidence")), settings);
    Optional<String> image = result.verdict().isFinding() ? keep(images, kept) : Optional.empty();
    return Judgements.of(occurrence, result, image, told(result, images), since(begin));
  }

  @Override
  public Judgement probe(Occurrence occurrence, JudgedImages images) {
    long begin = System.nanoTime();
    OracleResult result = compare(images, Optional.empty(), OracleChoices.ONCE);
    return Judgements.of(occurrence, result, Optional.empty(), told(result, images), since(begin));
  }

  private static double since(long begin) {
    return (System.nanoTime() - begin) / NANOSECONDS;
  }

  private static Optional<AcknowledgedOutput> told(OracleResult result, JudgedImages images) {
    if (!result.verdict().isFinding() || images.acknowledged().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(images.acknowledged().get().describe());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Asks recovery, and compares what it leaves if that is wanted. */
  private OracleResult compare(
      JudgedImages images, Optional<Path> evidence, OracleSettings settings) {
    Duration collecting = Duration.ZERO;
    for (int time = 0; time < TIMES_UNDER_PRESSURE; time++) {
      OwnPressure pressure = new OwnPressure();
      OracleResult result = compareOnce(images, evidence, settings);
      if (!(result.verdict() instanceof Verdict.Hung hung) || !pressure.isHigh()) {
        return result;
      }
      recovery.forget(hung.stack());
      collecting = pressure.collecting();
    }
    return new OracleResult(
        new Verdict.Inconclusive(
            ("recovery did not end in its time, but Powercut itself was busy with its own memory"
                    + " (%d ms of garbage collection)")
                .formatted(collecting.toMillis())),
        List.of(),
        Optional.empty());
  }

  private OracleResult compareOnce(
      JudgedImages images, Optional<Path> evidence, OracleSettings settings) {
    Optional<DumpComparison> comparison = images.expected().map(DumpComparison::new);
    OracleResult result =
        recovery.judge(images, evidence, settings, comparison.map(OutputCheck.class::cast), sample);
    if (result.verdict() instanceof Verdict.WrongContents
        && comparison.isPresent()
        && evidence.isPresent()) {
      try {
        comparison.get().keep(evidence.get().resolve(DumpSection.STEP));
      } catch (IOException e) {
        progress.note("the dumps of a finding could not be kept: " + FileProblem.of(e).text());
      }
    }
    return result;
  }

  private Optional<String> keep(JudgedImages images, Path kept) {
    Path target = kept.resolve("pm");
    try (ImageCopy image = images.fresh()) {
      if (!Files.exists(target)) {
        DirectoryCopy.copy(image.directory(), target);
        if (images.acknowledged().isPresent()) {
          images.acknowledged().get().writeTo(kept.resolve("acknowledged"));
        }
      }
      return Optional.of(directory.path().relativize(target).toString());
    } catch (IOException e) {
      progress.note("the image of a finding could not be kept: " + FileProblem.of(e).text());
      return Optional.empty();
    }
  }
}
