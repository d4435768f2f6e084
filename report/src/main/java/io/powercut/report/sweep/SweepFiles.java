// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sweep;

import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.report.format.WholeFile;
import io.powercut.report.history.RunRecord;
import io.powercut.report.junit.SweepJunit;
import io.powercut.report.sarif.SweepSarif;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The result of a sweep in one file of each form for programs, made of those of its runs, and as a
 * summary for the page of a job or of a pull request.
 */
public final class SweepFiles {
  /** The name of the SARIF file. */
  public static final String SARIF = "sweep.sarif";

  /** The name of the tests for continuous integration. */
  public static final String JUNIT = "sweep-junit.xml";

  /** The name of the summary, in Markdown. */
  public static final String SUMMARY = "sweep.md";

  private static final String NO_FILE = "its reports are not there any more";

  private SweepFiles() {}

  /**
   * Writes all of them.
   *
   * @param folder of all runs
   * @throws PowercutException if one cannot be written
   */
  public static void write(Path folder, LastSweep sweep) {
    SweepSarif sarif = new SweepSarif();
    SweepJunit junit = new SweepJunit();
    for (SweepResult result : sweep.results()) {
      add(result, sarif, junit);
    }
    WholeFile.write(folder.resolve(SARIF), sarif::write);
    WholeFile.write(folder.resolve(JUNIT), junit::write);
    WholeFile.write(folder.resolve(SUMMARY), out -> out.write(SweepMarkdown.of(sweep)));
  }

  private static void add(SweepResult result, SweepSarif sarif, SweepJunit junit) {
    String campaign = result.campaign();
    Optional<Integer> exitCode = result.run().map(RunRecord::exitCode);
    if (result.run().isEmpty()) {
      sarif.addFailure(campaign, exitCode, "not run: " + result.reason());
      junit.addNotRun(campaign, result.reason());
    } else if (result.kind() == SweepResult.Kind.FAILED) {
      sarif.addFailure(campaign, exitCode, result.reason());
      junit.addFailure(campaign, result.reason());
    } else {
      Optional<Path> file = file(result, "junit.xml");
      file.ifPresent(path -> junit.add(campaign, path));
      if (file.isEmpty()) {
        junit.addFailure(campaign, NO_FILE);
      }
      addSarif(result, sarif);
    }
  }

  private static void addSarif(SweepResult result, SweepSarif sarif) {
    Optional<Integer> exitCode = result.run().map(RunRecord::exitCode);
    Optional<Path> file = file(result, "report.sarif");
    if (file.isEmpty()) {
      sarif.addFailure(result.campaign(), exitCode, NO_FILE);
      return;
    }
    try {
      sarif.add(result.campaign(), file.get());
    } catch (IOException e) {
      sarif.addFailure(
          result.campaign(), exitCode, "cannot read " + FileProblem.of(file.get(), e).text());
    }
  }

  private static Optional<Path> file(SweepResult result, String name) {
    return result
        .run()
        .flatMap(RunRecord::directory)
        .map(directory -> directory.resolve(name))
        .filter(Files::isRegularFile);
  }
}
