// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.dataraces;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.tree.NamePattern;
import io.powercut.tree.UserCode;
import java.util.List;
import java.util.Optional;

/** Data races that are not reported: by a function, a file, or a function in a file. */
public record SuppressedRaces(
    @Key(
            value = "The function's name as in the source, or a pattern with * and ?.",
            pattern = "\\S(.*\\S)?",
            example = "\"stats_*\"")
        Optional<String> function,
    @Key(
            value =
                "The source file: its path, or the end of it behind a slash, or a pattern with * and ?.",
            pattern = "\\S(.*\\S)?",
            example = "stats.c")
        Optional<String> file) {

  public SuppressedRaces {
    requireNonNull(function, "function is null");
    requireNonNull(file, "file is null");
    if (function.isEmpty() && file.isEmpty()) {
      throw new IllegalArgumentException("needs a function, a file, or both");
    }
  }

  /** Whether a frame of this stack is meant. */
  public boolean covers(List<? extends UserCode.Function> stack) {
    return stack.stream()
        .anyMatch(
            frame ->
                function.map(name -> NamePattern.ofFunction(name, frame.function())).orElse(true)
                    && file.map(name -> isFile(name, frame.file())).orElse(true));
  }

  private static boolean isFile(String pattern, String file) {
    return NamePattern.matches(pattern, file) || NamePattern.matches("*/" + pattern, file);
  }
}
