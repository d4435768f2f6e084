package io.powercut.orchestrator.results;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.powercut.oracle.Verdict;
import io.powercut.orchestrator.report.Json;
import io.powercut.orchestrator.report.Judgement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The verdicts of a run, appended to a file as they come, so that an interrupted run can be
 * resumed. Safe for use by several threads.
 *
 * <p>Each verdict is one line written with one call: after a {@code kill -9} at most the last line
 * is incomplete, and it is left out when the log is opened again.
 */
public final class VerdictLog {
  private final Path file;
  private final Map<String, NavigableMap<Long, Judgement>> judgements = new LinkedHashMap<>();

  private VerdictLog(Path file) {
    this.file = file;
  }

  /**
   * Opens the log, which need not exist.
   *
   * @throws NotTrustworthyException if a line other than the last cannot be read
   */
  public static VerdictLog open(Path file) {
    VerdictLog log = new VerdictLog(file);
    if (Files.exists(file)) {
      log.readBack();
    }
    return log;
  }

  private void readBack() {
    try {
      String text = Files.readString(file);
      List<String> lines = new ArrayList<>(text.lines().toList());
      if (!text.isEmpty() && !text.endsWith("\n")) {
        lines.remove(lines.size() - 1);
        Files.writeString(file, lines.isEmpty() ? "" : String.join("\n", lines) + "\n");
      }
      for (int number = 1; number <= lines.size(); number++) {
        remember(parse(lines.get(number - 1), number));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Judgement parse(String line, int number) {
    try {
      return Json.parse(line, Judgement.class);
    } catch (JsonProcessingException e) {
      throw new NotTrustworthyException(
          "%s:%d: not a verdict: %s. Remove the line, or start the campaign anew without --resume."
              .formatted(file, number, e.getOriginalMessage()));
    }
  }

  /** Adds a verdict; a later one of the same visit takes the earlier one's place. */
  public synchronized void add(Judgement judgement) {
    try {
      Files.write(
          file,
          (Json.line(judgement) + "\n").getBytes(StandardCharsets.UTF_8),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    remember(judgement);
  }

  private void remember(Judgement judgement) {
    judgements
        .computeIfAbsent(judgement.failurePointId(), unknown -> new TreeMap<>())
        .put(judgement.visit(), judgement);
  }

  /**
   * The most telling verdict of a failure point: a bug if a visit showed one, else one that is
   * inconclusive, else any; the earliest visit of these.
   */
  public synchronized Optional<Judgement> find(String failurePointId) {
    Collection<Judgement> visits =
        judgements.getOrDefault(failurePointId, new TreeMap<>()).values();
    return visits.stream()
        .filter(Judgement::isBug)
        .findFirst()
        .or(
            () ->
                visits.stream()
                    .filter(judgement -> judgement.kind() == Verdict.Kind.INCONCLUSIVE)
                    .findFirst())
        .or(() -> visits.stream().findFirst());
  }

  /** The latest verdict of every visit that has one, in the order of the failure points. */
  public synchronized List<Judgement> all() {
    return judgements.values().stream().flatMap(visits -> visits.values().stream()).toList();
  }
}
