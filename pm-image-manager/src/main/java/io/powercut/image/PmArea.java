// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.image.files.FileStatus;
import io.powercut.image.files.Posix;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.image.files.Removal;
import io.powercut.image.files.SparseFile;
import io.powercut.image.files.SystemErrors;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Where one run of Powercut keeps the private persistent-memory directories of its executions.
 *
 * <p>An area is one directory that only its owner may enter, named {@code powercut-PID-RANDOM},
 * under an exclusive lock that the kernel gives up when the owner ends, however it ends. An area
 * whose lock can be taken is therefore abandoned: this holds across PID namespaces and needs
 * neither the boot id nor a start time. Paths of one area and of different areas below the same
 * parent have equal length, so that the arguments of an execution never move a target's stack.
 */
public final class PmArea implements AutoCloseable {
  private static final String PREFIX = "powercut-";

  /**
   * Exactly the names that {@link #newName} gives: what is called otherwise is not ours to remove.
   */
  private static final Pattern NAMES = Pattern.compile(PREFIX + "[0-9]{7,}-[0-9a-f]{8}");

  private static final int OWNER_ONLY = 0700;

  /** Of a directory's number, so that names are as long as one another. */
  private static final int DIGITS = 6;

  private final Path root;
  private final SparseFile lock;
  private final AtomicInteger directories = new AtomicInteger();

  private PmArea(Path root, SparseFile lock) {
    this.root = root;
    this.lock = lock;
  }

  /** Where areas go unless the campaign says otherwise: {@code /dev/shm}, which is a tmpfs. */
  public static Path defaultParent() {
    return Path.of("/dev/shm");
  }

  /**
   * Makes a new area below an existing directory.
   *
   * @throws IOException if the parent is missing, not writable or full
   */
  public static PmArea create(Path parent) throws IOException {
    Optional<PmArea> area = Optional.empty();
    while (area.isEmpty()) {
      Path root = parent.toAbsolutePath().normalize().resolve(newName());
      makeDirectory(root);
      area = own(root);
    }
    return area.get();
  }

  /** Empty if another process removed it as abandoned meanwhile; it is theirs then. */
  private static Optional<PmArea> own(Path root) throws IOException {
    SparseFile lock;
    try {
      lock = SparseFile.openDirectory(root);
    } catch (NoSuchFileException removed) {
      return Optional.empty();
    }
    if (lock.tryLock() && isStill(root, lock)) {
      return Optional.of(new PmArea(root, lock));
    }
    lock.close();
    return Optional.empty();
  }

  /**
   * Removes the areas below {@code parent} whose owners have ended. Those of other users and those
   * that cannot be removed are left.
   *
   * @return what was removed
   */
  public static List<Path> removeAbandoned(Path parent) throws IOException {
    List<Path> removed = new ArrayList<>();
    try (DirectoryStream<Path> areas =
        Files.newDirectoryStream(parent, PmArea::isNamedLikeAnArea)) {
      for (Path area : areas) {
        if (removeIfAbandoned(area)) {
          removed.add(area);
        }
      }
    }
    return removed;
  }

  /** The area's directory; another process may remove it after this JVM was killed. */
  public Path root() {
    return root;
  }

  /** Makes a new empty directory. Safe to call from any thread. */
  public PrivateDirectory newDirectory() throws IOException {
    // Padded by hand: formats take longer than the directory, and each recovery has one.
    String number = Integer.toString(directories.getAndIncrement());
    String name = "d" + "0".repeat(Math.max(0, DIGITS - number.length())) + number;
    Path path = root.resolve(name);
    makeDirectory(path);
    return new PrivateDirectory(path);
  }

  /** Removes the area with everything in it; a second time does nothing. */
  @Override
  public void close() throws IOException {
    try {
      Removal.remove(root);
    } finally {
      lock.close();
    }
  }

  private static boolean isNamedLikeAnArea(Path path) {
    return NAMES.matcher(String.valueOf(path.getFileName())).matches();
  }

  private static boolean removeIfAbandoned(Path area) {
    try (SparseFile lock = SparseFile.openDirectory(area)) {
      if (!lock.tryLock()) {
        return false;
      }
      Removal.remove(area);
      return true;
    } catch (IOException notOurs) {
      return false;
    }
  }

  private static boolean isStill(Path root, SparseFile lock) throws IOException {
    FileStatus locked = lock.status();
    return FileStatus.ofLink(root)
        .filter(status -> status.inode() == locked.inode() && status.device() == locked.device())
        .isPresent();
  }

  private static void makeDirectory(Path path) throws IOException {
    SystemErrors.checked(Posix.makeDirectory(SystemErrors.bytes(path), OWNER_ONLY), "create", path);
  }

  private static String newName() {
    return String.format(
        Locale.ROOT,
        "%s%07d-%08x",
        PREFIX,
        ProcessHandle.current().pid(),
        ThreadLocalRandom.current().nextInt());
  }
}
