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

  /** What {@code mkstemp} and its like make of a name; random letters may be small, too. */
  private static final Pattern TEMPORARY =
      Pattern.compile("(?<words>\\.?(?:[a-z]+[._-])*te?mp[._-](?:[a-z]+[._-])*)[A-Za-z0-9]{6,}");

  /** Words in front of a number or of random letters. */
  private static final Pattern BEGINNING =
      Pattern.compile("(?<words>\\.?(?:[a-z]+[._-])+)[^._-]+.*");

  private static final Pattern EXTENSION = Pattern.compile(".*(?<extension>\\.[a-z]{1,5})");

  private KindOfFile() {}

  /**
   * The base name of a path if that has only small letters, else its extension, such as {@code
   * *.log}, or the words that it begins with, such as {@code tmp_pack_*}; empty if it has neither.
   */
  public static String of(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    Matcher temporary = TEMPORARY.matcher(name);
    if (temporary.matches()) {
      return temporary.group("words") + "*";
    }
    if (WORDS.matcher(name).matches()) {
      return name;
    }
    Matcher extension = EXTENSION.matcher(name);
    if (extension.matches()) {
      return "*" + extension.group("extension");
    }
    Matcher beginning = BEGINNING.matcher(name);
    return beginning.matches() ? beginning.group("words") + "*" : "";
  }
}
