// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.lines.StoreCode;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What always follows a store that nothing flushes, with stacks for code. */
class RunsOfLinesTest {
  private static final int LOST = 7;

  private final RunsOfLines runs = new RunsOfLines();

  RunsOfLinesTest() {
    runs.ask(StoreCode.of(LOST, 0), List.of());
  }

  private RunsOfLinesTest store(int stack, int offset) {
    return store(1, stack, offset, 8);
  }

  private RunsOfLinesTest store(int thread, int stack, int offset, int size) {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    runs.store(new StoreRecord(0, thread, 0, 1, stack, Location.of(1, offset), size, bytes, 0));
    return this;
  }

  private RunsOfLinesTest flush(int offset) {
    runs.flush(0, 1, FlushKind.CLWB, 1, 1, Location.of(1, offset));
    return this;
  }

  private RunsOfLinesTest fence(int thread) {
    runs.fence(0, thread, FenceKind.SFENCE, 1, 1);
    return this;
  }

  private RunsOfLinesTest locked() {
    runs.fence(0, 1, FenceKind.LOCKED, 1, 1);
    return this;
  }

  private RunsOfLinesTest lockedStore(int stack, int offset) {
    ByteBuffer bytes = ByteBuffer.allocate(8);
    locked();
    runs.store(
        new StoreRecord(0, 1, StoreFlags.LOCKED, 1, stack, Location.of(1, offset), 8, bytes, 0));
    return this;
  }

  private List<Integer> behind() {
    runs.end();
    return runs.behind(StoreCode.of(LOST, 0)).stream().map(StoreCode::stack).toList();
  }

  @Test
  void storesToNeighbouringLinesShouldBeOfOneRun() {
    store(1, 128).store(LOST, 72).store(2, 64).store(3, 0).store(4, 192).store(5, 320);

    assertThat(behind()).containsExactly(2, 3, 4);
  }

  @Test
  void lineThatNothingStoredToShouldEndARun() {
    store(LOST, 0).store(2, 128);

    assertThat(behind()).isEmpty();
  }

  @Test
  void lineThatIsFlushedShouldEndARun() {
    store(LOST, 0).store(2, 64).flush(64).store(3, 128);

    assertThat(behind()).isEmpty();
  }

  @Test
  void fenceOfTheThreadShouldSeparate() {
    store(1, 64).fence(1).store(LOST, 0).store(2, 128).fence(2).store(3, 8).fence(1).store(4, 16);

    assertThat(behind()).containsExactly(3);
  }

  /** As {@code std::atomic} does for {@code x = v}. */
  @Test
  void atomicStoreShouldNotSeparate() {
    store(LOST, 0).lockedStore(2, 8).lockedStore(3, 16).locked().store(4, 24);

    assertThat(behind()).containsExactly(2, 3);
  }

  @Test
  void otherThreadsShouldNotCount() {
    store(LOST, 0).store(2, 2, 64, 8).store(2, 3, 8, 8);

    assertThat(behind()).isEmpty();
  }

  /** A count beside the first slot of an array is another object. */
  @Test
  void whatDoesNotFollowEachTimeShouldNotCount() {
    store(LOST, 64).store(2, 0).store(3, 72).fence(1);
    assertThat(runs.areDecided()).isFalse();
    store(LOST, 192).store(2, 0).store(3, 200).fence(1);

    assertThat(behind()).containsExactly(3);
  }

  /** What the store lacks there is something else. */
  @Test
  void timesWhenTheLineIsFlushedShouldNotCount() {
    store(LOST, 0).store(2, 64).fence(1).store(LOST, 0).flush(0).fence(1);
    store(LOST, 0).flush(0).store(LOST, 8).store(2, 64).fence(1);

    assertThat(behind()).containsExactly(2);
  }

  /** What is stored from there on comes too late. */
  @Test
  void storeThatReliesOnTheLostOneShouldEnd() {
    runs.ask(StoreCode.of(LOST, 0), List.of(StoreCode.of(9, 0)));
    store(LOST, 0).store(2, 64).store(9, 8).store(3, 16);

    assertThat(behind()).containsExactly(2);
  }

  @Test
  void storeAcrossTwoLinesShouldJoinThem() {
    store(LOST, 0).store(1, 2, 60, 64).store(3, 128);

    assertThat(behind()).containsExactly(2, 3);
  }

  @Test
  void nothingShouldBeSaidOfVeryManyStores() {
    IntStream.range(0, 5_000).forEach(word -> store(2, 64 + 8 * word));
    store(LOST, 0).store(2, 64);

    assertThat(behind()).isEmpty();
    assertThat(runs.areDecided()).isTrue();
  }
}
