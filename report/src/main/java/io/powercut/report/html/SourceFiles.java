// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.html;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.findings.ReportedRun;
import io.powercut.report.format.Text;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The sources that a run's stacks name, as far as they are on this machine. */
final class SourceFiles {
  private static final int LINES_AROUND = 5;
  private static final int LINE_LENGTH = 200;

  /** Of one file. */
  private static final int MOST_LINES = 1_000;

  private static final String TAB = "    ";
  private static final int BYTES_READ = 4 << 20;

  /** Bounds the size of the report; what is to be fixed first comes first. */
  private static final int EXCERPTS = 1_000;

  private final Instant began;
  private final Map<String, Set<Path>> byName = new HashMap<>();
  private final Map<Path, Optional<Source>> read = new HashMap<>();
  private int excerpts;

  private record Source(List<String> lines, boolean newer) {}

  private SourceFiles(Instant began) {
    this.began = began;
  }

  /** Sources that are named by absolute paths, of a run that began then. */
  static SourceFiles asOf(Instant began) {
    return new SourceFiles(began);
  }

  /** The sources of a run. */
  static SourceFiles of(ReportedRun run) {
    SourceFiles files = new SourceFiles(began(run));
    run.tree().failurePoints().stream()
        .flatMap(failurePoint -> failurePoint.stack().frames().stream())
        .map(Frame::positions)
        .distinct()
        .forEach(positions -> positions.forEach(files::remember));
    return files;
  }

  private static Instant began(ReportedRun run) {
    try {
      return OffsetDateTime.parse(run.report().campaign().started()).toInstant();
    } catch (DateTimeException e) {
      return Instant.MAX;
    }
  }

  private void remember(SourcePosition position) {
    path(position.file())
        .filter(Path::isAbsolute)
        .filter(path -> path.getFileName() != null)
        .ifPresent(
            path ->
                byName
                    .computeIfAbsent(path.getFileName().toString(), name -> new HashSet<>())
                    .add(path));
  }

  private static Optional<Path> path(String file) {
    try {
      return file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file).normalize());
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** The lines around a frame; nothing when its source is not to be had. */
  Optional<Excerpt> around(StackFrame frame) {
    if (frame.line() <= 0 || excerpts >= EXCERPTS) {
      return Optional.empty();
    }
    Optional<Excerpt> excerpt =
        path(frame.file())
            .flatMap(this::absolute)
            .flatMap(path -> read.computeIfAbsent(path, this::read))
            .filter(source -> frame.line() <= source.lines().size())
            .map(source -> around(source, frame.line()));
    excerpts += excerpt.isPresent() ? 1 : 0;
    return excerpt;
  }

  /**
   * The given lines of a file with those around them; nothing when it is not to be had.
   *
   * @param lines numbers from 1; the file may have fewer
   */
  Optional<Excerpt> around(String file, Set<Integer> lines) {
    return path(file)
        .flatMap(this::absolute)
        .flatMap(path -> read.computeIfAbsent(path, this::read))
        .map(source -> around(source, lines));
  }

  /** All lines of a file; none when it is not to be had. */
  List<String> all(String file) {
    return path(file)
        .flatMap(this::absolute)
        .flatMap(path -> read.computeIfAbsent(path, this::read))
        .map(
            source ->
                IntStream.rangeClosed(1, source.lines().size())
                    .mapToObj(number -> line(source, number, false).text())
                    .toList())
        .orElse(List.of());
  }

  private static Excerpt around(Source source, Set<Integer> lines) {
    SortedSet<Integer> shown = new TreeSet<>();
    for (int line : lines) {
      int last = Math.min(source.lines().size(), line + LINES_AROUND);
      for (int number = Math.max(1, line - LINES_AROUND);
          number <= last && shown.size() < MOST_LINES;
          number++) {
        shown.add(number);
      }
    }
    return new Excerpt(
        shown.stream().map(number -> line(source, number, false)).toList(), source.newer());
  }

  private static Excerpt.Line line(Source source, int number, boolean marked) {
    String text = Text.beginning(source.lines().get(number - 1).replace("\t", TAB), LINE_LENGTH);
    return new Excerpt.Line(number, text, marked);
  }

  /** A debugger may know files as the compiler was given them; the tree knows where they are. */
  private Optional<Path> absolute(Path path) {
    if (path.isAbsolute()) {
      return Optional.of(path);
    }
    List<Path> candidates =
        byName.getOrDefault(path.getFileName().toString(), Set.of()).stream()
            .filter(known -> known.endsWith(path))
            .toList();
    return candidates.size() == 1 ? Optional.of(candidates.get(0)) : Optional.empty();
  }

  /** The names come from the target's binary, so they can name anything: devices, pipes, disks. */
  private Optional<Source> read(Path path) {
    if (!Files.isRegularFile(path)) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(path)) {
      String text = new String(in.readNBytes(BYTES_READ), StandardCharsets.UTF_8);
      boolean newer = Files.getLastModifiedTime(path).toInstant().isAfter(began);
      return Optional.of(new Source(text.lines().toList(), newer));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Excerpt around(Source source, int line) {
    List<Excerpt.Line> lines = new ArrayList<>();
    int last = Math.min(source.lines().size(), line + LINES_AROUND);
    for (int number = Math.max(1, line - LINES_AROUND); number <= last; number++) {
      lines.add(line(source, number, number == line));
    }
    return new Excerpt(lines, source.newer());
  }
}
