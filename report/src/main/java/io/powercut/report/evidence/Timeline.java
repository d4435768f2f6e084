// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.evidence;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;

/**
 * What happened before the power was cut, as far as it matters: the lost stores, what else was done
 * to their cache lines, and what was done to other lines meanwhile.
 *
 * @param steps in the order of the run
 * @param more how many more steps to these lines are left out between them
 * @param behind who always stored after the first lost store to its run of cache lines, each line
 *     next to another one, all stored to with no fence in between: one flush of the run persists
 *     all; each place once, and empty where it is not known
 * @param written who always wrote to its file after the first lost store, if that lacks a call that
 *     synchronises the file, and before what relies on it; empty where it is not known
 * @param shortFlush what flushed the lines right before that of the first lost store, and should
 *     have flushed it as well, innermost first, if that is the advice; empty in other cases
 */
public record Timeline(
    List<Event> steps,
    long more,
    List<List<StackFrame>> behind,
    List<List<StackFrame>> written,
    List<StackFrame> shortFlush) {
  /** Copies the lists. */
  public Timeline {
    steps = List.copyOf(steps);
    behind = behind == null ? List.of() : behind.stream().map(List::copyOf).toList();
    written = written == null ? List.of() : written.stream().map(List::copyOf).toList();
    shortFlush = shortFlush == null ? List.of() : List.copyOf(shortFlush);
  }

  /** One where nothing is known of what was always stored after the first lost store. */
  public Timeline(List<Event> steps, long more) {
    this(steps, more, List.of(), List.of(), List.of());
  }

  /** The same with what was always stored after the first lost store. */
  public Timeline withBehind(List<List<StackFrame>> run, List<List<StackFrame>> toFile) {
    return new Timeline(steps, more, run, toFile, shortFlush);
  }

  /** The same with a flush that should flush more. */
  public Timeline withShortFlush(List<StackFrame> flush) {
    return new Timeline(steps, more, behind, written, flush);
  }

  /** What a step did. */
  public enum Action {
    /** It stored to persistent memory, or wrote to a file there. */
    STORE,
    /** It flushed a cache line. */
    FLUSH,
    /** It was a fence, or had the effect of one. */
    FENCE,
    /** It was a system call that makes files durable. */
    SYNC,
    /** It was a system call that changes a name or a size. */
    METADATA;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What became of a store in the image. */
  public enum Fate {
    /** The image lacks it. */
    LOST,
    /** It was persisted, so the image has it in any case. */
    PERSISTED,
    /** Nothing had persisted it, but the image has it, and has to for recovery to fail. */
    EARLY,
    /** Nothing had persisted it, and the image has it. */
    IN_FLIGHT,
    /** It is no store. */
    NONE;

    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * A step.
   *
   * @param ordinal its place in the trace, from 0
   * @param thread the number of the thread, from 1
   * @param kind what it did
   * @param instruction how, for example {@code clwb}
   * @param fate of a store, what became of it
   * @param file path in the PM directory; empty where it is about no single line
   * @param offset of the first byte in the file; of a store to several lines, in one of them
   * @param size of a store in bytes, of a part in one line; else 0
   * @param bytes the first bytes stored, in hexadecimal
   * @param stack the innermost frames up to the user's code and a few more, innermost first
   */
  public record Event(
      long ordinal,
      int thread,
      Action kind,
      String instruction,
      Fate fate,
      String file,
      long offset,
      int size,
      String bytes,
      List<StackFrame> stack) {
    /** Copies the list. */
    public Event {
      stack = List.copyOf(stack);
    }
  }
}
