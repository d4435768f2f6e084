// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.strength;

import io.powercut.trace.TraceEvent.ModuleDefined;
import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import io.powercut.tree.SourcePosition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells to which of the target's own functions a flush or fence belongs: the innermost one that is
 * not in a library of the system and not a mere helper. A helper is a function that never stores to
 * persistent memory, neither itself nor in what it calls, as one that flushes what its caller
 * stored.
 */
final class OwnFunctions {
  private static final String NAMELESS = "(unknown)";

  private final Set<String> ownModules = new HashSet<>();
  private final Set<String> storing = new HashSet<>();

  /**
   * @param modules of the target
   * @param storingStacks the call stacks of all its stores to persistent memory
   */
  OwnFunctions(Collection<ModuleDefined> modules, Collection<CallStack> storingStacks) {
    for (ModuleDefined module : modules) {
      if (module.path().startsWith("/") && !module.isOfTheSystem()) {
        ownModules.add(module.name());
      }
    }
    storingStacks.forEach(stack -> storing.addAll(own(stack)));
  }

  /** The function's name. */
  String of(CallStack stack) {
    List<String> own = own(stack);
    Optional<String> found = own.stream().filter(storing::contains).findFirst();
    return found
        .or(() -> own.stream().findFirst())
        .or(() -> names(stack.frames()).stream().findFirst())
        .orElse(NAMELESS);
  }

  private List<String> own(CallStack stack) {
    return names(
        stack.framesOfProgram().stream()
            .filter(frame -> ownModules.contains(frame.module()))
            .toList());
  }

  private static List<String> names(List<Frame> frames) {
    List<String> names = new ArrayList<>();
    for (Frame frame : frames) {
      for (SourcePosition position : frame.positions()) {
        if (!position.function().isEmpty()) {
          names.add(position.function());
        }
      }
    }
    return names;
  }
}
