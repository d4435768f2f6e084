// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import io.powercut.report.evidence.StackFrame;
import io.powercut.tree.FunctionName;
import io.powercut.tree.UserCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Names places in the user's code so that they keep their names when lines move and the program is
 * rebuilt, independent of the caller: by function, source file and the text of the line; without
 * the source by function and the number of the instruction in it. Safe for use by several threads.
 */
public final class CodePlaces {
  private static final String UNKNOWN = "?";

  private final Function<String, Optional<Path>> modules;
  private final SourceText source = new SourceText();
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
    String function = FunctionName.of(frame.function()).simple();
    String file = frame.file().substring(frame.file().lastIndexOf('/') + 1);
    return Optional.of(frame)
        .filter(one -> !UserCode.isOfSystem(one.file()))
        .flatMap(source::of)
        .map(text -> function + " in " + file + ": " + text)
        .orElseGet(() -> withoutSource(frame, function));
  }

  private String withoutSource(StackFrame frame, String function) {
    Optional<String> ordinal =
        function.isEmpty() || frame.offset().isEmpty()
            ? Optional.empty()
            : modules
                .apply(frame.module())
                .flatMap(file -> disassembly.ordinal(file, Long.decode(frame.offset())));
    return function + " in " + frame.module() + ": " + ordinal.orElse(frame.offset());
  }
}
