package io.powercut.orchestrator.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.powercut.orchestrator.report.Acceptance;
import io.powercut.orchestrator.report.Finding;
import io.powercut.orchestrator.report.StackFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
      String campaign,
      String kind,
      String place,
      String reason,
      String date,
      String occurs) {
    static final String SOMETIMES = "sometimes";
  }

  /**
   * Reads the file, which need not exist.
   *
   * @throws WrongUsageException if it is there and cannot be understood
   */
  public static Baseline read(Path file) {
    if (!Files.exists(file)) {
      return new Baseline(file, List.of());
    }
    try {
      return new Baseline(file, List.copyOf(BaselineReader.read(Files.readString(file), file)));
    } catch (IOException e) {
      throw new WrongUsageException("cannot read " + file + ": " + e);
    }
  }

  /** Where it is. */
  public Path file() {
    return file;
  }

  /** Whether the file is there. */
  boolean exists() {
    return Files.exists(file);
  }

  /** The accepted findings of a campaign, by fingerprint. */
  Map<String, Acceptance> of(String campaign) {
    Map<String, Acceptance> accepted = new LinkedHashMap<>();
    for (Entry entry : entries) {
      if (entry.campaign().equals(campaign)) {
        accepted.put(entry.fingerprint(), new Acceptance(entry.reason(), entry.date()));
      }
    }
    return accepted;
  }

  /** The fingerprints of the findings that every complete run of a campaign should show. */
  List<String> expected(String campaign) {
    return entries.stream()
        .filter(entry -> entry.campaign().equals(campaign) && entry.occurs().isEmpty())
        .map(Entry::fingerprint)
        .toList();
  }

  /**
   * Adds a finding to the file, which is made when it is not there.
   *
   * @param reason why it is lived with
   * @return the new entry; nothing when the finding is there already
   * @throws WrongUsageException if the file cannot be written, or is no list to add to
   */
  public Optional<Entry> accept(String campaign, Finding finding, String reason, LocalDate today) {
    if (of(campaign).containsKey(finding.fingerprint())) {
      return Optional.empty();
    }
    Entry entry =
        new Entry(
            finding.fingerprint(),
            campaign,
            finding.kindInWords(),
            finding.stack().isEmpty() ? "" : place(finding.stack().get(0)),
            reason,
            today.toString(),
            "");
    try {
      String earlier = exists() ? Files.readString(file) : HEADER;
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
      throw new WrongUsageException("cannot write " + file + ": " + e);
    }
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
    } catch (WrongUsageException e) {
      // Below it is said what to do.
    }
    throw new WrongUsageException(
        file
            + ": nothing can be added at its end. Write each finding as '- fingerprint: ...', not"
            + " indented, without brackets around the list.");
  }
}
