// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.image.pages.ImageHash;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.PersistentFiles;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStatePolicy;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.LineDifference;
import io.powercut.testing.Samples;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

/** Images of states beyond program order. */
class ChangedLinesTest {
  /** An image, and what it must hold. */
  private record Expected(CrashImage image, String content) {}

  private final ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
  private PmArea area;
  private Path base;

  @BeforeEach
  void makeBase() throws IOException {
    area = PmArea.create(PmArea.defaultParent());
    base = area.newDirectory().path();
    byte[] noise = new byte[300_000];
    new Random(7).nextBytes(noise);
    Bytes.grow(base.resolve("pool"), 3_000_000);
    Bytes.write(base.resolve("pool"), 1_234_567, noise);
    Bytes.write(base.resolve("second"), 0, Arrays.copyOf(noise, 5000));
    Files.createDirectory(base.resolve("folder"));
    Bytes.write(base.resolve("folder/third"), 3, (byte) 3);
  }

  @AfterEach
  void removeArea() throws IOException {
    area.close();
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Samples.share(5));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldBeByteForByteWhatANaiveCopyHoldsWithTheseLines(long seed) throws IOException {
    NaiveFiles naive = NaiveFiles.read(base);
    Random random = new Random(seed);
    List<Expected> open = new ArrayList<>();
    int changed = 0;
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      CacheLineTracker pending = new CacheLineTracker(PersistencyDomain.ADR, state);
      RandomRun run = new RandomRun(seed, new TracedRun(seed, pending), state, naive);
      run.defineExisting("pool", 3_000_000);
      run.defineExisting("second", 5000);
      run.defineExisting("folder/third", 4);
      Path directory = area.newDirectory().path();
      ImageWorkspace workspace = new ImageWorkspace(directory);
      Vandal vandal = new Vandal(seed, directory);
      for (int step = 0; step < 20; step++) {
        run.steps(random.nextInt(100));
        CrashImage image = state.image();
        String programOrder = naive.describe();
        open.add(new Expected(image, programOrder));
        for (CrashState other : some(pending, random.nextLong())) {
          String content = naive.describeWith(other);
          CrashImage with = image.with(other);
          assertThat(with.hash().equals(image.hash())).isEqualTo(content.equals(programOrder));
          open.add(new Expected(with, content));
          changed++;
        }
        while (open.size() > 6) {
          open.remove(random.nextInt(open.size())).image().close();
        }
        Expected wanted = open.get(random.nextInt(open.size()));

        workspace.moveTo(wanted.image());

        assertThat(NaiveFiles.read(directory).describe()).isEqualTo(wanted.content());
        assertThat(ImageHash.of(directory)).isEqualTo(wanted.image().hash());
        vandal.rage();
      }
    }
    assertThat(changed).isGreaterThan(20);
  }

  private static List<CrashState> some(CacheLineTracker pending, long seed) {
    List<CrashState> states = new ArrayList<>();
    for (CrashStatePolicy policy :
        List.of(
            new CrashStatePolicy.Guaranteed(),
            new CrashStatePolicy.Sampled(2, seed),
            new CrashStatePolicy.OneLineLost(3))) {
      policy.select(CrashStates.of(pending)).states().limit(2).forEach(states::add);
    }
    return states;
  }

  private CacheLineTracker pendingIn(PmState state, int file, long offset, long value)
      throws IOException {
    CacheLineTracker pending = new CacheLineTracker(PersistencyDomain.ADR, state);
    new TracedRun(1, pending).define(file, PersistentFiles.Origin.EXISTING, "any", 3_000_000);
    word.putLong(0, value);
    pending.store(new StoreRecord(5, 1, 0, 1, 1, Location.of(file, offset), 8, word, 0));
    state.store(file, offset, 8, word, 0);
    return pending;
  }

  private static CrashState guaranteed(CacheLineTracker pending) {
    return new CrashStatePolicy.Guaranteed()
        .select(CrashStates.of(pending))
        .states()
        .findAny()
        .orElseThrow();
  }

  @Test
  void pagesShouldBecomeZeroAndBeZeroBelow() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      state.define(1, PersistentFiles.Origin.EXISTING, "pool", 3_000_000);
      state.define(2, PersistentFiles.Origin.CREATED, "new", 3_000_000);
      ImageHash allZero = state.hash();
      CrashState lost = guaranteed(pendingIn(state, 2, 8192, 42));
      ImageHash stored = state.hash();
      Path directory = area.newDirectory().path();
      ImageWorkspace workspace = new ImageWorkspace(directory);
      try (CrashImage image = state.image();
          CrashImage without = image.with(lost)) {
        assertThat(image.hash()).isEqualTo(stored);
        assertThat(without.hash()).isEqualTo(allZero);
        workspace.moveTo(image);
        workspace.moveTo(without);
        assertThat(ImageHash.of(directory)).isEqualTo(allZero);
      }
      CrashState again = guaranteed(pendingIn(state, 2, 8192, 0));
      try (CrashImage image = state.image();
          CrashImage with = image.with(again)) {
        assertThat(image.hash()).isEqualTo(allZero);
        assertThat(with.hash()).isEqualTo(stored);
        workspace.moveTo(with);
        assertThat(ImageHash.of(directory)).isEqualTo(stored);
      }
    }
  }

  @Test
  void pagesThatAreZeroBelowShouldNotBeReadTogetherWithTheirNeighbours() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      state.define(1, PersistentFiles.Origin.EXISTING, "pool", 3_000_000);
      Stores stores = new Stores(state, 1, "pool", 3_000_000);
      long noise = 1_234_567 / 4096 * 4096;
      stores.store(noise - 8, 1);
      stores.store(noise - 5000, 1);
      ImageHash stored = state.hash();
      List<LineDifference> lost = new ArrayList<>();
      lost.addAll(guaranteed(pendingIn(state, 1, noise - 8, 0)).differences());
      lost.addAll(guaranteed(pendingIn(state, 1, noise - 5000, 0)).differences());
      try (CrashImage image = state.image();
          CrashImage with = image.with(CrashState.of(lost))) {
        Path directory = area.newDirectory().path();
        with.writeTo(directory);
        assertThat(with.hash()).isEqualTo(stored);
        assertThat(ImageHash.of(directory)).isEqualTo(stored);
      }
    }
  }

  @Test
  void pagesShouldStayAsLongAsOneOfTheImagesOfAMomentIsOpen() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      state.define(1, PersistentFiles.Origin.EXISTING, "pool", 3_000_000);
      Stores stores = new Stores(state, 1, "pool", 3_000_000);
      stores.store(4096, 1);
      CrashState lost = guaranteed(pendingIn(state, 1, 8192, 42));
      CrashImage image = state.image();
      CrashImage with = image.with(lost);
      for (int round = 2; round < 6; round++) {
        stores.store(4096, round);
        stores.store(8192, round);
        state.image().close();
      }
      CrashImage twin = image.with(lost);
      image.close();
      image.close();
      twin.close();
      stores.store(4096, 7);
      state.image().close();
      Path directory = area.newDirectory().path();
      with.writeTo(directory);

      assertThat(ImageHash.of(directory)).isEqualTo(with.hash()).isEqualTo(twin.hash());
      int kept = with.store().size();
      with.close();
      assertThat(with.store().size()).isLessThan(kept);
      assertThatThrownBy(() -> image.with(lost)).hasMessage("the image is closed");
      try (CrashImage current = state.image();
          CrashImage changed = current.with(lost)) {
        assertThatThrownBy(() -> changed.with(lost))
            .hasMessage("the image is not the program-order image");
      }
    }
  }

  @Test
  void linesOfFilesThatHaveNoNameShouldChangeNothing() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      state.define(1, PersistentFiles.Origin.EXISTING, "pool", 3_000_000);
      CrashState lost = guaranteed(pendingIn(state, 1, 8192, 42));
      state.link(1, "twin");
      try (CrashImage image = state.image();
          CrashImage with = image.with(lost)) {
        Path directory = area.newDirectory().path();
        with.writeTo(directory);
        assertThat(ImageHash.of(directory)).isEqualTo(with.hash()).isNotEqualTo(image.hash());
        assertThat(directory.resolve("twin")).hasSameBinaryContentAs(directory.resolve("pool"));
      }
      state.delete(1, "pool", true);
      state.delete(1, "twin", false);
      try (CrashImage image = state.image();
          CrashImage with = image.with(lost)) {
        assertThat(with.hash()).isEqualTo(image.hash());
      }
    }
  }
}
