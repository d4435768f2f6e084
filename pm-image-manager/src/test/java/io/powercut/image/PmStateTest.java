// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.image.files.PrivateDirectory;
import io.powercut.persistency.PersistentFiles.Origin;
import io.powercut.persistency.scratch.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PmStateTest {
  private static final int PAGE = 4096;

  /** More pages than are looked at together. */
  private static final long LARGE = 4L * 512 * PAGE;

  private PmArea area;
  private Path base;
  private Path real;
  private PrivateDirectory scratch;
  private PmState state;

  @BeforeEach
  void open() throws IOException {
    area = PmArea.create(PmArea.defaultParent());
    base = area.newDirectory().path();
    real = area.newDirectory().path();
    scratch = area.newDirectory();
    Bytes.grow(base.resolve("pool"), LARGE);
    Bytes.write(base.resolve("pool"), PAGE, (byte) 1);
    state = PmState.open(base, scratch, 1);
  }

  @AfterEach
  void close() throws IOException {
    state.close();
    area.close();
  }

  private void moveTo() throws IOException {
    try (CrashImage image = state.image()) {
      image.writeTo(real);
    }
  }

  // Files by their numbers

  @Test
  void numbersOfFilesShouldHaveSixteenBits() throws IOException {
    for (int number : new int[] {0, 0x10000}) {
      assertThatThrownBy(() -> state.define(number, Origin.CREATED, "new", 0))
          .isInstanceOf(TraceMismatchException.class)
          .hasMessageContaining("file number " + number + " is not in 1..65535");
    }
    for (int number : new int[] {1, 15, 16, 17, 40, 0xffff}) {
      state.define(number, Origin.CREATED, "file" + number, number);
    }
    assertThat(state.readWithin(1, 0, new byte[1])).isTrue();
    assertThat(state.readWithin(16, 15, new byte[1])).isTrue();
    assertThat(state.readWithin(0xffff, 0xfffe, new byte[1])).isTrue();
    for (int number : new int[] {-1, 0, 2, 18, 0x10000}) {
      assertThatThrownBy(() -> state.readWithin(number, 0, new byte[1]))
          .hasMessageContaining("file number " + number + " was never defined");
    }
  }

  @Test
  void bytesShouldBeReadWhereAllAreInTheFile() throws IOException {
    new Stores(state, 1, "pool", LARGE).store(LARGE - 8, -1);

    byte[] last = new byte[4];
    assertThat(state.readWithin(1, LARGE - 4, last)).isTrue();
    assertThat(last).containsOnly(-1);
    assertThat(state.readWithin(1, LARGE - 3, last)).isFalse();
    assertThat(state.readWithin(1, LARGE, new byte[0])).isTrue();
  }

  @Test
  void filesOfAnImageShouldBeKnownByTheirNumbers() throws IOException {
    state.define(1, Origin.EXISTING, "pool", LARGE);
    state.define(2, Origin.CREATED_UNNAMED, "", 0);
    try (CrashImage image = state.image()) {
      assertThat(image.nameOf(1)).contains(Path.of("pool"));
      assertThat(image.nameOf(2)).isEmpty();
      assertThat(image.nameOf(3)).isEmpty();
    }
  }

  @Test
  void directoriesShouldComeAndGo() throws IOException {
    state.createDirectory("one");
    state.createDirectory("two");
    state.deleteDirectory("one");
    moveTo();
    assertThat(real.resolve("one")).doesNotExist();
    assertThat(real.resolve("two")).isDirectory();
  }

  @Test
  void aFileThatGrowsAgainShouldBeZeroThere() throws IOException {
    Stores stores = new Stores(state, 1, "pool", LARGE);
    stores.store(2 * PAGE, -1);
    state.resize(1, 2 * PAGE + 3);
    state.resize(1, LARGE);

    byte[] bytes = new byte[4];
    state.read(1, 2 * PAGE, bytes);
    assertThat(bytes).containsExactly(-1, -1, -1, 0);
  }

  // Comparing

  @Test
  void equalContentsShouldHaveNoDifference() throws IOException {
    Stores stores = new Stores(state, 1, "pool", LARGE);
    stores.store(LARGE - 8, 7);
    moveTo();
    stores.store(0, 0);
    assertThat(state.compare(real).differences()).isEmpty();
    assertThat(state.compare(real).skipped()).isEmpty();
  }

  @Test
  void theFirstDifferenceShouldBeShownWhereverItIs() throws IOException {
    Stores stores = new Stores(state, 1, "pool", LARGE);
    moveTo();
    long block = 512L * PAGE;
    for (long offset : new long[] {LARGE - 8, 3 * block, 2 * block - 8, block, 8, 0}) {
      stores.store(offset, 0x0203);

      assertThat(state.compare(real).differences())
          .containsExactly(
              new StateComparison.Difference(
                  Path.of("pool"),
                  1,
                  offset,
                  "it holds "
                      + "00".repeat(8)
                      + ", according to the record 0302"
                      + "00".repeat(6)));
    }
  }

  @Test
  void whatOnlyTheFileHasShouldBeShown() throws IOException {
    state.define(1, Origin.EXISTING, "pool", LARGE);
    moveTo();
    Bytes.write(real.resolve("pool"), LARGE - 3, (byte) 5);
    Bytes.write(real.resolve("other"), 0, (byte) 5);

    assertThat(state.compare(real).differences())
        .containsExactly(
            new StateComparison.Difference(
                Path.of("pool"), 1, LARGE - 3, "it holds 050000, according to the record 000000"));
  }

  @Test
  void theEndOfTheShorterFileShouldBeShown() throws IOException {
    state.define(1, Origin.EXISTING, "pool", LARGE);
    moveTo();
    Bytes.grow(real.resolve("pool"), LARGE + 1);
    assertThat(state.compare(real).differences())
        .containsExactly(
            new StateComparison.Difference(
                Path.of("pool"),
                1,
                LARGE,
                "it has 8388609 bytes, according to the record 8388608"));
  }

  @Test
  void filesThatTheRunDidNotUseShouldNotBeCompared() throws IOException {
    assertThat(state.compare(real).skipped()).isEmpty();

    state.define(1, Origin.EXISTING, "pool", LARGE);
    assertThat(state.compare(real).skipped())
        .singleElement()
        .extracting(StateComparison.Skipped::name)
        .isEqualTo(Path.of("pool"));
  }

  // Resources

  @Test
  void nothingShouldStayOpen() throws IOException {
    Stores stores = new Stores(state, 1, "pool", LARGE);
    stores.store(PAGE + 8, 1);
    Scratch first = state.newScratch().orElseThrow();
    Scratch second = state.newScratch().orElseThrow();
    first.write(10, new byte[] {1, 2});
    second.write(10, new byte[] {3});
    byte[] bytes = new byte[2];
    first.read(10, bytes);
    assertThat(bytes).containsExactly(1, 2);
    state.image().close();
    assertThat(OpenFiles.below(scratch.path())).containsExactly("lines0", "lines1", "pages");
    assertThat(OpenFiles.below(base)).containsExactly("pool");

    state.close();

    assertThat(OpenFiles.below(area.root())).doesNotContain("lines0", "lines1", "pages", "pool");
  }

  @Test
  void imagesShouldLeaveNothingOpen() throws IOException {
    Stores stores = new Stores(state, 1, "pool", LARGE);
    stores.store(8, 1);
    moveTo();
    moveTo();

    assertThat(OpenFiles.below(real)).isEmpty();
    assertThat(OpenFiles.below(base)).isEmpty();
    assertThat(Files.size(real.resolve("pool"))).isEqualTo(LARGE);
  }
}
