// SPDX-License-Identifier: Apache-2.0
package io.powercut.image;

import io.powercut.image.files.DirectoryTree;
import io.powercut.image.files.EntryAttributes;
import io.powercut.image.files.FileStatus;
import io.powercut.image.files.HardLinks;
import io.powercut.image.files.OutOfSpaceException;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.image.files.ScratchFile;
import io.powercut.image.files.SparseFile;
import io.powercut.image.pages.ImageEntry;
import io.powercut.image.pages.ImageHash;
import io.powercut.image.pages.PageMemory;
import io.powercut.image.pages.PageScan;
import io.powercut.image.pages.PageTable;
import io.powercut.image.pages.PmFile;
import io.powercut.persistency.PersistentFiles;
import io.powercut.persistency.lines.PmContents;
import io.powercut.persistency.scratch.Scratch;
import io.powercut.trace.FileAttributes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The PM files as they are at one moment of a replayed run. It starts as the state after set-up and
 * changes by what {@link PersistentFiles} receives; at any moment its hash can be asked and an
 * image be taken.
 *
 * <p>Nothing is copied at the start: pages come from the set-up's directory until they are stored
 * to. Those that were stored to are in a cache of bounded size and, when they give way or belong to
 * an image, in a file. So memory grows neither with the pools nor with the run, but for about 24
 * bytes for every page of 4 KiB that is not zero.
 *
 * <p>Not safe for use by several threads at once; the images are.
 */
public final class PmState implements PersistentFiles, PmContents, AutoCloseable {
  private static final int LAST_FILE = 0xffff;
  private static final int LINK_PERMISSIONS = 0777;

  /** The name of the directory itself. */
  private static final Path ROOT = Path.of("");

  private final Names names = new Names();
  private final PageMemory memory;
  private final PrivateDirectory scratch;
  private final List<ScratchFile> scratchFiles = new ArrayList<>();
  private @Nullable PmFile[] files = new PmFile[16];

  private PmState(PageMemory memory, PrivateDirectory scratch) {
    this.memory = memory;
    this.scratch = scratch;
  }

  /**
   * Begins with what a directory holds.
   *
   * @param base must not change while this or one of its images is open
   * @param scratch an empty directory for pages that are not in memory; the caller removes it
   * @param cacheBytes memory for pages that were stored to, outside the heap; at least 4 MiB are
   *     taken
   */
  public static PmState open(Path base, PrivateDirectory scratch, long cacheBytes)
      throws IOException {
    PmState state = new PmState(new PageMemory(scratch, cacheBytes), scratch);
    state.names.put(ROOT, new Names.Directory(EntryAttributes.read(base), false));
    Map<Path, FileStatus> entries = DirectoryTree.list(base);
    HardLinks links = HardLinks.in(entries);
    for (Map.Entry<Path, FileStatus> entry : entries.entrySet()) {
      state.addBase(base, entry.getKey(), entry.getValue(), links.of(entry.getKey()));
    }
    return state;
  }

  /**
   * @param twins all names of a file that has several
   */
  private void addBase(Path base, Path name, FileStatus status, SortedSet<Path> twins)
      throws IOException {
    Path path = base.resolve(name);
    if (!twins.isEmpty() && names.get(twins.first()) instanceof Names.File known) {
      names.put(name, known);
      return;
    }
    FileAttributes attributes = EntryAttributes.read(path, status);
    switch (status.kind()) {
      case FILE -> names.put(name, new Names.File(scanBase(path, status, attributes)));
      case DIRECTORY -> names.put(name, new Names.Directory(attributes, false));
      case LINK -> names.put(name, new Names.Link(Files.readSymbolicLink(path), attributes));
      case SPECIAL -> {}
    }
  }

  private static PmFile scanBase(Path path, FileStatus status, FileAttributes attributes)
      throws IOException {
    try (SparseFile file = SparseFile.openForReading(path)) {
      PageTable pages = PageScan.scan(file, status.size());
      return PmFile.ofBase(path, attributes, status.size(), pages);
    }
  }

  @Override
  public void define(int file, Origin origin, String path, long size) throws IOException {
    if (file < 1 || file > LAST_FILE) {
      throw new TraceMismatchException("file number " + file + " is not in 1.." + LAST_FILE);
    }
    PmFile defined =
        switch (origin) {
          case EXISTING -> existing(name(path), size);
          case CREATED -> created(name(path), size);
          case CREATED_UNNAMED, LOST -> PmFile.created(size);
        };
    if (file >= files.length) {
      files = Arrays.copyOf(files, Math.max(file + 1, 2 * files.length));
    }
    files[file] = defined;
  }

  private PmFile existing(Path name, long size) throws TraceMismatchException {
    if (!(names.get(name) instanceof Names.File known)) {
      throw new TraceMismatchException("the run found a file " + name + " that is not there");
    }
    if (known.file().size() != size) {
      throw new TraceMismatchException(
          name + " had " + size + " bytes when the run first used it, not " + known.file().size());
    }
    return known.file();
  }

  private PmFile created(Path name, long size) {
    PmFile file = PmFile.created(size);
    names.put(name, new Names.File(file));
    return file;
  }

  @Override
  public void store(int file, long offset, int size, ByteBuffer bytes, int position)
      throws IOException {
    memory.store(file(file), offset, size, bytes, position);
  }

  @Override
  public void read(int file, long offset, byte[] into) throws IOException {
    memory.read(file(file), offset, into);
  }

  @Override
  public Optional<Scratch> newScratch() throws IOException {
    ScratchFile file = new ScratchFile(scratch.path().resolve("lines" + scratchFiles.size()));
    scratchFiles.add(file);
    return Optional.of(file);
  }

  @Override
  public void resize(int file, long size) throws IOException {
    PmFile target = file(file);
    if (size < target.size()) {
      memory.zero(target, size, target.size());
    }
    target.setSize(size);
  }

  @Override
  public void zero(int file, long offset, long length) throws IOException {
    PmFile target = file(file);
    memory.zero(target, offset, Math.min(target.size(), offset + length));
  }

  @Override
  public void rename(int file, String path) throws IOException {
    Path newName = name(path);
    PmFile target = file(file);
    removeOnlyName(target);
    names.put(newName, new Names.File(target));
  }

  @Override
  public void moveOut(int file) throws IOException {
    removeOnlyName(file(file));
  }

  private void removeOnlyName(PmFile file) throws TraceMismatchException {
    if (file.names().size() > 1) {
      throw new TraceMismatchException(
          "a file with the names " + file.names() + " lost one, and the trace does not name it");
    }
    List.copyOf(file.names()).forEach(names::remove);
  }

  @Override
  public void link(int file, String path) throws IOException {
    names.put(name(path), new Names.File(file(file)));
  }

  @Override
  public void delete(int file, String path, boolean hasOtherNames) throws IOException {
    Path name = name(path);
    boolean isAnother =
        file != 0 && names.get(name) instanceof Names.File known && known.file() != file(file);
    if (!isAnother) {
      names.remove(name);
    }
  }

  @Override
  public void createDirectory(String path) throws IOException {
    names.putDirectory(name(path));
  }

  @Override
  public void deleteDirectory(String path) throws IOException {
    names.remove(name(path));
  }

  @Override
  public void renameDirectory(String from, String to) throws IOException {
    names.renameDirectory(name(from), name(to));
  }

  @Override
  public void createSymbolicLink(String path, String target) throws IOException {
    FileAttributes attributes = EntryAttributes.created(LINK_PERMISSIONS);
    names.put(name(path), new Names.Link(Path.of(target), attributes));
  }

  @Override
  public void setAttributes(int file, String path, FileAttributes attributes) throws IOException {
    FileAttributes kept = EntryAttributes.kept(attributes);
    if (file != 0) {
      file(file).setAttributes(kept);
    } else {
      names.setAttributes(path.isEmpty() ? ROOT : name(path), kept);
    }
  }

  /**
   * The hash of the current state: that of an image taken now. Costs what was stored to since the
   * last time, not more, and writes nothing.
   */
  public ImageHash hash() throws IOException {
    memory.rehash();
    ImageHash.Sum sum = new ImageHash.Sum();
    names.all().forEach((name, entry) -> entry.addTo(sum, name.toString()));
    return sum.hash();
  }

  /**
   * Takes the current state as an image. It stays what it is while the state continues; the pages
   * it needs are kept until it is closed.
   *
   * @throws OutOfSpaceException if there is no room for the pages; the state can continue
   */
  public CrashImage image() throws IOException {
    ImageHash hash = hash();
    int epoch = memory.save();
    SortedMap<Path, ImageEntry> entries = new TreeMap<>();
    names.all().forEach((name, entry) -> entries.put(name, entry.freeze()));
    return new CrashImage(hash, entries, numbered(), memory.store(), epoch);
  }

  /**
   * Compares the regular files that the run used and that have a name now with those of a
   * directory, and the attributes that the trace has of files and directories. What the directory
   * has besides is left alone. Writes nothing.
   *
   * @param directory not changed meanwhile
   */
  public StateComparison compare(Path directory) throws IOException {
    memory.rehash();
    StateComparer comparer = new StateComparer(directory, memory);
    Names.Comparison comparison =
        new Names.Comparison() {
          @Override
          public void compare(Path name, PmFile file) {
            int number = numberOf(file);
            boolean isFirstName = file.names().first().equals(name);
            if (isFirstName && number != 0) {
              comparer.compare(name, number, file);
            }
          }

          @Override
          public void compareAttributes(Path name, FileAttributes attributes) {
            comparer.compareAttributes(name, attributes);
          }
        };
    names.all().forEach((name, entry) -> entry.compare(name, comparison));
    return comparer.result();
  }

  /**
   * Reads bytes that all lie in the file.
   *
   * @return false if they do not
   */
  public boolean readWithin(int file, long offset, byte[] into) throws IOException {
    PmFile known = file(file);
    if (offset > known.size() - into.length) {
      return false;
    }
    memory.read(known, offset, into);
    return true;
  }

  /** In the trace; 0 when the run did not use the file. */
  private int numberOf(PmFile file) {
    for (int number = 0; number < files.length; number++) {
      if (files[number] == file) {
        return number;
      }
    }
    return 0;
  }

  private Map<Integer, ImageEntry.File> numbered() {
    Map<Integer, ImageEntry.File> numbered = new HashMap<>();
    for (int number = 0; number < files.length; number++) {
      PmFile file = files[number];
      if (file != null && !file.names().isEmpty()) {
        numbered.put(number, file.freeze());
      }
    }
    return numbered;
  }

  private PmFile file(int file) throws TraceMismatchException {
    PmFile found = file > 0 && file < files.length ? files[file] : null;
    if (found == null) {
      throw new TraceMismatchException("file number " + file + " was never defined");
    }
    return found;
  }

  /** A name below the PM directory and nowhere else: workspaces write there. */
  private static Path name(String path) throws TraceMismatchException {
    Path name = Path.of(path).normalize();
    if (name.isAbsolute() || name.startsWith("..") || name.toString().isEmpty()) {
      throw new TraceMismatchException("\"" + path + "\" is not a name below the PM directory");
    }
    return name;
  }

  /** Ends the use of this state and of all its images. */
  @Override
  public void close() {
    scratchFiles.forEach(ScratchFile::close);
    memory.close();
  }
}
