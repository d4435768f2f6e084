// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import io.powercut.tree.Severity;
import java.util.List;

/**
 * One misuse of persistent memory: all occurrences with the same places.
 *
 * @param seen what was seen and what to do about it, in plain words
 * @param involved the primary place first; never empty
 * @param count how often, at least 1: stores, flushes or fences, whatever the primary place is
 * @param file the PM file of the first occurrence, relative to the PM directory; empty for volatile
 *     memory, and for a fence that concerns none
 * @param offset of the first occurrence: in the file, in bytes; the address in volatile memory; 0
 *     for a fence that concerns no file
 */
public record PatternReport(
    PatternKind kind,
    Severity severity,
    String seen,
    List<Involved> involved,
    long count,
    String file,
    long offset) {
  public PatternReport {
    requireNonNull(kind, "kind is null");
    requireNonNull(severity, "severity is null");
    requireNonNull(seen, "seen is null");
    requireNonNull(file, "file is null");
    involved = ImmutableList.copyOf(involved);
    if (involved.isEmpty() || count < 1) {
      throw new IllegalArgumentException(
          "a report needs a place and an occurrence: " + involved + ", " + count);
    }
  }

  /** The place to look at first. */
  public Involved primary() {
    return involved.get(0);
  }
}
