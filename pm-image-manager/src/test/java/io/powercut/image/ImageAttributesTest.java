// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.powercut.image.files.Difference;
import io.powercut.image.files.DirectoryComparison;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.files.EntryAttributes;
import io.powercut.image.files.FileStatus;
import io.powercut.image.files.KeptAttributes;
import io.powercut.image.files.Posix;
import io.powercut.image.files.SystemErrors;
import io.powercut.image.pages.ImageHash;
import io.powercut.persistency.PersistentFiles.Origin;
import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What files have beside their content, in images, copies and hashes. */
class ImageAttributesTest {
  private static final int SOMEBODY = 1234;

  private PmArea area;
  private Path base;
  private Path directory;

  @BeforeEach
  void makeDirectories() throws IOException {
    area = PmArea.create(PmArea.defaultParent());
    base = area.newDirectory().path();
    directory = area.newDirectory().path();
    Bytes.write(base.resolve("pool"), 0, (byte) 1);
    Files.createDirectory(base.resolve("folder"));
    Bytes.write(base.resolve("folder/inner"), 0, (byte) 2);
    Files.createSymbolicLink(base.resolve("link"), Path.of("pool"));
  }

  @AfterEach
  void removeArea() throws IOException {
    area.close();
  }

  private PmState open() throws IOException {
    return PmState.open(base, area.newDirectory(), 1);
  }

  private static void mode(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode);
  }

  private static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode") & 07777;
  }

  private static FileAttributes attributes(int permissions) {
    return EntryAttributes.created(permissions);
  }

  private static FileAttributes marked(String value) {
    ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
    return new FileAttributes(
        0600, Posix.user(), Posix.group(), new TreeMap<>(Map.of("user.mark", bytes)));
  }

  private static void assumeRoot() {
    assumeThat(Posix.user()).as("only root may give files away").isZero();
  }

  private void assumeMarks() throws IOException {
    boolean supported =
        Files.getFileStore(base).supportsFileAttributeView(UserDefinedFileAttributeView.class)
            && Posix.setExtended(
                    SystemErrors.bytes(base),
                    "user.test".getBytes(StandardCharsets.UTF_8),
                    new byte[1])
                == 0;
    Posix.removeExtended(SystemErrors.bytes(base), "user.test".getBytes(StandardCharsets.UTF_8));
    assumeThat(supported).as("this file system has no extended attributes").isTrue();
  }

  private void moveTo(PmState state) throws IOException {
    try (CrashImage image = state.image()) {
      image.writeTo(directory);
      assertThat(image.hash()).isEqualTo(state.hash()).isEqualTo(ImageHash.of(directory));
    }
  }

  @Test
  void modesShouldBeThoseOfTheBaseAndThenThoseThatTheRunGives() throws IOException {
    mode(base.resolve("pool"), 0440);
    mode(base.resolve("folder"), 01711);
    mode(base, 0750);
    try (PmState state = open()) {
      ImageHash before = state.hash();
      moveTo(state);
      assertThat(mode(directory.resolve("pool"))).isEqualTo(0440);
      assertThat(mode(directory.resolve("folder"))).isEqualTo(01711);
      assertThat(mode(directory)).isEqualTo(0750);

      state.define(1, Origin.EXISTING, "pool", 1);
      state.define(2, Origin.CREATED, "new", 0);
      state.setAttributes(1, "", attributes(0600));
      state.setAttributes(2, "", attributes(0));
      state.setAttributes(0, "folder", attributes(0500));
      state.setAttributes(0, "", attributes(0711));
      state.setAttributes(0, "gone", attributes(0));
      moveTo(state);

      assertThat(mode(directory.resolve("pool"))).isEqualTo(0600);
      assertThat(mode(directory.resolve("new"))).isZero();
      assertThat(mode(directory.resolve("folder"))).isEqualTo(0500);
      assertThat(mode(directory)).isEqualTo(0711);
      assertThat(state.hash()).isNotEqualTo(before);
    }
  }

  @Test
  void imagesThatDifferInOneBitOfAModeShouldHaveDifferentHashes() throws IOException {
    try (PmState state = open()) {
      state.define(1, Origin.EXISTING, "pool", 1);
      state.setAttributes(1, "", attributes(0600));
      ImageHash closed = state.hash();
      state.setAttributes(1, "", attributes(0604));
      ImageHash open = state.hash();
      state.setAttributes(1, "", attributes(0600));

      assertThat(open).isNotEqualTo(closed);
      assertThat(state.hash()).isEqualTo(closed);
    }
  }

  @Test
  void ownersShouldBeKept() throws IOException {
    assumeRoot();
    Files.setAttribute(base.resolve("pool"), "unix:uid", SOMEBODY);
    Files.setAttribute(base.resolve("link"), "unix:gid", SOMEBODY, LinkOption.NOFOLLOW_LINKS);
    try (PmState state = open()) {
      moveTo(state);
      assertThat(Files.getAttribute(directory.resolve("pool"), "unix:uid")).isEqualTo(SOMEBODY);
      assertThat(
              Files.getAttribute(directory.resolve("link"), "unix:gid", LinkOption.NOFOLLOW_LINKS))
          .isEqualTo(SOMEBODY);

      state.define(1, Origin.EXISTING, "pool", 1);
      // Giving a file away takes such a bit from it, so the order matters.
      state.setAttributes(1, "", new FileAttributes(06755, 5, 6));
      state.setAttributes(0, "folder", new FileAttributes(02770, 7, 8));
      moveTo(state);

      assertThat(EntryAttributes.read(directory.resolve("pool")))
          .isEqualTo(new FileAttributes(06755, 5, 6));
      assertThat(EntryAttributes.read(directory.resolve("folder")))
          .isEqualTo(new FileAttributes(02770, 7, 8));
    }
  }

  @Test
  void extendedAttributesShouldComeChangeAndGo() throws IOException {
    assumeMarks();
    EntryAttributes.give(
        base.resolve("pool"),
        FileStatus.Kind.FILE,
        EntryAttributes.read(base.resolve("pool")),
        marked("old"));
    try (PmState state = open()) {
      ImageHash old = state.hash();
      moveTo(state);
      assertThat(EntryAttributes.read(directory.resolve("pool"))).isEqualTo(marked("old"));

      state.define(1, Origin.EXISTING, "pool", 1);
      state.setAttributes(1, "", marked("new"));
      ImageHash changed = state.hash();
      moveTo(state);
      assertThat(EntryAttributes.read(directory.resolve("pool"))).isEqualTo(marked("new"));

      state.setAttributes(1, "", attributes(0600));
      moveTo(state);
      assertThat(EntryAttributes.read(directory.resolve("pool"))).isEqualTo(attributes(0600));
      assertThat(state.hash()).isNotEqualTo(changed).isNotEqualTo(old);
      assertThat(changed).isNotEqualTo(old);
    }
  }

  @Test
  void labelsThatTheSystemGivesShouldNotCount() throws IOException {
    try (PmState state = open()) {
      state.define(1, Origin.EXISTING, "pool", 1);
      state.setAttributes(1, "", attributes(0600));
      ImageHash plain = state.hash();
      ByteBuffer label = ByteBuffer.wrap(new byte[] {1});
      state.setAttributes(
          1,
          "",
          new FileAttributes(
              0600, Posix.user(), Posix.group(), new TreeMap<>(Map.of("security.selinux", label))));

      assertThat(state.hash()).isEqualTo(plain);
    }
  }

  @Test
  void whatARecoveryDoesToAttributesShouldBeUndone() throws IOException {
    assumeMarks();
    try (PmState state = open();
        CrashImage image = state.image()) {
      ImageWorkspace workspace = new ImageWorkspace(directory);
      workspace.moveTo(image);
      for (String name : new String[] {"pool", "folder", ""}) {
        Path path = directory.resolve(name);
        EntryAttributes.give(
            path, FileStatus.Kind.FILE, EntryAttributes.read(path), marked("recovered"));
        if (Posix.user() == 0) {
          Posix.owner(SystemErrors.bytes(path), SOMEBODY, SOMEBODY);
        }
      }

      workspace.moveTo(image);

      assertThat(ImageHash.of(directory)).isEqualTo(image.hash());
    }
  }

  @Test
  void whatDirectoriesGiveToWhatIsMadeInThemShouldNotBeInImages() throws IOException {
    assumeRoot();
    mode(base.resolve("folder"), 02777);
    Files.setAttribute(base.resolve("folder"), "unix:gid", SOMEBODY);
    try (PmState state = open()) {
      try (CrashImage image = state.image()) {
        ImageWorkspace workspace = new ImageWorkspace(directory);
        workspace.moveTo(image);
        Files.delete(directory.resolve("folder/inner"));

        workspace.moveTo(image);

        assertThat(ImageHash.of(directory)).isEqualTo(image.hash());
        Path inner = directory.resolve("folder/inner");
        assertThat(Files.getAttribute(inner, "unix:gid")).isEqualTo(Posix.group());
      }
    }
  }

  @Test
  void namesOfOneFileInTheBaseShouldBeNamesOfOneFileInImages() throws IOException {
    Files.createLink(base.resolve("folder/twin"), base.resolve("pool"));
    try (PmState state = open()) {
      moveTo(state);
      assertThat(Files.isSameFile(directory.resolve("pool"), directory.resolve("folder/twin")))
          .isTrue();

      Stores stores = new Stores(state, 1, "folder/twin", 1);
      state.resize(1, 8);
      stores.store(0, 42);
      moveTo(state);

      assertThat(directory.resolve("pool")).hasBinaryContent(new byte[] {42, 0, 0, 0, 0, 0, 0, 0});
      assertThat(Files.isSameFile(directory.resolve("pool"), directory.resolve("folder/twin")))
          .isTrue();
    }
  }

  @Test
  void aNameThatAnotherFileTakesOverShouldLeaveTheRestOfTheNames() throws IOException {
    Files.createLink(base.resolve("twin"), base.resolve("pool"));
    ImageWorkspace workspace = new ImageWorkspace(directory);
    try (PmState state = open()) {
      state.define(1, Origin.EXISTING, "pool", 1);
      state.define(2, Origin.EXISTING, "folder/inner", 1);
      try (CrashImage image = state.image()) {
        workspace.moveTo(image);
      }
      state.delete(1, "pool", true);
      state.rename(2, "pool");
      try (CrashImage image = state.image()) {
        workspace.moveTo(image);
        assertThat(ImageHash.of(directory)).isEqualTo(image.hash());
      }

      assertThat(directory.resolve("twin")).hasBinaryContent(new byte[] {1});
      assertThat(directory.resolve("pool")).hasBinaryContent(new byte[] {2});
    }
  }

  @Test
  void oneFileOfTwoNamesShouldNotHaveTheHashOfTwoEqualFiles() throws IOException {
    Bytes.write(base.resolve("twin"), 0, (byte) 1);
    ImageHash two = ImageHash.of(base);
    Files.delete(base.resolve("twin"));
    Files.createLink(base.resolve("twin"), base.resolve("pool"));

    try (PmState state = open()) {
      assertThat(state.hash()).isNotEqualTo(two).isEqualTo(ImageHash.of(base));
    }
  }

  @Test
  void aRecoveryThatLinksOrPartsFilesShouldBeUndone() throws IOException {
    Files.createLink(base.resolve("twin"), base.resolve("pool"));
    try (PmState state = open();
        CrashImage image = state.image()) {
      ImageWorkspace workspace = new ImageWorkspace(directory);
      workspace.moveTo(image);
      Files.delete(directory.resolve("twin"));
      Bytes.write(directory.resolve("twin"), 0, (byte) 1);
      workspace.moveTo(image);
      assertThat(ImageHash.of(directory)).isEqualTo(image.hash());

      Files.createLink(directory.resolve("third"), directory.resolve("pool"));
      workspace.moveTo(image);
      assertThat(ImageHash.of(directory)).isEqualTo(image.hash());

      Path outside = area.newDirectory().path().resolve("outside");
      Files.createLink(outside, directory.resolve("pool"));
      workspace.moveTo(image);
      Bytes.write(outside, 0, (byte) 99);
      assertThat(ImageHash.of(directory)).isEqualTo(image.hash());
    }
  }

  @Test
  void copiesShouldKeepAllOfIt() throws IOException {
    Files.createLink(base.resolve("folder/twin"), base.resolve("pool"));
    mode(base.resolve("pool"), 0400);
    mode(base.resolve("folder"), 0511);
    mode(base, 0710);
    if (Posix.user() == 0) {
      Posix.owner(SystemErrors.bytes(base.resolve("folder/inner")), SOMEBODY, SOMEBODY);
      Posix.owner(SystemErrors.bytes(base.resolve("link")), SOMEBODY, SOMEBODY);
    }

    DirectoryCopy.copy(base, directory);

    assertThat(ImageHash.of(directory)).isEqualTo(ImageHash.of(base));
    assertThat(DirectoryComparison.firstDifference(base, directory)).isEmpty();
    assertThat(mode(directory)).isEqualTo(0710);
    assertThat(KeptAttributes.missing(base, area.newDirectory().path())).isEmpty();
  }

  @Test
  @Tag("bulk")
  void aTerabyteWithTwoPagesShouldStaySmallInImagesAndCopies() throws IOException {
    long size = 1L << 40;
    Bytes.grow(base.resolve("pool"), size);
    Bytes.write(base.resolve("pool"), size - 4096, (byte) 3);
    Path copy = area.newDirectory().path();
    try (PmState state = open()) {
      Stores stores = new Stores(state, 1, "pool", size);
      stores.store(size / 2, 4);
      moveTo(state);
    }
    DirectoryCopy.copy(directory, copy);

    assertThat(DirectoryCopy.allocatedBytes(directory)).isLessThan(64 << 10);
    assertThat(DirectoryCopy.allocatedBytes(copy)).isLessThan(64 << 10);
    assertThat(DirectoryComparison.firstDifference(directory, copy)).isEmpty();
  }

  @Test
  void comparisonsShouldShowAttributesAndNamesThatDiffer() throws IOException {
    DirectoryCopy.copy(base, directory);
    mode(directory.resolve("folder"), 0701);
    assertThat(DirectoryComparison.firstDifference(base, directory))
        .get()
        .extracting(Difference::describe)
        .asString()
        .startsWith("folder has mode 0755, owner ")
        .contains("in the first, mode 0701");
    assertThat(DirectoryComparison.haveSameContents(base, directory)).isTrue();

    mode(directory.resolve("folder"), 0755);
    Bytes.write(base.resolve("twin"), 0, (byte) 1);
    Files.createLink(directory.resolve("twin"), directory.resolve("pool"));
    assertThat(DirectoryComparison.firstDifference(base, directory))
        .contains(new Difference.NamesDiffer(Path.of("pool"), "[]", "[pool, twin]"));
  }

  @Test
  void filesShouldBeComparedWithWhatTheTraceToldOfThem() throws IOException {
    try (PmState state = open()) {
      DirectoryCopy.copy(base, directory);
      state.define(1, Origin.EXISTING, "pool", 1);
      assertThat(state.compare(directory).attributes()).isEmpty();

      mode(directory.resolve("pool"), 0640);
      mode(directory.resolve("folder"), 0700);
      assertThat(state.compare(directory).attributes())
          .extracting(StateComparison.AttributeDifference::name)
          .containsExactly(Path.of("pool"));

      state.setAttributes(1, "", attributes(0640));
      state.setAttributes(0, "folder", attributes(0755));
      assertThat(state.compare(directory).attributes())
          .containsExactly(
              new StateComparison.AttributeDifference(
                  Path.of("folder"), attributes(0700), attributes(0755)));

      mode(directory.resolve("folder"), 0755);
      state.link(1, "twin");
      Bytes.write(directory.resolve("twin"), 0, (byte) 1);
      assertThat(state.compare(directory).attributes()).isEmpty();
      assertThat(state.compare(directory).names())
          .containsExactly(new StateComparison.NameDifference(Path.of("pool"), Path.of("twin")));
    }
  }

  /** Who is not root keeps what he can: that a file is his own and closed even to himself. */
  @Test
  void whatAnOrdinaryUserMayNotGiveShouldBeToldAndLeftOut() throws Exception {
    assumeRoot();
    mode(area.root(), 0755);
    for (Path path : new Path[] {base, directory, base.resolve("pool")}) {
      Posix.owner(SystemErrors.bytes(path), 65534, 65534);
      mode(path, 0700);
    }
    mode(base.resolve("folder/inner"), 0444);
    mode(base.resolve("pool"), 0);
    Path copy = directory.resolve("copy");

    String said = OrdinaryUser.copy(base, copy, directory);

    assumeThat(said)
        .as("nobody may not read the classes")
        .doesNotContain("Could not find", "NoClassDefFoundError");
    assertThat(said).isEqualToIgnoringNewLines("missing: the owner of folder");
    assertThat(mode(copy.resolve("pool"))).isZero();
    assertThat(mode(copy.resolve("folder/inner"))).isEqualTo(0444);
    assertThat(copy.resolve("pool")).hasBinaryContent(new byte[] {1});
    assertThat(mode(base.resolve("pool"))).isZero();
  }
}
