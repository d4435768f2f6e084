// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static java.util.Objects.requireNonNull;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Stores a {@link FailurePointTree} as text and reads it back.
 *
 * <p>UTF-8, one record a line, fields separated by tabs; in a field {@code \t}, {@code \n}, {@code
 * \r} and {@code \\} are escaped. The lines are, in this order:
 *
 * <pre>
 * powercut-tree  1                                     format version
 * program        NAME
 * granularity    persistency | store
 * exclude        FUNCTION                              any number
 * frame          INDEX MODULE OFFSET (FUNCTION FILE LINE)+   before its first use, numbered from 0
 * point          ID INSTRUCTION unvisited|visited OCCURRENCES FIRST-ORDINAL FRAME-INDEX...
 * end            FRAMES POINTS                         so that a truncated file is noticed
 * </pre>
 *
 * <p>Offsets are hexadecimal, all other numbers decimal; source positions and the indices of a
 * point's frames go from the innermost out. Points are in the order in which they were first
 * reached.
 */
public final class TreeFile {
  static final String MAGIC = "powercut-tree";
  static final int VERSION = 1;

  private TreeFile() {}

  /**
   * Writes the tree as it is now. The file is replaced in one step: a reader, also after a crash,
   * sees the old tree or the new one.
   *
   * @throws IOException when it cannot be written; an older file is then unchanged
   */
  public static void write(FailurePointTree tree, Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path folder = absolute.getParent();
    if (folder == null) {
      throw new IOException(file + " is a directory");
    }
    Path temporary = Files.createTempFile(folder, "." + absolute.getFileName(), ".tmp");
    try {
      writeAndForce(tree, temporary);
      // As for all files of a run: who may look into its folder may read it.
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(temporary, absolute, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void writeAndForce(FailurePointTree tree, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        Writer writer =
            new BufferedWriter(
                new OutputStreamWriter(
                    Channels.newOutputStream(channel), StandardCharsets.UTF_8))) {
      writeTo(tree, writer);
      writer.flush();
      channel.force(true);
    }
  }

  private static void writeTo(FailurePointTree tree, Writer writer) throws IOException {
    line(writer, MAGIC, VERSION);
    line(writer, "program", tree.program());
    line(writer, "granularity", tree.granularity().label());
    for (String function : tree.excluded().names()) {
      line(writer, "exclude", function);
    }
    Map<Frame, Integer> indices = new LinkedHashMap<>();
    int points = 0;
    for (FailurePoint point : tree.failurePoints()) {
      for (Frame frame : point.stack().frames()) {
        if (indices.putIfAbsent(frame, indices.size()) == null) {
          writeFrame(writer, indices.size() - 1, frame);
        }
      }
      writePoint(writer, point, indices);
      points++;
    }
    line(writer, "end", indices.size(), points);
  }

  private static void writeFrame(Writer writer, int index, Frame frame) throws IOException {
    List<Object> fields = new ArrayList<>();
    fields.addAll(List.of("frame", index, frame.module(), Long.toHexString(frame.offset())));
    for (SourcePosition position : frame.positions()) {
      fields.addAll(List.of(position.function(), position.file(), position.line()));
    }
    line(writer, fields.toArray());
  }

  private static void writePoint(Writer writer, FailurePoint point, Map<Frame, Integer> indices)
      throws IOException {
    List<Object> fields = new ArrayList<>();
    fields.addAll(
        List.of(
            "point",
            point.id(),
            point.instruction().label(),
            point.visited() ? "visited" : "unvisited",
            point.occurrences(),
            point.firstOrdinal()));
    for (Frame frame : point.stack().frames()) {
      fields.add(requireNonNull(indices.get(frame)));
    }
    line(writer, fields.toArray());
  }

  private static void line(Writer writer, Object... fields) throws IOException {
    for (int index = 0; index < fields.length; index++) {
      writer
          .append(index == 0 ? "" : "\t")
          .append(FieldEscapes.escape(String.valueOf(fields[index])));
    }
    writer.append('\n');
  }

  /**
   * Reads a tree.
   *
   * @throws TreeFileException when the file is truncated, damaged, of another version or something
   *     else altogether
   * @throws IOException when it cannot be read
   */
  public static FailurePointTree read(Path file) throws IOException {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      return new TreeFileParser(file, reader).parse();
    }
  }
}
