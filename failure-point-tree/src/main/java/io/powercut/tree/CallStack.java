// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call stack, innermost frame first. Immutable; equal when all addresses are. */
public final class CallStack {
  private final ImmutableList<Frame> frames;
  private final FailurePointId id;

  private CallStack(ImmutableList<Frame> frames) {
    this.frames = frames;
    this.id = FailurePointId.of(frames);
  }

  /**
   * A stack of the given frames, innermost first.
   *
   * @throws IllegalArgumentException when there is no frame
   */
  public static CallStack of(List<Frame> frames) {
    if (frames.isEmpty()) {
      throw new IllegalArgumentException("a call stack needs at least one frame");
    }
    return new CallStack(ImmutableList.copyOf(frames));
  }

  /** A stack of the given frames, innermost first. */
  public static CallStack of(Frame... frames) {
    return of(List.of(frames));
  }

  /** The frames, innermost first; never empty. */
  public List<Frame> frames() {
    return frames;
  }

  /** The innermost frame: the instruction itself. */
  public Frame innermost() {
    return frames.get(0);
  }

  /** The identity of a failure point at this stack. */
  public FailurePointId id() {
    return id;
  }

  /** The frames without those that only start the program or the thread. */
  public List<Frame> framesOfProgram() {
    return StartUpFrames.withoutStartUp(frames);
  }

  /** Whether all addresses of both stacks are equal, compared one by one. */
  public boolean sameAddresses(CallStack other) {
    if (frames.size() != other.frames.size()) {
      return false;
    }
    for (int index = 0; index < frames.size(); index++) {
      if (!frames.get(index).sameAddress(other.frames.get(index))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof CallStack stack && id.equals(stack.id) && sameAddresses(stack));
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  /** One line for each source position, innermost first, inlined functions marked. */
  public String describe() {
    StringBuilder text = new StringBuilder();
    for (Frame frame : frames) {
      for (int index = 0; index < frame.positions().size(); index++) {
        text.append(text.length() == 0 ? "" : "\n")
            .append(frame.describe(frame.positions().get(index), false))
            .append(index + 1 < frame.positions().size() ? " (inlined)" : "");
      }
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return id + " " + frames;
  }
}
