// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.dataraces;

import io.powercut.report.evidence.StackFrame;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * Two accesses of two threads to the same bytes that nothing orders.
 *
 * @param detectors the algorithms that found it, in alphabetical order
 * @param confirmed whether both accesses were seen; KARD also suspects an access to what another
 *     thread had used in the critical section that it is in. Then {@code first} is that section.
 * @param size how many bytes both accesses use, from 1
 * @param memory what these bytes held at the second access, as a hexadecimal number; empty when
 *     they were freed
 * @param object what they belong to
 * @param first the access that came first in this run
 * @param second the other one
 */
public record DataRace(
    List<String> detectors,
    boolean confirmed,
    int size,
    String memory,
    Thing object,
    Access first,
    Access second) {
  /** Keeps its own copy. */
  public DataRace {
    detectors = List.copyOf(detectors);
  }

  /**
   * An object of the program.
   *
   * @param name in words
   * @param allocated where it was allocated, innermost first; empty if it was not
   */
  public record Thing(String name, List<StackFrame> allocated) {
    /** Keeps its own copy. */
    public Thing {
      allocated = List.copyOf(allocated);
    }
  }

  /**
   * A lock that was held.
   *
   * @param shared whether it was held to read only
   * @param lock the lock
   * @param taken where it was taken; empty when unknown
   */
  public record HeldLock(boolean shared, Thing lock, List<StackFrame> taken) {
    /** Keeps its own copy. */
    public HeldLock {
      taken = List.copyOf(taken);
    }
  }

  /**
   * One access.
   *
   * @param kind {@code read}, {@code write} or {@code free}, {@code atomic} before it if it is
   * @param size bytes
   * @param thread number of the thread in order of creation; that of main is 0
   * @param created where the thread was created; empty for that of main
   * @param stack where it happened
   * @param locks what the thread held
   */
  public record Access(
      String kind,
      int size,
      int thread,
      List<StackFrame> created,
      List<StackFrame> stack,
      List<HeldLock> locks) {
    /** Keeps its own copies. */
    public Access {
      created = List.copyOf(created);
      stack = List.copyOf(stack);
      locks = List.copyOf(locks);
    }

    /** Its line. Compilers put an inlined function's line under the name of its caller, too. */
    String place() {
      return UserFrames.of(stack).map(Access::line).orElse("?");
    }

    private static String line(StackFrame frame) {
      return frame.line() > 0 ? frame.file() + ":" + frame.line() : frame.text();
    }
  }

  /** The same, found by these algorithms. */
  DataRace foundBy(Collection<String> all) {
    return new DataRace(
        all.stream().sorted().distinct().toList(), confirmed, size, memory, object, first, second);
  }

  /** The same for races between the same two places in the code, whichever came first. */
  String places() {
    return String.join("\n", Stream.of(first.place(), second.place()).sorted().toList());
  }
}
