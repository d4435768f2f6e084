// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The files from which every execution of a run started. A later set-up may give others: {@code
 * setup.json} holds what tells them apart.
 *
 * @param contents by path in the PM directory: {@code file}, its size in bytes and a hash of its
 *     contents; {@code directory}; or {@code link} and where it leads
 */
public record SetUpLog(SortedMap<String, String> contents) {
  private static final String REMEDY =
      "let it give the same files each time, without random numbers, the time or process numbers in"
          + " them, or let it copy files that were made once";

  /** The hash is what comes last. */
  private static final Pattern FILE = Pattern.compile("(file \\d+) .*");

  /** Copies the map. */
  public SetUpLog {
    contents = new TreeMap<>(contents);
  }

  /** Of a directory's entries. */
  public static SetUpLog of(Map<String, String> contents) {
    return new SetUpLog(new TreeMap<>(contents));
  }

  /**
   * What a later set-up gave otherwise than this one did, in words, with the first file that
   * differs; nothing if it gave the same.
   */
  public Optional<String> unlike(SetUpLog later) {
    SortedSet<String> names = new TreeSet<>(contents.keySet());
    names.addAll(later.contents.keySet());
    return names.stream()
        .filter(name -> !said(this, name).equals(said(later, name)))
        .findFirst()
        .map(
            name ->
                "set-up gave other files than in the run, the first is "
                    + name
                    + ", which "
                    + difference(said(this, name), said(later, name)));
  }

  /**
   * The same without a look at the bytes of files: those of a PMDK pool, for example, are others
   * after each set-up, and nothing depends on them.
   */
  public Optional<String> unlikeInNameOrSize(SetUpLog later) {
    return withoutBytes().unlike(later.withoutBytes());
  }

  private SetUpLog withoutBytes() {
    SortedMap<String, String> known = new TreeMap<>(contents);
    known.replaceAll((name, said) -> FILE.matcher(said).replaceFirst("$1"));
    return new SetUpLog(known);
  }

  /** What to do if set-up does not give the same files each time. */
  public static String remedy() {
    return REMEDY;
  }

  private static String said(SetUpLog log, String name) {
    return log.contents.getOrDefault(name, "");
  }

  private static String difference(String before, String now) {
    if (before.isEmpty()) {
      return "the run did not have";
    }
    if (now.isEmpty()) {
      return "is missing";
    }
    String[] were = before.split(" ", 3);
    String[] are = now.split(" ", 3);
    if (!were[0].equals(are[0])) {
      return "was a %s and is a %s".formatted(were[0], are[0]);
    }
    if (were[0].equals("link")) {
      return "leads to another place";
    }
    return were[1].equals(are[1])
        ? "holds other bytes"
        : "has %s bytes instead of %s".formatted(are[1], were[1]);
  }
}
