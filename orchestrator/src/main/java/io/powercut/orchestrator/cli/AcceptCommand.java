// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.cli;

import io.powercut.campaign.Campaign;
import io.powercut.exit.ExitCode;
import io.powercut.exit.PowercutException;
import io.powercut.orchestrator.cli.progress.Screen;
import io.powercut.report.findings.Acceptance;
import io.powercut.report.findings.Baseline;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.ReportBuilder;
import io.powercut.report.rundir.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code powercut accept}. */
@Command(
    name = "accept",
    mixinStandardHelpOptions = true,
    description = {
      "Accepts findings: they stay visible in reports but no longer fail the campaign's runs.",
      "",
      "  powercut accept 0123456789abcdef --reason \"rebuilt from the log at start\"",
      "",
      "Each is added to the campaign's baseline, a file that belongs in your repository"
          + " (docs/baseline.md). Reports show the fingerprint; its first digits are enough. Either"
          + " all are added or none."
    })
final class AcceptCommand implements Callable<Integer> {
  private final Screen screen = Screen.output();

  @Parameters(
      paramLabel = "FINGERPRINT",
      arity = "1..*",
      description = "The fingerprints of the findings.")
  private List<String> fingerprints = List.of();

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Why it is accepted, for readers of the baseline.")
  private String reason = "";

  @Option(
      names = "--run",
      paramLabel = "RUN",
      description =
          "The run that has the finding. Default: the latest run of every campaign below --runs.")
  private Optional<Path> run = Optional.empty();

  @Option(
      names = "--runs",
      paramLabel = "DIR",
      defaultValue = RunDirectory.DEFAULT_ROOT,
      description = "The folder in which runs are kept. Default: ${DEFAULT-VALUE}")
  private Path runs = Path.of(RunDirectory.DEFAULT_ROOT);

  /** Runs that cannot be read, in a line each. */
  private final List<String> unread = new ArrayList<>();

  /** A finding and the run it was found in. */
  private record Found(RunDirectory directory, Campaign campaign, Finding finding) {
    String line() {
      return "  %s %s, %s at %s (%s)"
          .formatted(
              finding.fingerprint(),
              campaign.name(),
              finding.kindInWords(),
              finding.place().isEmpty() ? "an unknown place" : finding.place(),
              directory.path());
    }
  }

  @Override
  public Integer call() throws IOException {
    if (reason.isBlank()) {
      throw PowercutException.usage(
          "--reason is empty: give the reason why the finding is accepted, for readers of the baseline.");
    }
    List<Found> all = found();
    Set<Found> wanted = new LinkedHashSet<>();
    for (String fingerprint : fingerprints) {
      wanted.add(theOne(fingerprint, all));
    }
    for (Found found : wanted) {
      found
          .finding()
          .accepted()
          .filter(known -> known.formerFingerprint().isEmpty())
          .ifPresent(known -> refuse(found, known.reason()));
    }
    for (Found found : wanted) {
      accept(found);
    }
    wanted.stream()
        .flatMap(
            found -> found.finding().accepted().flatMap(Acceptance::formerFingerprint).stream())
        .distinct()
        .forEach(
            former ->
                screen.print(
                    "remove    the entry of %s when all that it accepts is accepted again"
                        .formatted(former)));
    print("in        ", wanted, found -> found.campaign().baseline() + ": commit this file");
    print("see       ", wanted, found -> "powercut report " + found.directory().path());
    return ExitCode.NOTHING_NEW.code();
  }

  private void accept(Found found) throws IOException {
    Baseline.read(found.campaign().baseline())
        .accept(
            found.campaign().name(),
            found.finding(),
            reason.strip(),
            LocalDate.now(ZoneId.systemDefault()));
    screen.print("accepted  " + found.line().strip());
  }

  /** A line for each of what several findings have in common. */
  private void print(String head, Set<Found> findings, Function<Found, String> line) {
    findings.stream().map(line).distinct().forEach(text -> screen.print(head + text));
  }

  private static void refuse(Found found, String reason) {
    throw PowercutException.usage(
        "%s of %s is already accepted in %s: %s"
            .formatted(
                found.finding().fingerprint(),
                found.campaign().name(),
                found.campaign().baseline(),
                reason));
  }

  private Found theOne(String fingerprint, List<Found> all) {
    List<Found> found =
        all.stream()
            .filter(
                one -> one.finding().fingerprint().startsWith(fingerprint.toLowerCase(Locale.ROOT)))
            .toList();
    if (found.isEmpty()) {
      throw PowercutException.usage(
          "no finding %s in %s; the summary of a run and its reports name the fingerprints.%s"
              .formatted(
                  fingerprint,
                  run.map(Path::toString).orElse("the latest runs below " + runs),
                  String.join("", unread)));
    }
    if (found.size() > 1) {
      throw PowercutException.usage(
          "more than one finding begins with %s; give all digits, or the run with --run:\n%s"
              .formatted(
                  fingerprint, found.stream().map(Found::line).collect(Collectors.joining("\n"))));
    }
    return found.get(0);
  }

  private List<Found> found() throws IOException {
    if (run.isPresent()) {
      return found(RunDirectory.open(run.get()));
    }
    List<Found> found = new ArrayList<>();
    for (Path directory : directories()) {
      try {
        found.addAll(found(RunDirectory.open(directory)));
      } catch (PowercutException e) {
        // Another campaign's run that came to no report is none of this finding's.
        unread.add("\n  not searched: %s: %s".formatted(directory, e.getMessage()));
      }
    }
    return found;
  }

  private List<Found> found(RunDirectory directory) {
    List<Found> found = new ArrayList<>();
    Campaign campaign = directory.campaign();
    for (Finding finding : ReportBuilder.build(campaign, directory).findings()) {
      found.add(new Found(directory, campaign, finding));
    }
    return found;
  }

  private List<Path> directories() throws IOException {
    if (!Files.isDirectory(runs)) {
      throw PowercutException.usage(
          "there are no runs in "
              + runs
              + "; choose another folder with --runs, or a run with --run.");
    }
    try (Stream<Path> campaigns = Files.list(runs)) {
      return campaigns
          .map(campaign -> campaign.resolve("latest"))
          .filter(Files::isDirectory)
          .sorted()
          .toList();
    }
  }
}
