// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.sarif;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The git work tree that a campaign belongs to. A code host knows files by their path in it; files
 * elsewhere, of libraries for example, keep their own.
 */
final class SourceRoot {
  /** The name of this directory in {@code originalUriBaseIds}. */
  static final String ID = "SRCROOT";

  private final Optional<Path> directory;

  private SourceRoot(Optional<Path> directory) {
    this.directory = directory;
  }

  /**
   * The work tree that holds a file.
   *
   * @param file an absolute path; it need not exist
   */
  static SourceRoot of(String file) {
    return new SourceRoot(absolute(file).map(SourceRoot::resolved).flatMap(SourceRoot::workTree));
  }

  private static Optional<Path> workTree(Path file) {
    for (@Nullable Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve(".git"))) {
        return Optional.of(folder);
      }
    }
    return Optional.empty();
  }

  private static Optional<Path> absolute(String file) {
    try {
      return Optional.of(Path.of(file)).filter(Path::isAbsolute).map(Path::normalize);
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /** A compiler may have come to a file by another way than git. */
  private static Path resolved(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file;
    }
  }

  /** Where it is, when there is one. */
  Optional<Sarif.ArtifactLocation> location() {
    return directory.map(
        folder -> new Sarif.ArtifactLocation(uri("file", folder + "/"), Optional.empty()));
  }

  /** Whether a source file is in it. */
  boolean holds(String file) {
    return relative(file).isPresent();
  }

  /** What a source file is called in SARIF; nothing when debug information has no whole path. */
  Optional<Sarif.ArtifactLocation> locate(String file) {
    Optional<Sarif.ArtifactLocation> inside =
        relative(file)
            .map(path -> new Sarif.ArtifactLocation(uri(null, path.toString()), Optional.of(ID)));
    return inside.or(
        () ->
            absolute(file)
                .map(path -> new Sarif.ArtifactLocation(uri("file", "" + path), Optional.empty())));
  }

  private Optional<Path> relative(String file) {
    return directory.flatMap(
        root ->
            absolute(file)
                .map(SourceRoot::resolved)
                .filter(path -> path.startsWith(root))
                .map(root::relativize));
  }

  private static String uri(@Nullable String scheme, String path) {
    try {
      return new URI(scheme, scheme == null ? null : "", path, null).toASCIIString();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(path, e);
    }
  }
}
