// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.image.files.SparseFile;
import io.powercut.image.pages.ImageHash;
import io.powercut.persistency.PersistentFiles;
import io.powercut.testing.Samples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrashImageTest {
  private static final int STEPS_BETWEEN_IMAGES = 400;

  /** An image, and what it must hold. */
  private record Expected(CrashImage image, String content) {}

  private final Map<String, ImageHash> hashes = new HashMap<>();
  private PmArea area;
  private Path base;

  @BeforeEach
  void makeBase() throws IOException {
    area = PmArea.create(PmArea.defaultParent());
    base = area.newDirectory().path();
    Random random = new Random(7);
    byte[] noise = new byte[700_000];
    random.nextBytes(noise);
    Bytes.grow(base.resolve("pool"), 7_000_000);
    Bytes.write(base.resolve("pool"), 1_234_567, noise);
    Bytes.write(base.resolve("second"), 0, new byte[5000]);
    Bytes.write(base.resolve("untouched"), 100, noise);
    Files.createDirectory(base.resolve("folder"));
    Bytes.write(base.resolve("folder/third"), 3, (byte) 3);
    Files.createSymbolicLink(base.resolve("link"), Path.of("pool"));
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
  void shouldBeByteForByteWhatANaiveModelHoldsWhateverRecoveriesDo(long seed) throws IOException {
    NaiveFiles naive = NaiveFiles.read(base);
    List<Expected> open = new ArrayList<>();
    Random random = new Random(seed);
    // The smallest cache: the run touches more pages than it holds.
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      RandomRun run = new RandomRun(seed, state, naive);
      run.defineExisting("pool", 7_000_000);
      run.defineExisting("second", 5000);
      run.defineExisting("folder/third", 4);
      Path directory = area.newDirectory().path();
      ImageWorkspace workspace = new ImageWorkspace(directory);
      Vandal vandal = new Vandal(seed, directory);
      for (int step = 0; step < 20; step++) {
        run.steps(random.nextInt(STEPS_BETWEEN_IMAGES));
        open.add(new Expected(checkedImage(state, naive), naive.describe()));
        if (open.size() > 4) {
          open.remove(random.nextInt(open.size())).image().close();
        }
        Expected wanted = open.get(random.nextInt(open.size()));

        workspace.moveTo(wanted.image());

        assertThat(NaiveFiles.read(directory).describe()).isEqualTo(wanted.content());
        assertThat(ImageHash.of(directory)).isEqualTo(wanted.image().hash());
        vandal.rage();
      }
    }
  }

  private CrashImage checkedImage(PmState state, NaiveFiles naive) throws IOException {
    ImageHash hash = state.hash();
    CrashImage image = state.image();
    assertThat(image.hash()).isEqualTo(hash);
    String content = naive.describe();
    if (hashes.containsKey(content)) {
      assertThat(hash).isEqualTo(hashes.get(content));
    } else {
      assertThat(hashes).doesNotContainValue(hash);
      hashes.put(content, hash);
    }
    return image;
  }

  @Test
  void shouldHaveTheHashOfTheBaseAgainWhenStoresAreUndone() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      Stores stores = new Stores(state, 1, "pool", 7_000_000);
      ImageHash before = state.hash();

      stores.store(6_000_000, 42);
      ImageHash changed = state.hash();
      stores.store(6_000_000, 0);

      assertThat(before).isEqualTo(ImageHash.of(base)).isNotEqualTo(changed);
      assertThat(state.hash()).isEqualTo(before);
    }
  }

  @Test
  void shouldTellApartContentsThatOnlyChangedPlaces() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      Stores stores = new Stores(state, 1, "pool", 7_000_000);
      stores.store(4096, 42);
      ImageHash first = state.hash();
      stores.store(4096, 0);
      stores.store(8192, 42);

      assertThat(state.hash()).isNotEqualTo(first);
    }
  }

  @Test
  void shouldGiveThePagesOfClosedImagesBack() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      Stores stores = new Stores(state, 1, "pool", 7_000_000);
      int most = 0;
      CrashImage previous = state.image();
      for (int round = 1; round <= 50; round++) {
        for (long page = 0; page < 100; page++) {
          stores.store(page * 4096, round);
        }
        CrashImage image = state.image();
        previous.close();
        previous = image;
        most = Math.max(most, image.store().size());
      }

      assertThat(most).isLessThanOrEqualTo(200);
      previous.close();
    }
  }

  @Test
  void shouldPayForWhatIsTouchedInASparsePoolNotForItsSize() throws IOException {
    Path sparse = area.newDirectory().path();
    long size = 64L << 30;
    Bytes.grow(sparse.resolve("pool"), size);
    Bytes.write(sparse.resolve("pool"), 33L << 30, (byte) 1);
    Path scratch = area.newDirectory().path();
    try (PmState state = PmState.open(sparse, new PrivateDirectory(scratch), 1)) {
      Stores stores = new Stores(state, 1, "pool", size);
      Path directory = area.newDirectory().path();
      ImageWorkspace workspace = new ImageWorkspace(directory);
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long start = threads.getCurrentThreadCpuTime();
      for (int round = 1; round <= 20; round++) {
        stores.store(round * 3_000_000_000L & ~7, round);
        try (CrashImage image = state.image()) {
          workspace.moveTo(image);
        }
        Bytes.write(directory.resolve("pool"), round * 1_000_000_000L, (byte) 1);
      }
      state.zero(1, 0, size);
      try (CrashImage image = state.image()) {
        workspace.moveTo(image);
      }

      assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - start))
          .isLessThan(Duration.ofSeconds(3));
      assertThat(directory.resolve("pool")).hasSize(size);
      assertThat(DirectoryCopy.allocatedBytes(directory)).isZero();
      assertThat(DirectoryCopy.allocatedBytes(scratch)).isLessThan(1 << 20);
    }
  }

  @Test
  void shouldSurviveAFullFileSystemAndGoOn() throws Exception {
    Path small = area.newDirectory().path();
    try (TinyTmpfs tiny = TinyTmpfs.mount(small);
        PmState state = PmState.open(base, area.newDirectory(), 1)) {
      assumeThat(tiny.mounted()).as("mounting a tmpfs of 1 MiB needs root").isTrue();
      ImageWorkspace workspace = new ImageWorkspace(small.resolve("pm"));
      Stores stores = new Stores(state, 1, "pool", 7_000_000);
      try (CrashImage image = state.image()) {
        assertThatThrownBy(() -> workspace.moveTo(image)).isInstanceOf(OutOfSpaceException.class);
      }
      state.zero(1, 0, 6_999_000);
      state.define(2, PersistentFiles.Origin.EXISTING, "untouched", 700_100);
      state.delete(2, "untouched", false);
      stores.store(0, 1);
      try (CrashImage image = state.image()) {
        workspace.moveTo(image);
        assertThat(ImageHash.of(small.resolve("pm"))).isEqualTo(image.hash());
      }
    }
  }

  @Test
  void shouldNotBeBroughtDownByAProcessThatTruncatesTheFileMeanwhile() throws Exception {
    try (PmState state = PmState.open(base, area.newDirectory(), 1);
        CrashImage image = state.image()) {
      ImageWorkspace workspace = new ImageWorkspace(area.newDirectory().path());
      workspace.moveTo(image);
      AtomicBoolean over = new AtomicBoolean();
      AtomicLong truncations = new AtomicLong();
      Thread survivor =
          new Thread(
              () -> {
                try (SparseFile file =
                    SparseFile.openForWriting(workspace.path().resolve("pool"))) {
                  while (!over.get()) {
                    file.resize(10);
                    file.resize(7_000_000);
                    truncations.incrementAndGet();
                  }
                } catch (IOException impossible) {
                  throw new UncheckedIOException(impossible);
                }
              });
      survivor.start();
      while (truncations.get() < 200) {
        workspace.moveTo(image);
      }
      over.set(true);
      survivor.join();

      workspace.moveTo(image);

      assertThat(ImageHash.of(workspace.path())).isEqualTo(image.hash());
    }
  }

  @Test
  void shouldGiveAFileWithSeveralNamesAllOfThem() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      Stores stores = new Stores(state, 1, "second", 5000);
      state.link(1, "twin");
      stores.store(0, 5);
      state.delete(0, "link", false);
      Path directory = area.newDirectory().path();
      try (CrashImage image = state.image()) {
        image.writeTo(directory);
      }

      assertThat(directory.resolve("twin"))
          .hasSameBinaryContentAs(directory.resolve("second"))
          .isNotEmptyFile();
      assertThat(Files.isSymbolicLink(directory.resolve("link"))).isFalse();

      state.delete(1, "second", true);
      assertThatThrownBy(
              () -> {
                state.link(1, "third");
                state.rename(1, "fourth");
              })
          .isInstanceOf(TraceMismatchException.class)
          .hasMessageContaining("[third, twin]");
    }
  }

  @Test
  void shouldZeroToTheLastByteAndNoFurther() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      Stores stores = new Stores(state, 1, "pool", 7_000_000);
      for (long[] range : new long[][] {{10, 5}, {4090, 6}, {4090, 7}, {8000, 10_000}}) {
        for (long offset = range[0] - 16 & ~7; offset < range[0] + range[1] + 16; offset += 8) {
          stores.store(offset < 0 ? 0 : offset, -1);
        }

        state.zero(1, range[0], range[1]);

        byte[] bytes = new byte[(int) range[1] + 2];
        state.read(1, range[0] - 1, bytes);
        byte[] expected = new byte[bytes.length];
        expected[0] = -1;
        expected[expected.length - 1] = -1;
        assertThat(bytes).isEqualTo(expected);
      }
    }
  }

  @Test
  void shouldKeepANameThatBelongsToAnotherFileByNow() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      Stores second = new Stores(state, 1, "second", 5000);
      state.define(2, PersistentFiles.Origin.EXISTING, "untouched", 700_100);
      second.store(0, 5);

      state.delete(2, "second", false);
      Path directory = area.newDirectory().path();
      try (CrashImage image = state.image()) {
        image.writeTo(directory);
      }

      assertThat(directory.resolve("second")).hasSize(5000);
      assertThat(directory.resolve("untouched")).hasSize(700_100);
    }
  }

  @Test
  void shouldSayWhatDoesNotFitTheState() throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), 1)) {
      assertThatThrownBy(() -> new Stores(state, 1, "pool", 5))
          .isInstanceOf(TraceMismatchException.class)
          .hasMessageContaining("pool had 5 bytes when the run first used it, not 7000000");
      assertThatThrownBy(() -> new Stores(state, 1, "gone", 5)).hasMessageContaining("gone");
      assertThatThrownBy(() -> state.resize(9, 1))
          .hasMessageContaining("file number 9 was never defined");
      assertThatThrownBy(() -> state.createDirectory("folder/../../outside"))
          .hasMessageContaining("not a name below the PM directory");
    }
  }
}
