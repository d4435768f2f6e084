// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.code;

import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.trace.replay.ElfSections;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.UserCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The user's programs and libraries that were compiled without {@code -g}. */
public final class ProgramLines {
  /** What somebody else compiled. */
  private static final Pattern INSTALLED = Pattern.compile("/(?:usr/)?(?:s?bin|lib(?:64)?)/.*");

  /** Where lines are, or what names the file where they are. */
  private static final Set<String> SECTIONS =
      Set.of(".debug_info", ".debug_line", ".zdebug_info", ".gnu_debuglink");

  private ProgramLines() {}

  /**
   * What to do about places that have no source lines.
   *
   * @param stores call stacks of stores that findings name
   * @param module where the file of a base name is
   * @return in a sentence; nothing if all programs were compiled with {@code -g}
   */
  public static Optional<String> advice(
      FailurePointTree tree,
      List<List<StackFrame>> stores,
      Function<String, Optional<Path>> module) {
    Map<String, Path> found = new TreeMap<>();
    Stream.concat(
            tree.failurePoints().stream().map(FailurePoint::stack).map(TargetStack::of),
            stores.stream())
        .flatMap(stack -> UserCode.of(stack).stream())
        .filter(frame -> frame.file().isEmpty())
        .map(StackFrame::module)
        .distinct()
        .forEach(
            name ->
                module
                    .apply(name)
                    .filter(ProgramLines::isWithout)
                    .ifPresent(file -> found.put(name, file)));
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s: compile with -g%s, so that findings have source lines and variables"
                .formatted(
                    String.join(", ", found.keySet()),
                    found.values().stream().anyMatch(ProgramLines::isStripped)
                        ? " and do not strip"
                        : ""));
  }

  /** Whether somebody else compiled a file. */
  static boolean isInstalled(Path file) {
    return INSTALLED.matcher(file.toString()).matches();
  }

  private static boolean isStripped(Path program) {
    return !ElfSections.names(program).contains(".symtab");
  }

  private static boolean isWithout(Path program) {
    Set<String> sections = ElfSections.names(program);
    return sections.contains(".text")
        && SECTIONS.stream().noneMatch(sections::contains)
        && !isInstalled(program);
  }
}
