// SPDX-License-Identifier: Apache-2.0
package io.powercut.exit;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** How {@code powercut} ends, for scripts and continuous integration. */
public enum ExitCode {
  /** Everything asked for was done and no bug was found. */
  NOTHING_NEW(0, "nothing new: everything asked for was done and no bug was found"),
  /** At least one bug was proved. */
  NEW_BUGS(1, "new bugs were found"),
  /** The command line or the campaign file is wrong; nothing was run. */
  WRONG_USAGE(2, "wrong usage or campaign file; nothing was run"),
  /** The result cannot be trusted: target or control failed, or a tool is missing. */
  NOT_TRUSTWORTHY(3, "not trustworthy: the target or a control failed, or a tool is missing"),
  /** Interrupted, inconclusive or out of budget; the run can be resumed. */
  INCOMPLETE(4, "incomplete: interrupted, inconclusive or out of budget; it can be resumed");

  private final int code;
  private final String meaning;

  ExitCode(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /** The process exit status, 0 to 4. */
  public int code() {
    return code;
  }

  /** What a process that ended with this status said; nothing when it was none of powercut's. */
  public static Optional<ExitCode> of(int code) {
    return Arrays.stream(values()).filter(one -> one.code == code).findFirst();
  }

  /** One sentence for help texts and reports. */
  public String meaning() {
    return meaning;
  }

  /** Codes and meanings, in order, for a help text. */
  public static Map<String, String> forHelp() {
    Map<String, String> help = new LinkedHashMap<>();
    for (ExitCode exit : values()) {
      help.put(Integer.toString(exit.code), exit.meaning);
    }
    return help;
  }
}
