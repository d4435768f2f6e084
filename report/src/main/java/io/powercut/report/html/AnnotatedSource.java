// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.oracle.Verdict;
import io.powercut.report.evidence.InjectionEvidence;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.findings.Finding;
import io.powercut.report.findings.ReportedRun;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.UserCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A source file with what happened at its lines: failure points with their verdicts, and findings.
 * It is the user's own line that counts, as in titles.
 *
 * @param file its name
 * @param newer whether the file was changed after the run began
 * @param lines those where something happened, and some around them
 * @param rest all lines after them, if there is room for the whole file
 * @param facts of the whole file, in words
 * @param style the most urgent one of its lines
 */
record AnnotatedSource(
    String file, boolean newer, List<Line> lines, Skipped rest, String facts, String style) {
  private static final int MOST_FILES = 40;

  /** Characters of the lines where nothing happened, for all files of a page together. */
  private static final int ROOM = 150_000;

  /** Of the number before the text of such a line, and of its end. */
  private static final int NUMBER_LENGTH = 9;

  private static final int MOST_NOTES = 4;

  AnnotatedSource {
    lines = List.copyOf(lines);
  }

  /**
   * A line.
   *
   * @param number from 1
   * @param gap whether lines before it are left out
   * @param skipped these lines, if there is room for the whole file
   * @param text of the line
   * @param style the name of its colour; empty where nothing happened
   * @param points its failure points by verdict, in signs
   * @param about the same in words
   * @param notes findings there
   */
  record Line(
      int number,
      boolean gap,
      Skipped skipped,
      String text,
      String style,
      String points,
      String about,
      List<Note> notes) {
    private Line with(Skipped lines) {
      return new Line(number, gap, lines, text, style, points, about, notes);
    }
  }

  /**
   * Lines where nothing happened.
   *
   * @param lines how many
   * @param text of them, with their numbers
   */
  record Skipped(int lines, String text) {
    private static final Skipped NONE = new Skipped(0, "");

    /** Lines of a file by numbers from 1, without the last one. */
    private static Skipped of(List<String> all, int from, int to) {
      StringBuilder text = new StringBuilder();
      for (int number = from; number < to; number++) {
        text.append(String.format(Locale.ROOT, "%6d  ", number)).append(all.get(number - 1));
        text.append('\n');
      }
      return new Skipped(Math.max(0, to - from), text.toString());
    }

    /** Their number, in words. */
    String count() {
      return Page.counted(lines, "line");
    }
  }

  /**
   * A finding at a line.
   *
   * @param style of its severity
   * @param kind of the finding, in words
   * @param text its title, or what else the line has to do with it
   * @param link to it
   */
  record Note(String style, String kind, String text, String link) {}

  /** What happened at a line. */
  private static final class Happenings {
    private int points;
    private long occurrences;
    private int consistent;
    private int bugs;
    private final Set<Note> notes = new LinkedHashSet<>();

    void add(FailurePoint point, Optional<Verdict.Kind> verdict) {
      points++;
      occurrences += point.occurrences();
      consistent += verdict.filter(kind -> kind == Verdict.Kind.CONSISTENT).isPresent() ? 1 : 0;
      bugs += verdict.filter(Verdict.Kind::isFinding).isPresent() ? 1 : 0;
    }

    private int unknown() {
      return points - consistent - bugs;
    }

    String style() {
      Set<String> styles = new LinkedHashSet<>();
      notes.forEach(note -> styles.add(note.style()));
      if (bugs > 0) {
        return "bug";
      }
      return STYLES.stream()
          .filter(styles::contains)
          .findFirst()
          .orElse(unknown() > 0 ? "inconclusive" : points > 0 ? "consistent" : "");
    }

    String signs() {
      return sign("✗", bugs) + sign("?", unknown()) + sign("✓", consistent);
    }

    private static String sign(String sign, int count) {
      return count == 0 ? "" : sign + count + " ";
    }

    void add(StrengthPage.Mutant mutant) {
      points++;
      consistent += mutant.outcome() == StrengthPage.Outcome.KILLED ? 1 : 0;
      bugs += mutant.outcome() == StrengthPage.Outcome.SURVIVED ? 1 : 0;
      if (mutant.outcome() != StrengthPage.Outcome.KILLED) {
        notes.add(
            new Note(
                mutant.outcome().style(),
                mutant.outcome().words(),
                "without " + mutant.instruction(),
                "#" + mutant.anchor()));
      }
    }

    /** In a report, which is about the program: what it says of the oracle is a hint. */
    void addSurvivor(StrengthPage.Mutant mutant) {
      notes.add(
          new Note(
              "warning",
              "mutant survived",
              "recovery also succeeds without this " + mutant.instruction(),
              "../strength.html#" + mutant.anchor()));
    }

    String mutantsInWords() {
      return "%s: %d killed, %d survived, %d others"
          .formatted(Page.counted(points, "mutant"), consistent, bugs, unknown());
    }

    String pointsInWords() {
      return "%s, %s: %d consistent, %d with bugs, %d not judged"
          .formatted(
              Page.counted(points, "failure point"),
              Page.counted(occurrences, "occurrence"),
              consistent,
              bugs,
              unknown());
    }
  }

  /** The most urgent first. */
  private static final List<String> STYLES =
      List.of("bug", "race", "performance", "warning", "inconclusive", "consistent", "");

  /** By file and line. */
  private static final class Places {
    private final Map<String, SortedMap<Integer, Happenings>> files = new TreeMap<>();

    Optional<Happenings> at(List<StackFrame> stack) {
      return UserCode.of(stack)
          .filter(frame -> frame.line() > 0 && !frame.file().isEmpty())
          .map(
              frame ->
                  files
                      .computeIfAbsent(frame.file(), unknown -> new TreeMap<>())
                      .computeIfAbsent(frame.line(), unknown -> new Happenings()));
    }
  }

  /**
   * The files of a run, the most urgent first.
   *
   * @param findings those that the page shows
   */
  static List<AnnotatedSource> of(
      ReportedRun run, SourceFiles sources, List<ShownFinding> findings) {
    Places places = new Places();
    for (FailurePoint point : run.tree().failurePoints()) {
      Optional<Verdict.Kind> verdict = run.verdict(point.id()).map(Judgement::kind);
      places.at(TargetStack.of(point.stack())).ifPresent(line -> line.add(point, verdict));
    }
    findings.forEach(shown -> add(shown, places));
    for (StrengthPage.Mutant survivor : Survivors.of(run.directory())) {
      places.at(survivor.stack()).ifPresent(line -> line.addSurvivor(survivor));
    }
    return shown(
        places,
        sources,
        Happenings::pointsInWords,
        (points, notes) ->
            Page.counted(points, "failure point") + ", " + Page.counted(notes, "finding"));
  }

  /**
   * The files of the code that mutants changed, those with survivors first.
   *
   * @param mutants in the order of the page: the number of the first one is 1
   */
  static List<AnnotatedSource> ofMutants(List<StrengthPage.Mutant> mutants, SourceFiles sources) {
    Places places = new Places();
    for (StrengthPage.Mutant mutant : mutants) {
      places.at(mutant.stack()).ifPresent(line -> line.add(mutant));
    }
    return shown(
        places,
        sources,
        Happenings::mutantsInWords,
        (points, notes) -> Page.counted(points, "mutant") + ", " + notes + " not killed");
  }

  private static List<AnnotatedSource> shown(
      Places places,
      SourceFiles sources,
      Function<Happenings, String> words,
      BiFunction<Integer, Long, String> facts) {
    List<AnnotatedSource> files = new ArrayList<>();
    places.files.forEach(
        (file, lines) ->
            sources
                .around(file, lines.keySet())
                .ifPresent(
                    text ->
                        files.add(
                            new AnnotatedSource(
                                file,
                                text.newer(),
                                lines(text, lines, words),
                                Skipped.NONE,
                                facts.apply(points(lines.values()), notes(lines.values())),
                                mostUrgent(lines.values())))));
    return whole(
        files.stream()
            .sorted(Comparator.comparingInt(file -> STYLES.indexOf(file.style())))
            .limit(MOST_FILES)
            .toList(),
        sources);
  }

  /** With all of their lines, as long as there is room. */
  private static List<AnnotatedSource> whole(List<AnnotatedSource> files, SourceFiles sources) {
    List<AnnotatedSource> whole = new ArrayList<>();
    int room = ROOM;
    for (AnnotatedSource file : files) {
      List<String> all = sources.all(file.file());
      int size = all.stream().mapToInt(line -> line.length() + NUMBER_LENGTH).sum();
      if (size <= room) {
        room -= size;
        whole.add(file.whole(all));
      } else {
        whole.add(file);
      }
    }
    return whole;
  }

  private AnnotatedSource whole(List<String> all) {
    List<Line> filled = new ArrayList<>();
    int next = 1;
    for (Line line : lines) {
      filled.add(line.with(Skipped.of(all, next, line.number())));
      next = line.number() + 1;
    }
    return new AnnotatedSource(
        file, newer, filled, Skipped.of(all, next, all.size() + 1), facts, style);
  }

  private static void add(ShownFinding shown, Places places) {
    Finding finding = shown.finding();
    if (finding.explained().isPresent()) {
      return;
    }
    note(finding.stack(), "", shown, places);
    Optional<JudgedState.Shown> state =
        finding.injection().flatMap(InjectionEvidence::state).map(JudgedState::shown);
    state.ifPresent(
        of -> {
          of.lost().forEach(store -> note(store.store().stack(), "lost store", shown, places));
          of.arrived()
              .forEach(
                  store ->
                      note(
                          store.store().stack(),
                          "store that persisted before the lost one",
                          shown,
                          places));
        });
    finding
        .injection()
        .ifPresent(injection -> note(injection.stack(), "power cut before this", shown, places));
  }

  private static void note(List<StackFrame> stack, String role, ShownFinding shown, Places places) {
    Finding finding = shown.finding();
    places
        .at(stack)
        .filter(line -> line.notes.stream().noneMatch(one -> one.link().equals(link(finding))))
        .ifPresent(
            line ->
                line.notes.add(
                    new Note(
                        finding.severity().name().toLowerCase(Locale.ROOT),
                        finding.kindInWords(),
                        role.isEmpty() ? shown.title() : role,
                        link(finding))));
  }

  private static String link(Finding finding) {
    return "#f-" + finding.fingerprint();
  }

  private static List<Line> lines(
      Excerpt text, Map<Integer, Happenings> happenings, Function<Happenings, String> words) {
    List<Line> lines = new ArrayList<>();
    int before = 0;
    for (Excerpt.Line line : text.lines()) {
      Happenings at = happenings.getOrDefault(line.number(), new Happenings());
      lines.add(
          new Line(
              line.number(),
              line.number() != before + 1,
              Skipped.NONE,
              line.text(),
              at.style(),
              at.signs().strip(),
              at.points == 0 ? "" : words.apply(at),
              at.notes.stream().limit(MOST_NOTES).toList()));
      before = line.number();
    }
    return lines;
  }

  private static int points(Collection<Happenings> happenings) {
    return happenings.stream().mapToInt(line -> line.points).sum();
  }

  private static long notes(Collection<Happenings> happenings) {
    return happenings.stream()
        .flatMap(line -> line.notes.stream())
        .map(Note::link)
        .distinct()
        .count();
  }

  private static String mostUrgent(Collection<Happenings> happenings) {
    return STYLES.stream()
        .filter(one -> happenings.stream().anyMatch(line -> line.style().equals(one)))
        .findFirst()
        .orElse("");
  }
}
