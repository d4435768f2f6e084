// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import static java.util.Objects.requireNonNull;

import io.powercut.image.files.DirectoryTree;
import io.powercut.image.files.EntryAttributes;
import io.powercut.image.files.FileStatus;
import io.powercut.image.files.HardLinks;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.image.files.Posix;
import io.powercut.image.files.Removal;
import io.powercut.image.files.SparseFile;
import io.powercut.image.files.SystemErrors;
import io.powercut.image.pages.ImageEntry;
import io.powercut.image.pages.PageHashing;
import io.powercut.image.pages.PageScan;
import io.powercut.image.pages.PageTable;
import io.powercut.image.pages.PageWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A private directory that goes from one crash image to the next, whatever recovery did to it in
 * between: stores, growing, truncating, renaming, deleting, other files, permissions.
 *
 * <p>What a recovery changed is unknown, and nothing it did is trusted: after it, every allocated
 * page is read and hashed, and compared with the hash that the page had. Then the pages that differ
 * from the wanted image are written. {@code benchmarks/images} has what this costs and what the
 * other ways cost.
 *
 * <p>Use by one thread at a time, and while no process uses the directory.
 */
public final class ImageWorkspace {
  private static final int OWNER_ALL = 0700;
  private static final int OWNER_READ_WRITE = 0600;

  /** A file that is there and known, page by page. */
  private record KnownFile(long size, PageTable pages) {}

  private final Path directory;
  private Map<Path, KnownFile> known = new TreeMap<>();
  private SortedMap<Path, FileStatus> found = new TreeMap<>();
  private HardLinks links = HardLinks.in(found);
  private boolean examined;

  /**
   * Takes over a directory.
   *
   * @param directory is created if it is missing; what it holds is removed when an image comes
   */
  public ImageWorkspace(Path directory) {
    this.directory = directory;
  }

  /** Where the image is. */
  public Path path() {
    return directory;
  }

  /**
   * Finds out what is in the directory now. {@link #moveTo} does this itself if need be; doing it
   * as soon as a recovery is over saves the time later.
   *
   * @throws IOException if the directory cannot be used any more
   */
  public void examine() throws IOException {
    try {
      look();
    } catch (IOException spoilt) {
      startOver();
    }
  }

  /**
   * Makes the directory hold an image and nothing else.
   *
   * @throws OutOfSpaceException if the image does not fit, even when nothing else is in the
   *     directory
   * @throws IOException if the directory cannot be used any more
   */
  public void moveTo(CrashImage image) throws IOException {
    if (!examined) {
      examine();
    }
    try {
      apply(image);
    } catch (IOException spoilt) {
      startOver();
      apply(image);
    }
  }

  private void look() throws IOException {
    makeRoot();
    SortedMap<Path, FileStatus> present = DirectoryTree.listAll(directory);
    Map<Path, KnownFile> still = new TreeMap<>();
    HardLinks twins = HardLinks.in(present);
    for (Map.Entry<Path, FileStatus> entry : present.entrySet()) {
      Path name = entry.getKey();
      KnownFile before = known.get(name);
      SortedSet<Path> names = twins.of(name);
      FileStatus status = entry.getValue();
      // A file with a name elsewhere is also used elsewhere.
      if (before == null
          || status.kind() != FileStatus.Kind.FILE
          || status.links() != Math.max(1, names.size())) {
        continue;
      }
      KnownFile scanned = names.isEmpty() ? null : still.get(names.first());
      still.put(name, scanned == null ? rescan(directory.resolve(name), before) : scanned);
    }
    known = still;
    found = present;
    links = twins;
    examined = true;
  }

  private static KnownFile rescan(Path path, KnownFile before) throws IOException {
    try (SparseFile file = openForWriting(path)) {
      long size = file.status().size();
      return new KnownFile(size, PageScan.rescan(file, size, before.pages()));
    }
  }

  private void startOver() throws IOException {
    Removal.remove(directory);
    makeRoot();
    known = new TreeMap<>();
    found = new TreeMap<>();
    links = HardLinks.in(found);
    examined = true;
  }

  private void makeRoot() throws IOException {
    makeParent();
    FileStatus status = FileStatus.ofLink(directory).orElse(null);
    if (status != null && status.kind() != FileStatus.Kind.DIRECTORY) {
      Removal.remove(directory);
    }
    Files.createDirectories(directory);
    setPermissions(directory, OWNER_ALL);
  }

  /** A recovery can also replace the directory that its own is in, or lock it. */
  private void makeParent() throws IOException {
    Path parent = directory.getParent();
    FileStatus status = parent == null ? null : FileStatus.ofLink(parent).orElse(null);
    if (parent == null || status == null) {
      return;
    }
    if (status.kind() != FileStatus.Kind.DIRECTORY) {
      Removal.remove(parent);
    } else if ((status.mode() & OWNER_ALL) != OWNER_ALL) {
      setPermissions(parent, OWNER_ALL);
    }
  }

  private void apply(CrashImage image) throws IOException {
    examined = false;
    for (Map.Entry<Path, FileStatus> entry : found.entrySet()) {
      if (!fits(entry.getKey(), entry.getValue(), image)) {
        Removal.remove(directory.resolve(entry.getKey()));
        known.remove(entry.getKey());
      }
    }
    Map<Path, KnownFile> present = new TreeMap<>();
    try (PageWriter writer = new PageWriter(image.store())) {
      for (Map.Entry<Path, ImageEntry> entry : image.entries().entrySet()) {
        put(entry.getKey(), entry.getValue(), writer, present);
      }
    }
    giveDirectories(image);
    known = present;
  }

  /** Whether what is there can become what the image has, without being made anew. */
  private boolean fits(Path name, FileStatus status, CrashImage image) throws IOException {
    ImageEntry wanted = image.entries().get(name);
    return wanted != null && wanted.accept(new Fit(name, status.kind()));
  }

  private void put(Path name, ImageEntry entry, PageWriter writer, Map<Path, KnownFile> present)
      throws IOException {
    Optional<KnownFile> file = entry.accept(new Placement(name, writer));
    file.ifPresent(known -> present.put(name, known));
  }

  /** Whether what is there can become something else. */
  private final class Fit implements ImageEntry.Visitor<Boolean, IOException> {
    private final Path name;
    private final FileStatus.Kind kind;

    Fit(Path name, FileStatus.Kind kind) {
      this.name = name;
      this.kind = kind;
    }

    @Override
    public Boolean visit(ImageEntry.File file) {
      return kind == FileStatus.Kind.FILE
          && known.containsKey(name)
          && List.copyOf(links.of(name)).equals(file.names());
    }

    @Override
    public Boolean visit(ImageEntry.Directory wanted) {
      return kind == FileStatus.Kind.DIRECTORY;
    }

    @Override
    public Boolean visit(ImageEntry.Link link) throws IOException {
      return kind == FileStatus.Kind.LINK
          && link.target().equals(Files.readSymbolicLink(directory.resolve(name)));
    }
  }

  /** Puts something where it belongs; says what is known of a file then. */
  private final class Placement implements ImageEntry.Visitor<Optional<KnownFile>, IOException> {
    private final Path name;
    private final Path path;
    private final PageWriter writer;

    Placement(Path name, PageWriter writer) {
      this.name = name;
      this.path = directory.resolve(name);
      this.writer = writer;
    }

    @Override
    public Optional<KnownFile> visit(ImageEntry.File file) throws IOException {
      if (file.isFurtherName(name)) {
        putName(directory.resolve(file.names().get(0)), path, known.containsKey(name));
      } else {
        putFile(path, known.get(name), file, writer);
      }
      return Optional.of(new KnownFile(file.size(), file.pages()));
    }

    /** It gets its attributes last. */
    @Override
    public Optional<KnownFile> visit(ImageEntry.Directory wanted) throws IOException {
      Files.createDirectories(path);
      setPermissions(path, OWNER_ALL);
      return Optional.empty();
    }

    @Override
    public Optional<KnownFile> visit(ImageEntry.Link link) throws IOException {
      if (!Files.isSymbolicLink(path)) {
        Files.createSymbolicLink(path, link.target());
      }
      give(path, FileStatus.Kind.LINK, link);
      return Optional.empty();
    }
  }

  private static void putName(Path file, Path name, boolean isThere) throws IOException {
    if (!isThere) {
      SystemErrors.checked(
          Posix.name(SystemErrors.bytes(file), SystemErrors.bytes(name)), "create", name);
    }
  }

  private static void putFile(
      Path path, @Nullable KnownFile before, ImageEntry.File wanted, PageWriter writer)
      throws IOException {
    if (before == null) {
      create(path, wanted, writer);
    } else {
      change(path, before, wanted, writer);
    }
    give(path, FileStatus.Kind.FILE, wanted);
  }

  private static void give(Path path, FileStatus.Kind kind, ImageEntry wanted) throws IOException {
    EntryAttributes.give(path, kind, EntryAttributes.read(path), wanted.attributes());
  }

  private static void create(Path path, ImageEntry.File wanted, PageWriter writer)
      throws IOException {
    try (SparseFile file = SparseFile.create(path, OWNER_READ_WRITE)) {
      file.resize(wanted.size());
      writer.write(file, new PageTable(), 0, wanted);
    }
  }

  private static void change(Path path, KnownFile before, ImageEntry.File wanted, PageWriter writer)
      throws IOException {
    try (SparseFile file = openForWriting(path)) {
      long kept = PageHashing.pagesOf(wanted.size());
      if (before.size() != wanted.size() || wanted.size() % PageHashing.PAGE != 0) {
        // What was stored through a mapping after the end, in its page, would show if it grew.
        kept = Math.min(before.size(), wanted.size()) >>> PageHashing.PAGE_BITS;
        file.resize(kept << PageHashing.PAGE_BITS);
        file.resize(wanted.size());
      }
      writer.write(file, before.pages(), kept, wanted);
    }
  }

  /** Last: nothing can be put into a directory that is not writable. Inner ones come first. */
  private void giveDirectories(CrashImage image) throws IOException {
    Deque<Path> directories = new ArrayDeque<>();
    image
        .entries()
        .forEach(
            (name, entry) -> {
              if (entry instanceof ImageEntry.Directory) {
                directories.addFirst(name);
              }
            });
    for (Path name : directories) {
      ImageEntry wanted = requireNonNull(image.entries().get(name), "a directory is gone");
      give(directory.resolve(name), FileStatus.Kind.DIRECTORY, wanted);
    }
  }

  private static SparseFile openForWriting(Path path) throws IOException {
    setPermissions(path, OWNER_READ_WRITE);
    return SparseFile.openForWriting(path);
  }

  private static void setPermissions(Path path, int permissions) throws IOException {
    SystemErrors.checked(
        Posix.permissions(SystemErrors.bytes(path), permissions), "set the permissions of", path);
  }
}
