// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import java.util.List;

/**
 * One frame of a call stack: an address in a binary, and what the source calls it.
 *
 * <p>The address is the frame's identity (it makes the {@link FailurePointId}); names are for the
 * reader. One address can lie in several functions at once, when the compiler inlined one into the
 * other.
 *
 * @param module the base name of the binary or library, with its identity after a {@code ~} when
 *     another of the same execution has that name; empty for code outside any file
 * @param offset the address in the module as the linker assigned it: what {@code addr2line -e}
 *     takes; unsigned
 * @param positions where that is in the source: innermost inlined function first, the function that
 *     was not inlined last; never empty
 */
public record Frame(String module, long offset, List<SourcePosition> positions) {
  public Frame {
    requireNonNull(module, "module is null");
    positions = ImmutableList.copyOf(positions);
    if (positions.isEmpty()) {
      throw new IllegalArgumentException("a frame needs at least one source position");
    }
  }

  /** A frame whose address lies in one function only. */
  public static Frame of(String module, long offset, String function, String file, int line) {
    return new Frame(module, offset, List.of(new SourcePosition(function, file, line)));
  }

  /** A frame of which only the address is known. */
  public static Frame unknown(String module, long offset) {
    return new Frame(module, offset, List.of(SourcePosition.UNKNOWN));
  }

  /** The innermost source position at this address: the code that runs there. */
  public SourcePosition position() {
    return positions.get(0);
  }

  /** The innermost function, demangled; empty when unknown. */
  public String function() {
    return position().function();
  }

  /** The source file of the innermost function; empty when unknown. */
  public String file() {
    return position().file();
  }

  /** The line in {@link #file()}; 0 when unknown. */
  public int line() {
    return position().line();
  }

  /** Whether both frames are the same address, whatever is known of their names. */
  public boolean sameAddress(Frame other) {
    return offset == other.offset && module.equals(other.module);
  }

  /** The address alone: {@code libpmem.so.1+0x1a2b}. */
  public String address() {
    return (module.isEmpty() ? "?" : module) + "+0x" + Long.toHexString(offset);
  }

  /** Names one of the positions: {@code function at file.c:12}, offsets where there is nothing. */
  public String describe(SourcePosition position, boolean fullPath) {
    if (position.function().isEmpty()) {
      return address();
    }
    if (!position.hasLine()) {
      return position.function() + " in " + address();
    }
    String file = fullPath ? position.file() : position.fileName();
    return position.function() + " at " + file + ":" + position.line();
  }

  /** {@code function at file.c:12} of the innermost position. */
  @Override
  public String toString() {
    return describe(position(), false);
  }
}
