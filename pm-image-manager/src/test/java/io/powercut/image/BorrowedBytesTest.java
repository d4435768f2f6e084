// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.powercut.image.pages.ImageHash;
import io.powercut.persistency.states.CrashState;
import io.powercut.testing.Samples;
import io.powercut.trace.Location;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Images with bytes of other moments. */
class BorrowedBytesTest {
  private static final int POOL = 300_000;

  private record Moment(CrashImage image, NaiveFiles naive) {}

  private PmArea area;
  private Path base;

  @BeforeEach
  void makeBase() throws IOException {
    area = PmArea.create(PmArea.defaultParent());
    base = area.newDirectory().path();
    byte[] noise = new byte[100_000];
    new Random(7).nextBytes(noise);
    Bytes.grow(base.resolve("pool"), POOL);
    Bytes.write(base.resolve("pool"), 123_456, noise);
    Bytes.write(base.resolve("second"), 0, Arrays.copyOf(noise, 5000));
    Files.createDirectory(base.resolve("folder"));
    Bytes.write(base.resolve("folder/third"), 3, (byte) 3);
  }

  @AfterEach
  void removeArea() throws IOException {
    area.close();
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Samples.share(8));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldBeByteForByteWhatANaiveCopyHoldsWithTheseBytes(long seed) throws IOException {
    NaiveFiles naive = NaiveFiles.read(base);
    Random random = new Random(seed);
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      RandomRun run = new RandomRun(seed, state, naive);
      run.defineExisting("pool", POOL);
      run.defineExisting("second", 5000);
      run.defineExisting("folder/third", 4);
      ImageWorkspace workspace = new ImageWorkspace(area.newDirectory().path());
      List<Moment> moments = new ArrayList<>();
      List<CrashImage> mixed = new ArrayList<>();
      List<String> contents = new ArrayList<>();
      for (int step = 0; step < 8; step++) {
        run.steps(random.nextInt(60));
        Moment now = new Moment(state.image(), naive.copy());
        moments.add(now);
        Moment other = moments.get(random.nextInt(moments.size()));
        RangeSet<Long> locations = ranges(random);
        mixed.add(now.image().withBytesOf(other.image(), locations));
        contents.add(now.naive().describeWithBytesOf(other.naive(), locations));
        mixed.add(other.image().withBytesOf(now.image(), locations));
        contents.add(other.naive().describeWithBytesOf(now.naive(), locations));
      }
      moments.forEach(one -> one.image().close());
      run.steps(60); // Pages of open images stay, whatever comes later.
      state.image().close();

      for (int one = 0; one < mixed.size(); one++) {
        Path directory = area.newDirectory().path();
        workspace = new ImageWorkspace(directory);
        workspace.moveTo(mixed.get(one));
        assertThat(NaiveFiles.read(directory).describe()).isEqualTo(contents.get(one));
        assertThat(ImageHash.of(directory)).isEqualTo(mixed.get(one).hash());
      }
      mixed.forEach(CrashImage::close);
      assertThat(state.image().store().size()).isLessThan(200);
    }
  }

  /** Some words, and some long ones that hold whole pages. */
  private static RangeSet<Long> ranges(Random random) {
    RangeSet<Long> ranges = TreeRangeSet.create();
    for (int count = random.nextInt(30); count > 0; count--) {
      long start = Location.of(1 + random.nextInt(5), random.nextInt(POOL + 5000));
      ranges.add(
          Range.closedOpen(start, start + 1 + random.nextInt(random.nextBoolean() ? 64 : 40_000)));
    }
    return ranges;
  }

  /** At the first moments of a run no file has a number yet. */
  @Test
  void shouldKnowAFileByItsNameWhereTheRunHadNotUsedIt() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      CrashImage before = state.image();
      Stores stores = new Stores(state, 1, "pool", POOL);
      stores.store(64, 42);
      stores.store(128, 43);
      CrashImage after = state.image();

      CrashImage mixed =
          before.withBytesOf(
              after,
              ImmutableRangeSet.of(Range.closedOpen(Location.of(1, 64), Location.of(1, 72))));

      stores.store(128, 0);
      assertThat(mixed.hash()).isEqualTo(state.hash()).isNotEqualTo(before.hash());
    }
  }

  @Test
  void shouldRefuseImagesThatAreClosedOrNotInProgramOrder() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      CrashImage image = state.image();
      CrashImage closed = state.image();
      closed.close();
      CrashImage other = image.with(CrashState.of(List.of()));

      for (CrashImage bad : List.of(closed, other)) {
        assertThatThrownBy(() -> image.withBytesOf(bad, ImmutableRangeSet.of()))
            .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bad.withBytesOf(image, ImmutableRangeSet.of()))
            .isInstanceOf(IllegalStateException.class);
      }
    }
  }
}
