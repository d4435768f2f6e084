// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Knows whether a library of the system is still opening its files: from the beginning of the
 * trace, as long as every store is its own, the target's code has come no further than the call
 * that led to the first one, and no failure point was reached twice. What the C library copies is
 * stored by who calls it. Gets the trace after the tables.
 */
public final class StartUp implements TraceConsumer {
  /** Libraries that store what they are told, where they are told. */
  private static final Pattern COPIES =
      Pattern.compile(
          "(?:libc|libstdc\\+\\+|libpmem2?|libpowercut-race)(?:-[0-9.]+)?\\.so(?:\\..*)?");

  private final TraceTables tables;
  private final String program;
  private final Set<String> ofTheSystem = new HashSet<>();
  private Optional<List<Frame>> call = Optional.empty();
  private boolean isOver;

  /**
   * @param program the base name of the target's program
   */
  public StartUp(TraceTables tables, String program) {
    this.tables = tables;
    this.program = program;
  }

  /** Whether it is over. */
  public boolean isOver() {
    return isOver;
  }

  /** A failure point was reached. */
  public void reached(long number) {
    isOver |= number > 1;
  }

  @Override
  public void event(TraceEvent event) {
    if (event instanceof TraceEvent.ModuleDefined module && module.isOfTheSystem()) {
      ofTheSystem.add(module.name());
    }
  }

  @Override
  public void store(StoreRecord store) {
    if (isOver) {
      return;
    }
    if (store.stack() == 0) {
      isOver = true;
      return;
    }
    CallStack stored = tables.stack(store.stack());
    List<Frame> own = stored.framesOfProgram().stream().filter(this::isOwn).toList();
    isOver = isOwn(storing(stored.frames())) || own.isEmpty() || !own.equals(call.orElse(own));
    call = Optional.of(own);
  }

  private static Frame storing(List<Frame> frames) {
    return frames.stream()
        .filter(frame -> !COPIES.matcher(frame.module()).matches())
        .findFirst()
        .orElse(frames.get(0));
  }

  private boolean isOwn(Frame frame) {
    return frame.module().equals(program) || !ofTheSystem.contains(frame.module());
  }
}
