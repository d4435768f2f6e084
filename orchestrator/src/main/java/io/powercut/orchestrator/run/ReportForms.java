// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import com.google.common.base.Throwables;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.input.FileFailure;
import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.report.JsonForm;
import io.powercut.report.ReportForm;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.findings.Report;
import io.powercut.report.findings.ReportBuilder;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.html.HtmlForm;
import io.powercut.report.junit.JunitForm;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.report.sarif.SarifForm;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** All forms in which the result of a run is written to its directory. */
public final class ReportForms {
  private static final List<ReportForm> ALL =
      List.of(new JsonForm(), new HtmlForm(), new SarifForm(), new JunitForm());

  private ReportForms() {}

  /**
   * Makes the report of what a run directory holds and writes it in all forms. A form that cannot
   * be written does not keep the others from being written.
   *
   * @param campaign what was run
   * @param note told, in a line, of each form that could not be written
   * @return the report
   * @throws PowercutException if a file of the run, or the baseline, cannot be understood, or not
   *     all forms could be written: nobody is to look for a report that is not there
   */
  public static Report write(Campaign campaign, RunDirectory directory, Consumer<String> note) {
    Report report = ReportBuilder.build(campaign, directory);
    FailurePointTree tree = directory.tree();
    List<Path> missing =
        write(
            ALL, new ReportedRun(report, tree, verdicts(tree, directory), directory.path()), note);
    if (!missing.isEmpty()) {
      throw PowercutException.notTrustworthy(
          ("the report is incomplete: %s could not be written, for the reason above. Verdicts are kept;"
                  + " when that is fixed, powercut report %s writes it.")
              .formatted(
                  missing.stream().map(Path::toString).collect(Collectors.joining(", ")),
                  directory.path()));
    }
    return report;
  }

  private static Map<FailurePointId, Judgement> verdicts(
      FailurePointTree tree, RunDirectory directory) {
    VerdictLog log = VerdictLog.open(directory.verdictsFile());
    Map<FailurePointId, Judgement> verdicts = new HashMap<>();
    tree.failurePoints()
        .forEach(
            failurePoint ->
                log.find(failurePoint.id())
                    .ifPresent(judgement -> verdicts.put(failurePoint.id(), judgement)));
    return verdicts;
  }

  /** Writes the given forms, and gives the files of those that could not be written. */
  static List<Path> write(List<ReportForm> forms, ReportedRun run, Consumer<String> note) {
    List<Path> missing = new ArrayList<>();
    for (ReportForm form : forms) {
      Path file = run.directory().resolve(form.fileName());
      try {
        write(form, run, file);
      } catch (IOException e) {
        missing.add(file);
        note.accept(problem(file, e));
      } catch (RuntimeException e) {
        missing.add(file);
        // A template says where in its text it failed, and not why.
        note.accept(
            Throwables.getCausalChain(e).stream()
                .filter(IOException.class::isInstance)
                .map(cause -> problem(file, (IOException) cause))
                .findFirst()
                .orElse("cannot write " + file + ": " + e));
      }
    }
    return missing;
  }

  private static String problem(Path file, IOException e) {
    return "cannot write "
        + FileFailure.full(FileFailure.at(file, e))
            .orElseGet(() -> file + ": " + FileProblem.of(file, e).reason());
  }

  /** What a target said may hold halves of characters; they become question marks. */
  private static Writer writer(OutputStream stream) {
    return new BufferedWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
  }

  /** A reader sees the old file or the whole new one. */
  private static void write(ReportForm form, ReportedRun run, Path file) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    try {
      // A writer that fails when it is closed leaves its stream open, and the room of a removed
      // file taken.
      try (OutputStream stream = Files.newOutputStream(temporary);
          Writer out = writer(stream)) {
        form.write(run, out);
      }
      Files.move(
          temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
