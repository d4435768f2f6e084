// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FunctionName;
import io.powercut.tree.PythonCode;
import io.powercut.tree.UserCode;
import io.powercut.tree.language.AdaCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Names places in the user's code so that they keep their names when lines move and the program is
 * rebuilt, independent of the caller: by function, source file and the text of the line; without
 * the source by function, file and the number of the instruction in it. Other functions of that
 * name that have that line, too, are other places. Safe for use by several threads.
 */
public final class CodePlaces {
  private static final String UNKNOWN = "?";

  private final Function<String, Optional<Path>> modules;
  private final SourceText source = new SourceText();
  private final CompiledFiles files = new CompiledFiles();
  private final Disassembly disassembly = new Disassembly();
  private final Map<StackFrame, String> known = new ConcurrentHashMap<>();

  /**
   * @param modules where the binary or library of that base name is; asked by several threads
   */
  public CodePlaces(Function<String, Optional<Path>> modules) {
    this.modules = modules;
  }

  /**
   * The place of the user's code in a stack.
   *
   * @param stack innermost first
   */
  public String of(List<StackFrame> stack) {
    return UserCode.of(stack)
        .map(frame -> known.computeIfAbsent(frame, this::describe))
        .orElse(UNKNOWN);
  }

  private String describe(StackFrame frame) {
    return Optional.of(frame)
        .filter(one -> !UserCode.isOfSystem(one.file()) || PythonCode.isPackage(one.file()))
        .flatMap(source::of)
        .map(
            text ->
                AdaCode.simpleName(frame.function(), frame.file())
                        .orElseGet(() -> FunctionName.of(frame.function()).simple())
                    + " in "
                    + file(frame, other -> source.hasSameLine(frame, other))
                    + ": "
                    + text)
        .orElseGet(() -> withoutSource(frame));
  }

  /** Its base name, unless the program has another file that could be meant. */
  private String file(StackFrame frame, Predicate<Path> isMeant) {
    return modules
        .apply(frame.module())
        .map(module -> files.name(module, frame.file(), isMeant))
        .orElseGet(() -> frame.file().substring(frame.file().lastIndexOf('/') + 1));
  }

  /** Then functions of one name are told apart by their files, classes and parameters. */
  private String withoutSource(StackFrame frame) {
    String function = FunctionName.symbol(frame.function());
    Optional<String> ordinal =
        function.isEmpty() || frame.offset().isEmpty()
            ? Optional.empty()
            : modules
                .apply(frame.module())
                .flatMap(file -> disassembly.ordinal(file, Long.decode(frame.offset())));
    boolean isOfUser = !frame.file().isEmpty() && !UserCode.isOfSystem(frame.file());
    return function
        + " in "
        + (isOfUser ? file(frame, other -> true) + " of " : "")
        + frame.module()
        + ": "
        + ordinal.orElse(frame.offset());
  }
}
