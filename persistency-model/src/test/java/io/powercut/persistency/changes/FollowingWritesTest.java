// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What always follows a write, with stacks for code: a mark relies on what three functions wrote.
 */
class FollowingWritesTest {
  private static final int PUT = 1;
  private static final int DELETE = 2;
  private static final int RENAME = 3;
  private static final int MARK = 4;
  private static final int DATA = 1;
  private static final int OTHER = 2;

  private final FollowingWrites<Integer> writes =
      new FollowingWrites<>(code -> Optional.of(code.stack() % 10));

  FollowingWritesTest() {
    for (int code : List.of(PUT, DELETE, RENAME)) {
      writes.ask(code, List.of(MARK));
    }
  }

  private FollowingWritesTest write(int... codes) {
    for (int code : codes) {
      write(1, code, DATA);
    }
    return this;
  }

  private FollowingWritesTest write(int thread, int code, int file) {
    writes.store(
        new StoreRecord(
            0,
            thread,
            StoreFlags.FILE_WRITE,
            1,
            code,
            Location.of(file, 0),
            8,
            ByteBuffer.allocate(8),
            0));
    return this;
  }

  private Set<Integer> behind(int place) {
    return writes.behind(place);
  }

  @Test
  void whatAlwaysComesBeforeTheMarkShouldFollow() {
    write(PUT, DELETE, RENAME, MARK, PUT, 9, RENAME, MARK);

    assertThat(behind(PUT)).containsExactly(RENAME);
    assertThat(behind(DELETE)).containsExactly(RENAME);
    assertThat(behind(RENAME)).isEmpty();
    assertThat(writes.areDecided()).isFalse();
  }

  @Test
  void nothingShouldFollowInAllOrders() {
    write(PUT, DELETE, RENAME, MARK, RENAME, PUT, DELETE, MARK, DELETE, RENAME, PUT, MARK);

    assertThat(behind(PUT)).isEmpty();
    assertThat(behind(DELETE)).isEmpty();
    assertThat(behind(RENAME)).isEmpty();
    assertThat(writes.areDecided()).isTrue();
  }

  @Test
  void otherCallsOfAFunctionShouldCount() {
    write(PUT, RENAME, MARK, 10 + PUT, MARK, 20 + RENAME, 20 + DELETE, MARK);

    assertThat(behind(PUT)).isEmpty();
    assertThat(behind(RENAME)).isEmpty();
  }

  @Test
  void lastExecutionBeforeTheMarkShouldCount() {
    write(PUT, RENAME, PUT, MARK);

    assertThat(behind(PUT)).isEmpty();
    assertThat(behind(RENAME)).containsExactly(PUT);
  }

  @Test
  void writesToOtherFilesAndOfOtherThreadsShouldNotFollow() {
    write(1, PUT, DATA).write(1, DELETE, OTHER).write(2, RENAME, DATA).write(MARK);

    assertThat(behind(PUT)).isEmpty();
  }

  @Test
  void nothingShouldBeKnownBeforeSomethingRelies() {
    write(PUT, RENAME);

    assertThat(behind(PUT)).isEmpty();
    assertThat(writes.areDecided()).isFalse();
  }
}
