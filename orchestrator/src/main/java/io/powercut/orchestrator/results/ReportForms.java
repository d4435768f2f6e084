package io.powercut.orchestrator.results;

import io.powercut.orchestrator.campaign.Campaign;
import io.powercut.orchestrator.report.JsonForm;
import io.powercut.orchestrator.report.Judgement;
import io.powercut.orchestrator.report.Report;
import io.powercut.orchestrator.report.ReportForm;
import io.powercut.orchestrator.report.ReportedRun;
import io.powercut.orchestrator.report.html.HtmlForm;
import io.powercut.orchestrator.report.junit.JunitForm;
import io.powercut.orchestrator.report.sarif.SarifForm;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

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
   * @throws NotTrustworthyException if a file of the run, or the baseline, cannot be understood
   */
  public static Report write(Campaign campaign, RunDirectory directory, Consumer<String> note) {
    Report report = ReportBuilder.build(campaign, directory);
    FailurePointTree tree = directory.tree();
    write(ALL, new ReportedRun(report, tree, verdicts(tree, directory), directory.path()), note);
    return report;
  }

  private static Map<FailurePointId, Judgement> verdicts(
      FailurePointTree tree, RunDirectory directory) {
    VerdictLog log = VerdictLog.open(directory.verdictsFile());
    Map<FailurePointId, Judgement> verdicts = new HashMap<>();
    tree.failurePoints()
        .forEach(
            failurePoint ->
                log.find(failurePoint.id().toString())
                    .ifPresent(judgement -> verdicts.put(failurePoint.id(), judgement)));
    return verdicts;
  }

  /** Writes the given forms. */
  static void write(List<ReportForm> forms, ReportedRun run, Consumer<String> note) {
    for (ReportForm form : forms) {
      Path file = run.directory().resolve(form.fileName());
      try {
        write(form, run, file);
      } catch (IOException | RuntimeException e) {
        note.accept("cannot write " + file + ": " + e);
      }
    }
  }

  /** What a target said may hold halves of characters; they become question marks. */
  private static Writer writer(Path file) throws IOException {
    return new BufferedWriter(
        new OutputStreamWriter(Files.newOutputStream(file), StandardCharsets.UTF_8));
  }

  /** A reader sees the old file or the whole new one. */
  private static void write(ReportForm form, ReportedRun run, Path file) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    try {
      try (Writer out = writer(temporary)) {
        form.write(run, out);
      }
      Files.move(
          temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
