// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import com.google.common.collect.ImmutableRangeSet;
import io.powercut.image.PmState;
import io.powercut.orchestrator.target.AcknowledgedLog;
import io.powercut.persistency.ranges.DeclaredRanges;
import io.powercut.trace.EventGroups;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the quiescent points of a run: the state after set-up, each output that acknowledges
 * something, and the clean exit. What is to be compared with them waits here for the one after it.
 * Gets the trace after the state and the log.
 */
public final class QuiescentPoints implements TraceConsumer, Closeable {
  private final PmState state;
  private final AcknowledgedLog log;
  private final DeclaredRanges ranges = new DeclaredRanges();
  private final EventGroups<IOException> events = new Events();
  private final List<Waiting> waiting = new ArrayList<>();
  private ImmutableRangeSet<Long> ignored = ImmutableRangeSet.of();
  private QuiescentPoint last;

  private record Waiting(
      CrashPoint moment, ImmutableRangeSet<Long> ignored, Consumer<CrashPoint> taker) {
    /** With what it is compared with, in which ignored bytes are as they are in its image. */
    CrashPoint between(QuiescentPoint before, QuiescentPoint after) throws IOException {
      return moment.between(
          Between.of(before.with(moment.image(), ignored), after.with(moment.image(), ignored)));
    }
  }

  private QuiescentPoints(PmState state, AcknowledgedLog log, QuiescentPoint beginning) {
    this.state = state;
    this.log = log;
    this.last = beginning;
  }

  /**
   * At the beginning of a run.
   *
   * @param state after set-up
   * @param log empty; what it collects acknowledges something
   */
  public static QuiescentPoints open(PmState state, AcknowledgedLog log) throws IOException {
    return new QuiescentPoints(
        state, log, new QuiescentPoint("after set-up", state.image(), log.now()));
  }

  /**
   * Keeps a moment until the next quiescent point.
   *
   * @param taker gets it then, and closes it
   */
  public void await(CrashPoint moment, Consumer<CrashPoint> taker) {
    waiting.add(new Waiting(moment, ignored, taker));
  }

  /** Whether there is one that waits. */
  public boolean isAwaited() {
    return !waiting.isEmpty();
  }

  @Override
  public void event(TraceEvent event) throws IOException {
    event.dispatch(events);
  }

  private final class Events implements EventGroups<IOException> {
    @Override
    public void range(TraceEvent.RangeDeclared declared) {
      ranges.declare(declared);
      ignored = ranges.ignored();
    }

    @Override
    public void output(TraceEvent.Output output) throws IOException {
      if (log.isCollected(output.kind())) {
        reached("after it acknowledged " + log.amount());
      }
    }
  }

  /** The target has ended as it should. */
  public void end() throws IOException {
    reached("after a clean exit");
  }

  private void reached(String name) throws IOException {
    QuiescentPoint next = new QuiescentPoint(name, state.image(), log.now());
    List<Waiting> ready = List.copyOf(waiting);
    waiting.clear();
    for (Waiting one : ready) {
      one.taker().accept(one.between(last, next));
    }
    last.release();
    last = next;
  }

  /** Gives up what waits. */
  @Override
  public void close() {
    waiting.forEach(one -> one.moment().close());
    last.release();
  }
}
