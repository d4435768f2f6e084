// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.image.files.Removal;
import io.powercut.image.files.SparseFile;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Does to a directory what a broken recovery could do. */
final class Vandal {
  private final Random random;
  private final Path directory;

  Vandal(long seed, Path directory) {
    this.random = new Random(seed);
    this.directory = directory;
  }

  void rage() throws IOException {
    int deeds = random.nextInt(5);
    for (int deed = 0; deed < deeds && Files.isDirectory(directory); deed++) {
      deed();
    }
  }

  private void deed() throws IOException {
    List<Path> files;
    try (Stream<Path> paths = Files.walk(directory)) {
      files =
          paths.filter(path -> Files.isRegularFile(path) && !Files.isSymbolicLink(path)).toList();
    }
    if (files.isEmpty()) {
      return;
    }
    Path file = files.get(random.nextInt(files.size()));
    Path other = directory.resolve("vandal" + random.nextInt(5));
    switch (random.nextInt(16)) {
      case 0, 1, 2 -> storeThroughMapping(file);
      case 3 -> overwrite(file);
      case 4 -> resize(file, random.nextInt(5_000_000));
      case 5 -> resize(file, Files.size(file) / 2);
      case 6 -> Files.delete(file);
      case 7 -> Files.move(file, file.resolveSibling("moved" + random.nextInt(100)));
      case 8 -> {
        Files.delete(file);
        Files.createDirectories(file.resolve("deep/er"));
        Files.writeString(file.resolve("deep/er/file"), "x");
      }
      case 9 -> {
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("/etc/hostname"));
      }
      case 10 -> {
        Files.deleteIfExists(other);
        Files.createLink(other, file);
      }
      case 11 -> {
        Path twin = files.get(random.nextInt(files.size()));
        if (!twin.equals(file)) {
          Files.delete(twin);
          Files.createLink(twin, file);
        }
      }
      case 12 -> permissions(file, "---------");
      case 13 -> permissions(file.resolve("..").normalize(), "r-xr-xr-x");
      case 14 -> storeBehindTheEnd(file);
      default -> ruinTheRoot();
    }
  }

  private void ruinTheRoot() throws IOException {
    if (random.nextInt(4) == 0) {
      Removal.remove(directory);
      if (random.nextBoolean()) {
        Files.writeString(directory, "not a directory any more");
      }
    } else {
      Files.writeString(directory.resolve("log"), "recovered");
    }
  }

  private void storeThroughMapping(Path file) throws IOException {
    try (FileChannel channel = open(file)) {
      if (channel.size() > 0) {
        MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
        for (int store = 0; store < 20; store++) {
          map.put(random.nextInt(map.limit()), (byte) random.nextInt());
        }
      }
    }
  }

  /** In the page that the file ends in. */
  private void storeBehindTheEnd(Path file) throws IOException {
    try (FileChannel channel = open(file)) {
      long size = channel.size();
      if (size > 0 && size % 4096 != 0) {
        long whole = (size + 4095) & ~4095L;
        channel.truncate(size);
        // The mapping may be longer than the file; Java would extend it, so shrink it again after.
        MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, whole);
        channel.truncate(size);
        map.put((int) whole - 1, (byte) 77);
      }
    }
  }

  private void overwrite(Path file) throws IOException {
    byte[] noise = new byte[random.nextInt(300_000)];
    if (random.nextBoolean()) {
      random.nextBytes(noise);
    }
    Bytes.write(file, random.nextInt((int) Files.size(file) + 1), noise);
  }

  private static void resize(Path file, long size) throws IOException {
    try (SparseFile sparse = SparseFile.openForWriting(file)) {
      sparse.resize(size);
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static void permissions(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
