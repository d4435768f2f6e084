// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.replay;

import io.powercut.trace.TraceEvent;
import io.powercut.trace.UndefinedNumberException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/** The names in a PM directory while a trace is replayed, and which file of the trace has which. */
final class ReplayedNames {
  private final Path directory;

  /** Later names of a file come later. */
  private Map<Path, Integer> fileOf = new LinkedHashMap<>();

  ReplayedNames(Path directory) {
    this.directory = directory.toAbsolutePath().normalize();
  }

  /** A path of the trace as one below our directory, and nowhere else. */
  Path resolve(String path) throws IOException {
    Path result = directory.resolve(path).normalize();
    if (path.isEmpty() || !result.startsWith(directory) || result.equals(directory)) {
      throw new IOException(
          "\"" + path + "\" in the trace lies outside " + directory + ". The trace is damaged.");
    }
    return result;
  }

  void define(int file, Path path) {
    fileOf.remove(path);
    fileOf.put(path, file);
  }

  void rename(TraceEvent.FileRenamed event) throws IOException {
    Path from = latestName(event.file());
    fileOf.remove(from);
    if (event.outside()) {
      Files.delete(from);
      return;
    }
    Path to = resolve(event.path());
    Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    define(event.file(), to);
  }

  void link(TraceEvent.FileLinked event) throws IOException {
    if (!event.outside()) {
      Path to = resolve(event.path());
      Files.createLink(to, latestName(event.file()));
      define(event.file(), to);
    }
  }

  void delete(TraceEvent.FileDeleted event) throws IOException {
    Path path = resolve(event.path());
    fileOf.remove(path);
    Files.deleteIfExists(path);
  }

  void renameDirectory(TraceEvent.DirectoryRenamed event) throws IOException {
    Path from = resolve(event.from());
    Path to = resolve(event.to());
    if (Files.isDirectory(to, LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(to);
    }
    Files.move(from, to);
    Map<Path, Integer> moved = new LinkedHashMap<>();
    fileOf.forEach(
        (path, file) ->
            moved.put(path.startsWith(from) ? to.resolve(from.relativize(path)) : path, file));
    fileOf = moved;
  }

  private Path latestName(int file) {
    Path latest = null;
    for (Map.Entry<Path, Integer> name : fileOf.entrySet()) {
      if (name.getValue() == file) {
        latest = name.getKey();
      }
    }
    if (latest == null) {
      throw new UndefinedNumberException("a name for file", file);
    }
    return latest;
  }
}
