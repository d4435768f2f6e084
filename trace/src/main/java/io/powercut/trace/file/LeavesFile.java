// SPDX-License-Identifier: Apache-2.0
package io.powercut.trace.file;

import io.powercut.trace.TraceException;
import io.powercut.tree.FailurePoint;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * The leaves of a tree in the form that recorders share while they re-execute a target: each
 * execution claims the first unvisited leaf that it reaches, by marking it in this file, and stops
 * there. Executions may run while the marks are read or changed.
 */
public final class LeavesFile {
  private final Path file;

  private LeavesFile(Path file) {
    this.file = file;
  }

  /**
   * Writes all leaves with their marks.
   *
   * @throws IOException when the file cannot be written
   */
  public static LeavesFile write(Path file, FailurePointTree tree) throws IOException {
    List<FailurePoint> leaves = tree.failurePoints();
    ByteBuffer bytes =
        FileBytes.allocate(
            Math.addExact(
                TraceFormat.LEAVES_HEADER_BYTES,
                Math.multiplyExact(leaves.size(), TraceFormat.LEAF_BYTES)));
    bytes.put(TraceFormat.LEAVES_MAGIC.getBytes(StandardCharsets.US_ASCII));
    bytes.putInt(TraceFormat.VERSION).putInt(leaves.size());
    leaves.stream()
        .sorted((one, two) -> one.id().compareTo(two.id()))
        .forEach(leaf -> put(bytes, leaf));
    bytes.flip();
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    return new LeavesFile(file);
  }

  private static void put(ByteBuffer bytes, FailurePoint leaf) {
    bytes.putLong(leaf.id().value());
    bytes.putInt(leaf.visited() ? TraceFormat.LEAF_VISITED : TraceFormat.LEAF_UNVISITED);
    bytes.putInt(0);
  }

  /** A file that was written before. */
  public static LeavesFile existing(Path file) {
    return new LeavesFile(file);
  }

  /** Where it is: the recorder's {@code --leaves}. */
  public Path path() {
    return file;
  }

  /**
   * The leaves that are marked as visited now.
   *
   * @throws TraceException when this is no file of leaves, or a damaged one
   * @throws IOException when it cannot be read
   */
  public Set<FailurePointId> visited() throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer bytes = readAll(channel);
      Set<FailurePointId> visited = new HashSet<>();
      for (int at = TraceFormat.LEAVES_HEADER_BYTES;
          at < bytes.limit();
          at += TraceFormat.LEAF_BYTES) {
        if (bytes.getInt(at + TraceFormat.LEAF_STATE) != TraceFormat.LEAF_UNVISITED) {
          visited.add(new FailurePointId(bytes.getLong(at)));
        }
      }
      return visited;
    }
  }

  /**
   * Marks a leaf, so that no execution stops there (any more), or takes its mark away, so that one
   * will again.
   *
   * @throws NoSuchElementException when the file has no such leaf
   * @throws TraceException when this is no file of leaves, or a damaged one
   * @throws IOException when it cannot be read or written
   */
  public void mark(FailurePointId id, boolean visited) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      int at = find(readAll(channel), id);
      ByteBuffer state = FileBytes.allocate(Integer.BYTES);
      state.putInt(visited ? TraceFormat.LEAF_VISITED : TraceFormat.LEAF_UNVISITED).flip();
      channel.write(state, at + TraceFormat.LEAF_STATE);
    }
  }

  private static int find(ByteBuffer bytes, FailurePointId id) {
    for (int at = TraceFormat.LEAVES_HEADER_BYTES;
        at < bytes.limit();
        at += TraceFormat.LEAF_BYTES) {
      if (bytes.getLong(at) == id.value()) {
        return at;
      }
    }
    throw new NoSuchElementException("no leaf " + id);
  }

  private ByteBuffer readAll(FileChannel channel) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.toIntExact(channel.size())).order(ByteOrder.LITTLE_ENDIAN);
    boolean complete = FileBytes.readFully(channel, bytes, 0);
    int header = TraceFormat.LEAVES_HEADER_BYTES;
    if (bytes.limit() < header || !FileBytes.hasText(bytes, 0, TraceFormat.LEAVES_MAGIC)) {
      throw new TraceException(
          file, 0, "this is not a file of leaves", "Delete it; powercut writes it again");
    }
    if (bytes.getInt(8) != TraceFormat.VERSION) {
      throw TraceVersions.other(file, 8, bytes.getInt(8));
    }
    long expected = header + Integer.toUnsignedLong(bytes.getInt(12)) * TraceFormat.LEAF_BYTES;
    if (!complete || bytes.limit() != expected) {
      throw new TraceException(
          file,
          bytes.limit(),
          "the file of leaves is truncated or damaged: want " + expected + " bytes",
          "Delete it; powercut writes it again");
    }
    return bytes;
  }
}
