// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What kind of file a name stands for. Programs make up names with numbers and random letters,
 * which differ from run to run and mean nothing.
 */
public final class KindOfFile {
  private static final Pattern WORDS = Pattern.compile("[a-z][a-z._-]*");
  private static final Pattern EXTENSION = Pattern.compile(".*(?<extension>\\.[a-z]{1,5})");

  private KindOfFile() {}

  /**
   * The base name of a path if that has only small letters, else its extension, such as {@code
   * *.log}; empty if it has none that could be one.
   */
  public static String of(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (WORDS.matcher(name).matches()) {
      return name;
    }
    Matcher extension = EXTENSION.matcher(name);
    return extension.matches() ? "*" + extension.group("extension") : "";
  }
}
