package io.powercut.orchestrator.run;

import io.powercut.instrumentation.trace.TraceConsumer;
import io.powercut.instrumentation.trace.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.Frame;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Knows whether a library is still opening its files: from the beginning of the trace, as long as
 * every store is a library's and the target's own code has come no further than the call that led
 * to the first one, and no failure point was reached twice. Gets the trace behind the tables.
 */
final class StartUp implements TraceConsumer {
  private final TraceTables tables;
  private final String program;
  private Optional<List<Frame>> call = Optional.empty();
  private boolean isOver;

  /**
   * @param program the base name of the target's program
   */
  StartUp(TraceTables tables, String program) {
    this.tables = tables;
    this.program = program;
  }

  /** Whether it is over. */
  boolean isOver() {
    return isOver;
  }

  /** A failure point was reached. */
  void reached(long number) {
    isOver |= number > 1;
  }

  @Override
  public void store(
      long ordinal,
      int thread,
      int flags,
      int site,
      int stack,
      long location,
      int size,
      ByteBuffer bytes,
      int offset) {
    if (isOver) {
      return;
    }
    if (stack == 0) {
      isOver = true;
      return;
    }
    CallStack stored = tables.stack(stack);
    List<Frame> own = stored.framesOfProgram().stream().filter(this::isOwn).toList();
    isOver = isOwn(stored.innermost()) || own.isEmpty() || !own.equals(call.orElse(own));
    call = Optional.of(own);
  }

  private boolean isOwn(Frame frame) {
    return frame.module().equals(program);
  }
}
