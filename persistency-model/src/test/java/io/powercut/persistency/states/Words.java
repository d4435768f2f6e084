// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.states.Step.Way;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Stores of whole words, for examples that can be followed by hand. */
final class Words {
  private static final int LINE = 64;

  private Words() {}

  /** A store of words to consecutive units. */
  private static Step.Store words(Way way, int unit, long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    return new Step.Store(1, 8 * unit, bytes, way, way == Way.STRING ? values.length : 1);
  }

  /** Through the cache. */
  static Step.Store cached(int unit, long... values) {
    return words(Way.CACHED, unit, values);
  }

  /** Without it. */
  static Step.Store pastCache(int unit, long... values) {
    return words(Way.NON_TEMPORAL, unit, values);
  }

  /** One instruction with a word for each of its elements. */
  static Step.Store string(int unit, long... values) {
    return words(Way.STRING, unit, values);
  }

  /** What a power cut behind these steps may leave of a file of two lines of zeros. */
  static CrashStates states(Step... steps) {
    return ModelRun.of(
            new SmallProgram(PersistencyDomain.ADR, ByteBuffer.allocate(2 * LINE), List.of(steps)))
        .states();
  }
}
