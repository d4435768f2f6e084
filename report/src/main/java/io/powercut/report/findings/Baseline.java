// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.findings;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.powercut.campaign.input.InputFile;
import io.powercut.campaign.input.UnusableInputException;
import io.powercut.exit.FileProblem;
import io.powercut.exit.PowercutException;
import io.powercut.process.DataSize;
import io.powercut.report.evidence.Proof;
import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.UserCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The file of accepted findings, which belongs beside the campaign files in the user's repository:
 * a list in YAML, meant to be reviewed and edited like code.
 */
public final class Baseline {
  private static final String HEADER =
      """
      # Findings that were looked at and are lived with: they stay visible in reports, and do not fail a run.
      # powercut accept adds to this file. Remove an entry to have its finding fail runs again.
      """;
  private static final DataSize LARGEST_FILE = DataSize.ofMebibytes(16);
  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private final Path file;
  private final List<Entry> entries;

  private Baseline(Path file, List<Entry> entries) {
    this.file = file;
    this.entries = entries;
  }

  /**
   * One accepted finding.
   *
   * @param fingerprint the finding
   * @param also what else it is called: a run that does not see all that this one did may call it
   *     after another of its crashes
   * @param campaign whose finding it is
   * @param kind the finding's kind, for readers
   * @param place where it is, for readers
   * @param reason why it is lived with
   * @param date when it was accepted, as {@code 2026-01-31}
   * @param occurs {@code sometimes} when a run need not show it, for example because only long
   *     workloads do; empty when every complete run does
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Entry(
      String fingerprint,
      List<String> also,
      String campaign,
      String kind,
      String place,
      String reason,
      String date,
      String occurs) {
    static final String SOMETIMES = "sometimes";

    /** Copies the list. */
    public Entry {
      also = List.copyOf(also);
    }

    /** Whether it was given for this finding, be it by an earlier version of Powercut. */
    boolean isOf(Finding finding) {
      return names(finding) || isFormerOf(finding);
    }

    private boolean names(Finding finding) {
      return fingerprint.equals(finding.fingerprint()) || also.contains(finding.fingerprint());
    }

    /** Whether it names the finding only as an earlier version of Powercut did. */
    boolean isFormerOf(Finding finding) {
      return !names(finding) && finding.formerFingerprints().contains(fingerprint);
    }
  }

  /**
   * Reads the file, which need not exist.
   *
   * @throws PowercutException if it is there and cannot be understood
   */
  public static Baseline read(Path file) {
    if (!Files.exists(file)) {
      return new Baseline(file, List.of());
    }
    try {
      return new Baseline(file, List.copyOf(BaselineReader.read(text(file), file)));
    } catch (UnusableInputException e) {
      String place = e.line() == 0 ? file.toString() : file + ":" + e.line();
      throw PowercutException.usage(
          place
              + ": "
              + e.getMessage()
              + "; a baseline is a text file. Set the campaign's baseline to another file.");
    } catch (IOException e) {
      FileProblem problem = FileProblem.of(file, e);
      throw PowercutException.usage(
          "cannot read %s; %s".formatted(problem.text(), problem.remedy()));
    }
  }

  private static String text(Path file) throws IOException {
    return InputFile.text(file, LARGEST_FILE);
  }

  /** Where it is. */
  public Path file() {
    return file;
  }

  /** Whether the file is there. */
  boolean exists() {
    return Files.exists(file);
  }

  /** The entries of a campaign. */
  Stream<Entry> entries(String campaign) {
    return entries.stream().filter(entry -> entry.campaign().equals(campaign));
  }

  /** Why a finding of a campaign is lived with, if it is. */
  Optional<Acceptance> acceptance(String campaign, Finding finding) {
    return entries(campaign)
        .filter(entry -> entry.isOf(finding))
        .min(Comparator.comparing(entry -> entry.isFormerOf(finding)))
        .map(
            entry ->
                new Acceptance(
                    entry.reason(),
                    entry.date(),
                    Optional.of(entry.fingerprint()).filter(name -> entry.isFormerOf(finding))));
  }

  /** The fingerprints of the findings that a complete run of a campaign should show and did not. */
  List<String> gone(String campaign, List<Finding> findings) {
    return entries(campaign)
        .filter(entry -> entry.occurs().isEmpty() && findings.stream().noneMatch(entry::isOf))
        .map(Entry::fingerprint)
        .toList();
  }

  /** The fingerprints of earlier versions of Powercut, with those of the findings they accept. */
  static Map<String, List<String>> former(List<Finding> findings) {
    Map<String, List<String>> former = new LinkedHashMap<>();
    for (Finding finding : findings) {
      finding
          .accepted()
          .flatMap(Acceptance::formerFingerprint)
          .ifPresent(
              name ->
                  former
                      .computeIfAbsent(name, unknown -> new ArrayList<>())
                      .add(finding.fingerprint()));
    }
    return former;
  }

  /**
   * Adds a finding to the file, which is made when it is not there.
   *
   * @param reason why it is lived with
   * @return the new entry; nothing when the finding is there already
   * @throws PowercutException if the file cannot be written, or is no list to add to
   */
  public Optional<Entry> accept(String campaign, Finding finding, String reason, LocalDate today) {
    if (entries(campaign).anyMatch(entry -> entry.names(finding))) {
      return Optional.empty();
    }
    Entry entry =
        new Entry(
            finding.fingerprint(),
            alsoCalled(finding),
            campaign,
            finding.kindInWords(),
            placed(finding).map(Baseline::place).orElse(""),
            reason,
            today.toString(),
            "");
    try {
      String earlier = exists() ? text(file) : HEADER;
      String added =
          (earlier.isEmpty() || earlier.endsWith("\n") ? "" : "\n")
              + YAML.writeValueAsString(List.of(entry));
      requireList(earlier + added);
      Files.writeString(
          file,
          exists() ? added : earlier + added,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      return Optional.of(entry);
    } catch (IOException e) {
      FileProblem problem = FileProblem.of(file, e);
      throw PowercutException.usage(
          "cannot write %s; %s".formatted(problem.text(), problem.remedy()));
    }
  }

  private static List<String> alsoCalled(Finding finding) {
    return finding.proofs().stream()
        .map(Proof::fingerprint)
        .filter(name -> !name.equals(finding.fingerprint()))
        .distinct()
        .toList();
  }

  /** Of what recovery proved, the user's code; of a pattern alone, where the instruction is. */
  private static Optional<StackFrame> placed(Finding finding) {
    return finding.injection().isPresent()
        ? UserCode.of(finding.stack())
        : finding.stack().stream().findFirst();
  }

  /** The path and the line would be another on every machine and after every change. */
  private static String place(StackFrame frame) {
    String function = frame.function().isEmpty() ? frame.module() : frame.function();
    return frame.file().isEmpty()
        ? function
        : function + " in " + frame.file().substring(frame.file().lastIndexOf('/') + 1);
  }

  /** A list in brackets, or one that is indented, takes no line at the end of the file. */
  private void requireList(String text) {
    try {
      if (BaselineReader.read(text, file).size() == entries.size() + 1) {
        return;
      }
    } catch (PowercutException e) {
      // Below it is said what to do.
    }
    throw PowercutException.usage(
        file
            + ": nothing can be added at its end. Write each finding as '- fingerprint: ...', not"
            + " indented, without brackets around the list.");
  }
}
