// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

/**
 * What the target had acknowledged before the power was cut.
 *
 * @param bytes how much
 * @param lines how many whole lines
 * @param lastLine the last line, whole or not; its end when it is long; empty when nothing was
 *     acknowledged
 */
public record AcknowledgedOutput(long bytes, long lines, String lastLine) {
  /** Such as {@code 17 lines, the last is "17 put 42"}. */
  public String inWords() {
    if (bytes == 0) {
      return "nothing";
    }
    String size = lines == 0 ? bytes + " bytes" : lines == 1 ? "1 line" : lines + " lines";
    return size + (lines == 1 ? ": \"" : ", the last is \"") + lastLine + "\"";
  }
}
