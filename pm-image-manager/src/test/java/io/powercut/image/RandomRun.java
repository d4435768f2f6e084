// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.image.files.EntryAttributes;
import io.powercut.persistency.PersistentFiles;
import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A made-up run: operations of every kind on files of every kind, told to two listeners alike. */
final class RandomRun {
  /** A file with a number. */
  private static final class Known {
    final int number;
    long size;
    String name;
    @Nullable String twin;
    boolean named;

    Known(int number, String name, long size, boolean named) {
      this.number = number;
      this.name = name;
      this.size = size;
      this.named = named;
    }
  }

  private final Random random;
  private final List<PersistentFiles> listeners;
  private final List<Known> files = new ArrayList<>();
  private final ByteBuffer bytes = ByteBuffer.allocate(20_000).order(ByteOrder.LITTLE_ENDIAN);
  private String directory = "folder";
  private int names;

  RandomRun(long seed, PersistentFiles... listeners) {
    this.random = new Random(seed);
    this.listeners = List.of(listeners);
  }

  private interface Operation {
    void on(PersistentFiles files) throws IOException;
  }

  private void tell(Operation operation) throws IOException {
    for (PersistentFiles listener : listeners) {
      operation.on(listener);
    }
  }

  void defineExisting(String name, long size) throws IOException {
    Known file = new Known(files.size() + 1, name, size, true);
    files.add(file);
    tell(to -> to.define(file.number, PersistentFiles.Origin.EXISTING, name, size));
  }

  void steps(int count) throws IOException {
    for (int step = 0; step < count; step++) {
      step();
    }
  }

  private void step() throws IOException {
    Known file = files.get(random.nextInt(files.size()));
    int choice = random.nextInt(1000);
    if (choice < 700) {
      store(file, 8, random.nextInt(8) * 1000L);
    } else if (choice < 930) {
      store(file, 1 + random.nextInt(random.nextBoolean() ? 64 : 20_000), random.nextInt(100));
    } else if (choice < 950) {
      resize(file);
    } else if (choice < 970) {
      zero(file);
    } else {
      changeNames(file, choice);
    }
  }

  private void store(Known file, int size, long pattern) throws IOException {
    for (int position = 0; position + 8 <= bytes.capacity(); position += 8) {
      bytes.putLong(position, pattern == 0 ? 0 : pattern + position / 512);
    }
    long offset = (long) (random.nextDouble() * (file.size + 100));
    if (random.nextInt(4) != 0) {
      offset &= ~7L;
    }
    long at = offset;
    tell(to -> to.store(file.number, at, size, bytes, 0));
  }

  private void resize(Known file) throws IOException {
    long size =
        switch (random.nextInt(5)) {
          case 0 -> 0;
          case 1 -> file.size / 2;
          case 2 -> (file.size + 4095) & ~4095L;
          default -> (long) (random.nextDouble() * 6_000_000);
        };
    file.size = size;
    tell(to -> to.resize(file.number, size));
  }

  private void zero(Known file) throws IOException {
    long offset = (long) (random.nextDouble() * (file.size + 5000));
    long length = (long) (random.nextDouble() * (random.nextBoolean() ? 9_000 : file.size));
    tell(to -> to.zero(file.number, offset, length));
  }

  private void changeNames(Known file, int choice) throws IOException {
    String fresh = (random.nextInt(3) == 0 ? directory + "/" : "") + "file" + names++;
    if (file.twin != null) {
      changeTwin(file, file.twin, choice);
    } else if (choice < 972 && file.named) {
      file.twin = fresh;
      tell(to -> to.link(file.number, fresh));
    } else if (choice < 974) {
      FileAttributes attributes = attributes();
      tell(to -> to.setAttributes(file.number, "", attributes));
    } else if (choice < 975) {
      FileAttributes attributes = attributes();
      tell(to -> to.setAttributes(0, directory, attributes));
    } else if (choice < 977 && file.named) {
      file.name = fresh;
      tell(to -> to.rename(file.number, fresh));
    } else if (choice < 982 && files.size() < 12) {
      Known created = new Known(files.size() + 1, fresh, 0, true);
      files.add(created);
      tell(to -> to.define(created.number, PersistentFiles.Origin.CREATED, fresh, 0));
    } else if (choice < 986 && file.named && file.number > 1) {
      file.named = false;
      tell(to -> to.delete(file.number, file.name, false));
    } else if (choice < 988 && file.named && file.number > 1) {
      file.named = false;
      tell(to -> to.moveOut(file.number));
    } else if (choice < 991 && !file.named) {
      file.named = true;
      file.name = fresh;
      tell(to -> to.link(file.number, fresh));
    } else if (choice < 994) {
      tell(to -> to.createSymbolicLink("link" + fresh.replace('/', '-'), fresh));
    } else if (choice < 997) {
      tell(to -> to.createDirectory("made" + names));
    } else {
      renameDirectory("folder" + names++);
    }
  }

  /** One of two names goes, perhaps since another file is renamed to it. */
  private void changeTwin(Known file, String twin, int choice) throws IOException {
    String gone = choice % 2 == 0 ? file.name : twin;
    file.name = choice % 2 == 0 ? twin : file.name;
    file.twin = null;
    tell(to -> to.delete(file.number, gone, true));
    Known other = files.get(random.nextInt(files.size()));
    if (other != file && other.named && other.twin == null && choice % 3 == 0) {
      other.name = gone;
      tell(to -> to.rename(other.number, gone));
    }
  }

  private FileAttributes attributes() {
    int[] permissions = {0600, 0644, 0400, 0755, 01777};
    return EntryAttributes.created(permissions[names++ % permissions.length]);
  }

  private void renameDirectory(String renamed) throws IOException {
    String old = directory;
    directory = renamed;
    tell(to -> to.renameDirectory(old, renamed));
    for (Known file : files) {
      if (file.named && file.name.startsWith(old + "/")) {
        file.name = renamed + file.name.substring(old.length());
      }
      if (file.twin != null && file.twin.startsWith(old + "/")) {
        file.twin = renamed + file.twin.substring(old.length());
      }
    }
  }
}
