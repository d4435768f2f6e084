// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.changes.AddedState;
import io.powercut.persistency.changes.AddedStates;
import io.powercut.persistency.changes.WithoutPersists;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.lines.LineHistory;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddedStatesTest {
  private static final int WITHOUT = 7;
  private static final int OTHER = 8;

  /** So that what was stored to before is kept in few bytes. */
  private static final int MOST_HOT_LINES = 2;

  private final CacheLineTracker usual = model();
  private final CacheLineTracker changed = model();
  private final List<TraceConsumer> models = List.of(usual, new WithoutPersists(WITHOUT, changed));
  private final ByteBuffer word = ByteBuffer.allocate(8);
  private long ordinal;

  private static CacheLineTracker model() {
    return new CacheLineTracker(
        PersistencyDomain.ADR, (file, offset, into) -> Arrays.fill(into, (byte) 0), MOST_HOT_LINES);
  }

  private void store(int line, int times) throws IOException {
    for (int time = 0; time < times; time++) {
      word.putLong(0, ++ordinal);
      for (TraceConsumer model : models) {
        model.store(new StoreRecord(ordinal, 1, 0, 1, 1, Location.of(1, 64L * line), 8, word, 0));
      }
    }
  }

  private void persist(int line) throws IOException {
    ordinal++;
    for (TraceConsumer model : models) {
      model.flush(ordinal, 1, FlushKind.CLWB, 1, WITHOUT, Location.of(1, 64L * line));
      model.fence(ordinal, 1, FenceKind.SFENCE, 1, OTHER);
    }
  }

  /** However much is in flight, nothing of it is forgotten. */
  @Test
  void lineThatIsPendingAnywayShouldNotCountAsAdded() throws IOException {
    for (TraceConsumer model : models) {
      model.event(new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.EXISTING, 4096, "pool"));
    }
    store(0, LineHistory.MOST_STORES + 1);
    store(1, 1);
    store(2, 1000);
    persist(2);
    store(2, 4000);
    store(0, 1);
    store(3, 1000);

    assertThat(CrashStates.of(usual).lines())
        .anyMatch(line -> line.location() == Location.of(1, 64));
    assertThat(CrashStates.of(usual).forgotten()).isPositive();
    assertThat(AddedStates.of(CrashStates.of(usual), CrashStates.of(changed), 8, 1000)).isEmpty();
  }

  private void define() {
    for (CacheLineTracker model : List.of(usual, changed)) {
      model.event(new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.EXISTING, 4096, "pool"));
    }
  }

  private static List<String> shown(List<AddedState> added) {
    return added.stream()
        .map(one -> lines(one.state()) + " for " + lines(one.counterpart()))
        .toList();
  }

  /** By number, each with how many stores to it are missing. */
  private static String lines(CrashState state) {
    return state.differences().stream()
        .map(line -> Location.offset(line.location()) / 64 + "x" + line.missing().size())
        .toList()
        .toString();
  }

  /** The first two lines are persisted in one model only. */
  @Test
  void mostTellingStatesShouldComeFirst() throws IOException {
    define();
    store(0, 2);
    persist(0);
    store(1, 1);
    persist(1);
    store(2, 1);
    store(3, 1);
    String[] all = {
      "[0x2, 1x1] for []",
      "[0x2, 1x1, 2x1, 3x1] for [2x1, 3x1]",
      "[1x1] for []",
      "[0x2] for []",
      "[0x2, 1x1, 2x1] for [2x1]",
      "[0x2, 1x1, 3x1] for [3x1]",
      "[0x1] for []"
    };

    for (int most = 1; most <= all.length + 1; most++) {
      List<AddedState> added =
          AddedStates.of(CrashStates.of(usual), CrashStates.of(changed), 2, most);
      assertThat(shown(added)).containsExactly(Arrays.copyOf(all, Math.min(most, all.length)));
    }
    assertThat(shown(AddedStates.of(CrashStates.of(usual), CrashStates.of(changed), 1, 9)))
        .as("two prefixes are not few")
        .containsExactly(Arrays.copyOf(all, all.length - 1));
    assertThat(AddedStates.of(CrashStates.of(usual), CrashStates.of(usual), 2, 9)).isEmpty();
  }
}
