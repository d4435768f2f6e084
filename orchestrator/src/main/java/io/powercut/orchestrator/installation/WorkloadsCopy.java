// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.installation;

import io.powercut.exit.PowercutException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The user's own copy of an installation's workloads: they are compiled where their sources are. It
 * is made when a campaign first needs it, and stays in the user's folder for caches.
 */
final class WorkloadsCopy {
  private static final String WORKLOADS = "workloads";

  /** What Makefiles of workloads use of Powercut: the compiler for programs with data races. */
  private static final String COMPILER = "race-runtime";

  private final Installation installation;
  private final Path cache;

  /**
   * @param cache the user's folder for what can be made again
   */
  WorkloadsCopy(Installation installation, Path cache) {
    this.installation = installation;
    this.cache = cache;
  }

  /**
   * The user's folder for what can be made again: {@code $XDG_CACHE_HOME}, or else {@code
   * ~/.cache}, as the XDG Base Directory Specification says.
   */
  static Path cacheOf(Map<String, String> environment, String homeOfAccount) {
    return absolute(environment.get("XDG_CACHE_HOME"))
        .or(() -> absolute(environment.get("HOME")).map(home -> home.resolve(".cache")))
        .orElse(Path.of(homeOfAccount).resolve(".cache"));
  }

  private static Optional<Path> absolute(@Nullable String value) {
    return Optional.ofNullable(value).map(Path::of).filter(Path::isAbsolute);
  }

  /**
   * The folder that takes the place of one of the installation. Empty if the folder is none of the
   * installation.
   *
   * @throws PowercutException if the copy cannot be made
   */
  Optional<Path> inPlaceOf(Path folder) {
    Path real;
    try {
      real = folder.toRealPath();
    } catch (IOException missing) {
      return Optional.empty();
    }
    if (!real.startsWith(installation.shared())) {
      return Optional.empty();
    }
    try {
      return Optional.of(make().resolve(installation.shared().relativize(real)));
    } catch (IOException e) {
      throw PowercutException.notTrustworthy(
          "Powercut's workloads are compiled below %s, which cannot be written: %s; set XDG_CACHE_HOME to a folder that can"
              .formatted(cache, reason(e)));
    }
  }

  private static String reason(IOException e) {
    return e instanceof FileSystemException known && known.getReason() != null
        ? known.getReason()
        : e.toString();
  }

  private Path make() throws IOException {
    Path parent = Files.createDirectories(cache.resolve("powercut"));
    Path copy = parent.resolve(WORKLOADS + "-" + installation.workloads());
    if (!Files.isDirectory(copy)) {
      Path fresh = Files.createTempDirectory(parent, "new-");
      try {
        copyTree(installation.shared().resolve(WORKLOADS), fresh.resolve(WORKLOADS));
        moveUnlessThere(fresh, copy);
      } finally {
        remove(fresh);
      }
    }
    link(copy.resolve(COMPILER), installation.home().resolve(COMPILER));
    return copy;
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path one : (Iterable<Path>) all::iterator) {
        Path target = to.resolve(from.relativize(one));
        Files.copy(one, target, StandardCopyOption.COPY_ATTRIBUTES);
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(target);
        permissions.add(PosixFilePermission.OWNER_WRITE);
        Files.setPosixFilePermissions(target, permissions);
      }
    }
  }

  /** Two first campaigns at once make two copies; one of them stays. */
  private static void moveUnlessThere(Path fresh, Path copy) throws IOException {
    try {
      Files.move(fresh, copy, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(copy)) {
        throw e;
      }
    }
  }

  /** An installation may have been moved since. */
  private static void link(Path link, Path target) throws IOException {
    if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(target)) {
      return;
    }
    Path fresh = link.resolveSibling(link.getFileName() + "." + ProcessHandle.current().pid());
    try {
      Files.createSymbolicLink(fresh, target);
    } catch (FileAlreadyExistsException left) {
      Files.delete(fresh);
      Files.createSymbolicLink(fresh, target);
    }
    Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void remove(Path folder) throws IOException {
    if (Files.exists(folder)) {
      List<Path> all;
      try (Stream<Path> walk = Files.walk(folder)) {
        all = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path one : all) {
        Files.delete(one);
      }
    }
  }
}
