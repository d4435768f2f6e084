// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.inspection;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What can be told of a program without testing it.
 *
 * @param kind what it is, for a person
 * @param persistence how it persists what it stores, one way each, for a person
 * @param changesFiles whether it can map files or write them, as far as that can be seen
 * @param help what it says when asked for help; nothing if it says nothing
 */
record ProgramFacts(
    String kind, List<String> persistence, boolean changesFiles, Optional<HelpText> help) {
  ProgramFacts {
    persistence = List.copyOf(persistence);
  }

  /** One line each, for a person. */
  List<String> inWords() {
    List<String> lines = new ArrayList<>();
    lines.add(kind);
    persistence.forEach(lines::add);
    if (!changesFiles) {
      lines.add(
          "no call of mmap or write was seen: without files that it changes, nothing is tested");
    }
    lines.add(
        help.filter(text -> !text.commands().isEmpty())
            .map(text -> "commands in its --help: " + String.join(", ", text.commands()))
            .orElse("its --help names no commands"));
    return lines;
  }
}
