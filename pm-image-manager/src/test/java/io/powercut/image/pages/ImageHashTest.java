// SPDX-License-Identifier: Apache-2.0
package io.powercut.image.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images that differ in one thing have different hashes, in both halves. */
class ImageHashTest {
  private static final FileAttributes PLAIN = new FileAttributes(0644, 1, 2);

  private interface Change {
    void in(Path directory) throws IOException;
  }

  private static void requireDistinct(List<ImageHash> hashes) {
    assertThat(hashes).extracting(ImageHash::high).doesNotHaveDuplicates();
    assertThat(hashes).extracting(ImageHash::low).doesNotHaveDuplicates();
    assertThat(hashes).extracting(ImageHash::toString).allMatch(text -> text.length() == 32);
  }

  @Test
  void everyEntryAndItsNameShouldCount(@TempDir Path folder) throws IOException {
    List<Change> changes =
        List.of(
            image -> {},
            image -> Files.writeString(image.resolve("pool"), ""),
            image -> Files.writeString(image.resolve("loop"), ""),
            image -> Files.writeString(image.resolve("pool"), "a"),
            image -> Files.writeString(image.resolve("pool"), "b"),
            image -> Files.writeString(image.resolve("pool"), "a\0"),
            image -> Files.createDirectory(image.resolve("pool")),
            image -> Files.createDirectory(image.resolve("loop")),
            image -> Files.createSymbolicLink(image.resolve("pool"), Path.of("a")),
            image -> Files.createSymbolicLink(image.resolve("loop"), Path.of("a")),
            image -> Files.createSymbolicLink(image.resolve("pool"), Path.of("b")),
            image -> {
              Files.writeString(image.resolve("pool"), "a");
              Files.writeString(image.resolve("other"), "a");
            },
            image -> {
              Files.writeString(image.resolve("pool"), "a");
              Files.createLink(image.resolve("other"), image.resolve("pool"));
            },
            image -> linkInPairs(image, "a", "b", "c", "d"),
            image -> linkInPairs(image, "a", "c", "b", "d"));
    List<ImageHash> hashes = new ArrayList<>();
    for (Change change : changes) {
      Path image = Files.createDirectory(folder.resolve("image-" + hashes.size()));
      change.in(image);
      hashes.add(ImageHash.of(image));
    }

    requireDistinct(hashes);
  }

  private static void linkInPairs(Path image, String... names) throws IOException {
    for (int first = 0; first < names.length; first += 2) {
      Files.writeString(image.resolve(names[first]), "a");
      Files.createLink(image.resolve(names[first + 1]), image.resolve(names[first]));
    }
  }

  @Test
  void attributesShouldCount() {
    TreeMap<String, ByteBuffer> named = new TreeMap<>();
    named.put("user.name", ByteBuffer.wrap(new byte[] {1}));
    TreeMap<String, ByteBuffer> other = new TreeMap<>();
    other.put("user.name", ByteBuffer.wrap(new byte[] {2}));
    List<ImageHash> hashes =
        List.of(
            directory(PLAIN),
            directory(new FileAttributes(0600, 1, 2)),
            directory(new FileAttributes(0644, 2, 1)),
            directory(new FileAttributes(0644, 1, 1)),
            directory(new FileAttributes(0644, 3, 2)),
            directory(new FileAttributes(0644, 1, 2, named)),
            directory(new FileAttributes(0644, 1, 2, other)));

    requireDistinct(hashes);
  }

  private static ImageHash directory(FileAttributes attributes) {
    ImageHash.Sum sum = new ImageHash.Sum();
    sum.addDirectory("pool", attributes);
    return sum.hash();
  }

  @Test
  void permissionsOfALinkShouldNotCount() {
    assertThat(link(PLAIN)).isEqualTo(link(PLAIN.withPermissions(0777)));
    assertThat(link(PLAIN)).isNotEqualTo(link(new FileAttributes(0644, 2, 2)));
  }

  private static ImageHash link(FileAttributes attributes) {
    ImageHash.Sum sum = new ImageHash.Sum();
    sum.addLink("pool", "target", attributes);
    return sum.hash();
  }
}
