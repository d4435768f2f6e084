// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.image.pages.ImageHash;
import io.powercut.persistency.PersistentFiles.Origin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a recovery can do to its directory, one thing at a time. */
class ImageWorkspaceTest {
  private static final int SIZE = 3 * 4096;

  private PmArea area;
  private PmState state;
  private Path parent;
  private Path directory;
  private ImageWorkspace workspace;

  @BeforeEach
  void open() throws IOException {
    area = PmArea.create(PmArea.defaultParent());
    Path base = area.newDirectory().path();
    Bytes.write(base.resolve("pool"), SIZE - 1, (byte) 1);
    Bytes.write(base.resolve("odd"), 4999, (byte) 2);
    Files.createDirectory(base.resolve("folder"));
    Files.createSymbolicLink(base.resolve("link"), Path.of("pool"));
    state = PmState.open(base, area.newDirectory(), 1);
    state.define(1, Origin.EXISTING, "pool", SIZE);
    state.define(2, Origin.EXISTING, "odd", 5000);
    parent = area.newDirectory().path().resolve("parent");
    directory = parent.resolve("pm");
    workspace = new ImageWorkspace(directory);
    move();
  }

  @AfterEach
  void close() throws IOException {
    state.close();
    area.close();
  }

  private void move() throws IOException {
    try (CrashImage image = state.image()) {
      workspace.moveTo(image);
      assertThat(ImageHash.of(directory)).isEqualTo(image.hash());
    }
  }

  private static Object inode(Path path) throws IOException {
    return Files.getAttribute(path, "unix:ino");
  }

  @Test
  void filesThatCanStayShouldStay() throws IOException {
    Object pool = inode(directory.resolve("pool"));
    Object folder = inode(directory.resolve("folder"));
    Bytes.write(directory.resolve("pool"), 5, (byte) 9);

    workspace.examine();
    move();

    assertThat(inode(directory.resolve("pool"))).isEqualTo(pool);
    assertThat(inode(directory.resolve("folder"))).isEqualTo(folder);
  }

  /** What is used elsewhere as well must not be changed, and could change behind our back. */
  @Test
  void aFileWithANameElsewhereShouldBeMadeAnew() throws IOException {
    Path elsewhere = parent.resolveSibling("elsewhere");
    Files.createLink(elsewhere, directory.resolve("pool"));
    new Stores(state, 1, "pool", SIZE).store(0, 7);

    move();

    assertThat(Files.readAllBytes(elsewhere)).startsWith(0, 0);
    assertThat(inode(elsewhere)).isNotEqualTo(inode(directory.resolve("pool")));
  }

  @Test
  void namesShouldNotBecomeThoseOfAnotherKind() throws IOException {
    Files.delete(directory.resolve("pool"));
    Files.createDirectories(directory.resolve("pool/inner"));
    Files.delete(directory.resolve("folder"));
    Bytes.write(directory.resolve("folder"), 0, (byte) 1);
    Files.delete(directory.resolve("link"));
    Bytes.write(directory.resolve("link"), 0, (byte) 1);
    move();

    Files.delete(directory.resolve("link"));
    Files.createSymbolicLink(directory.resolve("link"), Path.of("odd"));
    Files.delete(directory.resolve("odd"));
    Files.createSymbolicLink(directory.resolve("odd"), Path.of("pool"));
    move();
    assertThat(Files.readSymbolicLink(directory.resolve("link"))).isEqualTo(Path.of("pool"));
  }

  /** Looking all names up would take longer than making everything anew. */
  @Test
  void manyNestedDirectoriesShouldMakeItAllAnew() throws IOException {
    Object pool = inode(directory.resolve("pool"));
    Files.createDirectories(directory.resolve("folder/" + "inner/".repeat(200)));

    move();

    assertThat(inode(directory.resolve("pool"))).isNotEqualTo(pool);
  }

  /** As the program under test may leave them. */
  @Test
  void nestedDirectoriesOfTheImageShouldBeThereEachTime() throws IOException {
    try (CrashImage plain = state.image()) {
      Path base = area.newDirectory().path();
      plain.writeTo(base);
      Path deepest = base.resolve("folder/" + "inner/".repeat(100));
      Files.createDirectories(deepest);
      Bytes.write(deepest.resolve("file"), 0, (byte) 1);
      state.close();
      state = PmState.open(base, area.newDirectory(), 1);
    }

    move();
    move();
  }

  @Test
  void aFurtherNameShouldGo() throws IOException {
    Files.createLink(directory.resolve("twin"), directory.resolve("pool"));
    move();
    assertThat(directory.resolve("twin")).doesNotExist();

    state.link(1, "twin");
    move();
    Files.delete(directory.resolve("twin"));
    Bytes.write(directory.resolve("twin"), SIZE - 1, (byte) 1);
    move();
    assertThat(inode(directory.resolve("twin"))).isEqualTo(inode(directory.resolve("pool")));
  }

  @Test
  void theDirectoryItselfShouldBeMadeAnew() throws IOException {
    Path outside = Files.createDirectory(parent.resolveSibling("outside"));
    Path aside = parent.resolveSibling("aside");
    Files.move(directory, aside);
    Files.createSymbolicLink(directory, outside);
    move();
    assertThat(Files.isSymbolicLink(directory)).isFalse();
    assertThat(outside).isEmptyDirectory();

    Files.move(directory, parent.resolve("other"));
    Bytes.write(directory, 0, (byte) 1);
    move();
    assertThat(directory).isDirectory();
  }

  @Test
  void theDirectoryAboveShouldBeMadeAnew() throws IOException {
    Path outside = Files.createDirectory(parent.resolveSibling("outside"));
    Path aside = parent.resolveSibling("aside");
    Files.move(parent, aside);
    Files.createSymbolicLink(parent, outside);
    move();
    assertThat(Files.isSymbolicLink(parent)).isFalse();
    assertThat(outside).isEmptyDirectory();

    Files.move(parent, parent.resolveSibling("second"));
    Bytes.write(parent, 0, (byte) 1);
    move();
    assertThat(parent).isDirectory();

    Files.move(parent, parent.resolveSibling("third"));
    move();
    assertThat(parent).isDirectory();
  }

  @Test
  void theDirectoryAboveShouldBeOpenAgain() throws IOException {
    Files.setAttribute(parent, "unix:mode", 0077);
    move();
    assertThat((int) Files.getAttribute(parent, "unix:mode") & 0777).isEqualTo(0700);

    Files.setAttribute(parent, "unix:mode", 0755);
    move();
    assertThat((int) Files.getAttribute(parent, "unix:mode") & 0777)
        .as("the owner had all rights")
        .isEqualTo(0755);
  }

  @Test
  void filesShouldGrowAndShrinkToTheWantedSize() throws IOException {
    for (long size : new long[] {5001, 8192, 4096, 4095, 1, 0, 5000}) {
      state.resize(2, size);
      move();
      Bytes.grow(directory.resolve("odd"), 20_000);
      Bytes.write(directory.resolve("odd"), 4090, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
      move();
    }
  }

  /** More than are written at a time. */
  @Test
  void manyPagesInARowShouldBeWritten() throws IOException {
    state.define(3, Origin.CREATED, "large", 200 * 4096);
    ByteBuffer word = ByteBuffer.allocate(8);
    for (int page = 0; page < 200; page++) {
      state.store(3, 4096L * page, 8, word.putLong(0, page + 1), 0);
    }
    move();
    state.zero(3, 4096, 198 * 4096);
    move();
    assertThat(Files.readAllBytes(directory.resolve("large"))).hasSize(200 * 4096);
  }
}
