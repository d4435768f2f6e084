// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import com.google.common.base.Splitter;
import com.google.common.base.VerifyException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what {@link TreeFile} writes, and says where a file is not that. */
final class TreeFileParser {
  private static final Splitter TABS = Splitter.on('\t');
  private static final String RECORD_AGAIN =
      "The file is damaged: restore it from a backup, or record the tree again with \"powercut run\"";

  private final Path file;
  private final BufferedReader reader;
  private final List<Frame> frames = new ArrayList<>();
  private long lineNumber;

  /** The reader must decode as ISO 8859-1, which never fails: what is UTF-8 is decoded here. */
  TreeFileParser(Path file, BufferedReader reader) {
    this.file = file;
    this.reader = reader;
  }

  FailurePointTree parse() throws IOException {
    requireOurVersion();
    String program = value("program", nextFields());
    Granularity granularity = granularity(value("granularity", nextFields()));
    Set<String> excluded = new LinkedHashSet<>();
    List<String> fields = nextFields();
    while (fields.get(0).equals("exclude")) {
      excluded.add(value("exclude", fields));
      fields = nextFields();
    }
    FailurePointTree tree =
        new FailurePointTree(program, granularity, ExcludedFunctions.of(excluded));
    while (!fields.get(0).equals("end")) {
      parseBody(fields, tree);
      fields = nextFields();
    }
    requireTotals(fields, tree);
    return tree;
  }

  private void requireOurVersion() throws IOException {
    String line = reader.readLine();
    lineNumber++;
    if (line == null || !line.startsWith(TreeFile.MAGIC + "\t")) {
      throw new TreeFileException(
          file,
          lineNumber,
          "this is not a failure-point tree: it does not begin with \"" + TreeFile.MAGIC + "\"",
          "Name the tree file of a run directory");
    }
    String version = line.substring(TreeFile.MAGIC.length() + 1);
    if (!version.equals(Integer.toString(TreeFile.VERSION))) {
      throw new TreeFileException(
          file,
          lineNumber,
          "this tree has format version "
              + version
              + ", this Powercut reads version "
              + TreeFile.VERSION,
          "Use the Powercut version that wrote it, or record the tree again with \"powercut run\"");
    }
  }

  private List<String> nextFields() throws IOException {
    String line = reader.readLine();
    lineNumber++;
    if (line == null) {
      throw damaged("the file is truncated: its \"end\" line is missing");
    }
    String text = new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    try {
      return TABS.splitToStream(text).map(FieldEscapes::unescape).toList();
    } catch (IllegalArgumentException e) {
      throw damaged(message(e));
    }
  }

  private String value(String key, List<String> fields) throws TreeFileException {
    if (fields.size() != 2 || !fields.get(0).equals(key)) {
      throw damaged("expected \"" + key + "\" and one value");
    }
    return fields.get(1);
  }

  private Granularity granularity(String label) throws TreeFileException {
    try {
      return Granularity.parse(label);
    } catch (IllegalArgumentException e) {
      throw damaged(message(e));
    }
  }

  private void parseBody(List<String> fields, FailurePointTree tree) throws TreeFileException {
    try {
      switch (fields.get(0)) {
        case "frame" -> parseFrame(fields);
        case "point" -> parsePoint(fields, tree);
        default -> throw damaged("unknown kind of line \"" + fields.get(0) + "\"");
      }
    } catch (IllegalArgumentException | FailurePointCollisionException e) {
      throw damaged(message(e));
    }
  }

  private void parseFrame(List<String> fields) {
    int positions = (fields.size() - 4) / 3;
    require(positions > 0 && fields.size() == 4 + 3 * positions, "wrong number of fields");
    int index = Integer.parseInt(fields.get(1));
    require(index == frames.size(), "frame " + index + " where " + frames.size() + " should be");
    List<SourcePosition> sources = new ArrayList<>(positions);
    for (int field = 4; field < fields.size(); field += 3) {
      sources.add(
          new SourcePosition(
              fields.get(field), fields.get(field + 1), Integer.parseInt(fields.get(field + 2))));
    }
    frames.add(new Frame(fields.get(2), Long.parseUnsignedLong(fields.get(3), 16), sources));
  }

  private void parsePoint(List<String> fields, FailurePointTree tree) {
    require(fields.size() > 6, "wrong number of fields");
    List<Frame> stackFrames = new ArrayList<>(fields.size() - 6);
    for (String field : fields.subList(6, fields.size())) {
      int index = Integer.parseInt(field);
      require(index >= 0 && index < frames.size(), "frame " + index + " is not defined above");
      stackFrames.add(frames.get(index));
    }
    CallStack stack = CallStack.of(stackFrames);
    require(
        stack.id().equals(FailurePointId.parse(fields.get(1))),
        "the frames give the id " + stack.id() + ", not " + fields.get(1));
    tree.add(
        new FailurePoint(
            stack,
            Instruction.parse(fields.get(2)),
            Long.parseLong(fields.get(4)),
            Long.parseLong(fields.get(5)),
            visited(fields.get(3))));
  }

  private static boolean visited(String text) {
    require(text.equals("visited") || text.equals("unvisited"), "\"" + text + "\" is not a mark");
    return text.equals("visited");
  }

  private void requireTotals(List<String> fields, FailurePointTree tree) throws IOException {
    List<String> expected =
        List.of("end", Integer.toString(frames.size()), Integer.toString(tree.size()));
    if (!fields.equals(expected)) {
      throw damaged(
          "lines are missing: "
              + frames.size()
              + " frames and "
              + tree.size()
              + " points were read, but the end line counts "
              + fields.subList(1, fields.size()));
    }
    lineNumber++;
    if (reader.readLine() != null) {
      throw damaged("something follows the \"end\" line");
    }
  }

  private static void require(boolean condition, String problem) {
    if (!condition) {
      throw new IllegalArgumentException(problem);
    }
  }

  private TreeFileException damaged(String problem) {
    return new TreeFileException(file, lineNumber, problem, RECORD_AGAIN);
  }

  private static String message(RuntimeException e) {
    @Nullable String message = e.getMessage();
    if (message == null) {
      throw new VerifyException(e);
    }
    return message;
  }
}
