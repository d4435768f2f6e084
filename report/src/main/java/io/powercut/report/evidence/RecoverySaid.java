// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import io.powercut.report.format.Text;
import java.util.List;
import java.util.regex.Pattern;

/** The lines of a recovery's output that tell why it failed. */
public final class RecoverySaid {
  private static final int LINE_LENGTH = 160;
  private static final Pattern TELLING =
      Pattern.compile(
          "error|fail|corrupt|invalid|inconsisten|assert|expect|mismatch|missing|lost|wrong|bad\\b"
              + "|broken|damaged|cannot|can't|not found|unknown|refus|exception|panic|abort",
          Pattern.CASE_INSENSITIVE);

  private RecoverySaid() {}

  /**
   * The first lines that complain; the last lines when none does.
   *
   * @param output the end of what a step printed
   * @param limit the number of lines
   */
  public static List<String> of(String output, int limit) {
    List<String> lines =
        Text.printed(output).lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    List<String> telling = lines.stream().filter(line -> TELLING.matcher(line).find()).toList();
    List<String> chosen =
        telling.isEmpty()
            ? lines.subList(Math.max(0, lines.size() - limit), lines.size())
            : telling.subList(0, Math.min(limit, telling.size()));
    return chosen.stream().map(line -> Text.beginning(line, LINE_LENGTH)).toList();
  }
}
