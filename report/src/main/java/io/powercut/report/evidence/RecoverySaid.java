// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.oracle.StepResult;
import io.powercut.oracle.server.ServerOutcome;
import io.powercut.report.format.DiffText;
import io.powercut.report.format.Text;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The lines of a recovery's output that tell why it failed. */
public final class RecoverySaid {
  private static final int LINE_LENGTH = 160;
  private static final Pattern TELLING =
      Pattern.compile(
          "error|fail|corrupt|invalid|inconsisten|assert|expect|mismatch|missing|lost|wrong|bad\\b"
              + "|broken|damaged|cannot|can't|not found|unknown|refus|exception|panic|abort",
          Pattern.CASE_INSENSITIVE);

  /** What a Java virtual machine says of the options that it takes from the environment. */
  private static final Pattern OPTIONS = Pattern.compile("(?:NOTE: )?Picked up \\w*OPTIONS: .*");

  private static final Pattern MARK = Pattern.compile("~*\\^[\\^~]*");

  private RecoverySaid() {}

  /**
   * The first lines that complain; when none does, the first lines in which the sides of a {@code
   * diff} differ, or else the last lines. Where a server ran and its client failed, the client says
   * why: what the server printed is that of a server that is well. A line of source code that an
   * interpreter shows, with a mark below, is no complaint. Nor is one with the options of a Java
   * virtual machine, or one that is alike on both sides of a difference.
   *
   * @param seen what was seen of the step, in words
   * @param output the end of what it printed
   * @param limit the number of lines
   */
  public static List<String> of(String seen, String output, int limit) {
    List<String> said = seen.contains(ServerOutcome.CLIENT_FAILED) ? ofClient(output) : List.of();
    return telling(said.isEmpty() ? lines(output) : said, limit).stream()
        .map(line -> Text.beginning(line, LINE_LENGTH))
        .toList();
  }

  private static List<String> ofClient(String output) {
    int client = output.lastIndexOf(StepResult.CLIENT);
    return client < 0 ? List.of() : lines(output.substring(client + StepResult.CLIENT.length()));
  }

  private static List<String> lines(String output) {
    return Text.printed(output).lines().filter(line -> !line.isBlank()).toList();
  }

  private static List<String> withoutSource(List<String> lines) {
    return IntStream.range(0, lines.size())
        .filter(line -> line + 1 == lines.size() || !isMark(lines.get(line + 1)))
        .mapToObj(lines::get)
        .toList();
  }

  /** Whether a line points at a place in the line above, which is source code then. */
  private static boolean isMark(String line) {
    return MARK.matcher(line).matches();
  }

  private static List<String> telling(List<String> lines, int limit) {
    DiffText text = DiffText.of(lines);
    List<String> changed = text.changed();
    List<String> others = text.others().stream().map(String::strip).toList();
    List<String> telling = complaints(withoutSource(others));
    if (telling.isEmpty()) {
      telling = complaints(others);
    }
    if (telling.isEmpty()) {
      telling = changed;
    }
    return telling.isEmpty()
        ? others.subList(Math.max(0, others.size() - limit), others.size())
        : telling.subList(0, Math.min(limit, telling.size()));
  }

  private static List<String> complaints(List<String> lines) {
    return lines.stream()
        .filter(line -> TELLING.matcher(line).find() && !OPTIONS.matcher(line).matches())
        .toList();
  }
}
