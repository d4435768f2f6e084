// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.format;

import io.powercut.process.PowercutHome;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Commands for a shell, complete, so that they can be pasted in any folder. */
public final class Commands {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./+:@%-]+");

  private Commands() {}

  /** Replays what is said after it. */
  public static String replay(Path run, String what) {
    return powercut() + " replay " + quoted(run.toString()) + " " + what;
  }

  /** Accepts a finding of a run. */
  public static String accept(Path run, String fingerprint) {
    return "%s accept %s --run %s --reason \"...\""
        .formatted(powercut(), fingerprint, quoted(run.toString()));
  }

  private static String powercut() {
    return quoted(PowercutHome.find().resolve("powercut").toString());
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
