// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.scratch;

import io.powercut.persistency.lines.LineHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps small pieces of bytes that never change, in segments that are written to a {@link Scratch}
 * when they are full. A segment's room is used again when nothing refers to the segment any more.
 * Pieces that were kept a moment ago are not kept twice. One thread adds, several may read.
 */
public final class Segments {
  /** No line takes more: {@link LineHistory#MOST_STORES} stores of 64 bytes with all about them. */
  private static final int SEGMENT_BYTES = 1 << 19;

  /** Segments that were read last. */
  private static final int CACHED = 8;

  /** A power of two. */
  private static final int RECENT = 64;

  /** Longer pieces are not looked for among the recent ones. */
  private static final int MOST_RECENT_BYTES = 4096;

  /** Consecutive pieces. */
  public static final class Segment {
    private byte @Nullable [] bytes = new byte[SEGMENT_BYTES];
    private int slot;
  }

  /** Tells that a segment is gone. */
  private static final class Gone extends PhantomReference<Segment> {
    private final int slot;

    Gone(Segment segment, int slot, ReferenceQueue<Segment> queue) {
      super(segment, queue);
      this.slot = slot;
    }
  }

  /** A piece that was kept a moment ago. */
  private static final class Recent {
    private final byte[] bytes;
    private final Segment segment;
    private final int offset;

    Recent(byte[] bytes, Segment segment, int offset) {
      this.bytes = bytes;
      this.segment = segment;
      this.offset = offset;
    }
  }

  private final Optional<Scratch> scratch;
  private final @Nullable Recent[] recent = new @Nullable Recent[RECENT];
  private final ReferenceQueue<Segment> gone = new ReferenceQueue<>();
  private final Set<Gone> watched = new HashSet<>();
  private final IntSlots slots = new IntSlots();
  private final Map<Integer, byte[]> cache = new LinkedHashMap<>(2 * CACHED, 0.75f, true);
  private Segment active = new Segment();
  private int used;
  private Segment lastSegment = active;
  private int lastOffset;

  /**
   * @param scratch where full segments go; on the heap if there is none
   */
  public Segments(Optional<Scratch> scratch) {
    this.scratch = scratch;
  }

  /** Keeps bytes; {@link #segment} and {@link #offset} tell where. */
  public void add(byte[] from, int length) throws IOException {
    int hash = 0;
    if (length <= MOST_RECENT_BYTES) {
      hash = hash(from, length) & (RECENT - 1);
      Recent known = recent[hash];
      if (known != null && Arrays.equals(known.bytes, 0, known.bytes.length, from, 0, length)) {
        lastSegment = known.segment;
        lastOffset = known.offset;
        return;
      }
    }
    if (used + length > SEGMENT_BYTES) {
      close();
    }
    System.arraycopy(from, 0, bytesOfActive(), used, length);
    lastSegment = active;
    lastOffset = used;
    used += length;
    if (length <= MOST_RECENT_BYTES) {
      recent[hash] = new Recent(Arrays.copyOf(from, length), lastSegment, lastOffset);
    }
  }

  private byte[] bytesOfActive() {
    byte[] bytes = active.bytes;
    if (bytes == null) {
      throw new IllegalStateException("the active segment is on the heap");
    }
    return bytes;
  }

  private static int hash(byte[] bytes, int length) {
    int hash = 1;
    for (int index = 0; index < length; index++) {
      hash = 31 * hash + bytes[index];
    }
    return hash ^ hash >>> 16;
  }

  /** Where the last piece that was added begins. */
  public Segment segment() {
    return lastSegment;
  }

  /** Its place in the segment. */
  public int offset() {
    return lastOffset;
  }

  private void close() throws IOException {
    if (scratch.isPresent()) {
      reuse();
      int slot = slots.take();
      scratch.get().write((long) slot * SEGMENT_BYTES, bytesOfActive());
      watched.add(new Gone(active, slot, gone));
      synchronized (cache) {
        cache.remove(slot);
        active.slot = slot;
        active.bytes = null;
      }
    }
    active = new Segment();
    used = 0;
  }

  private void reuse() {
    for (Object next = gone.poll(); next != null; next = gone.poll()) {
      Gone one = (Gone) next;
      watched.remove(one);
      slots.free(one.slot);
    }
  }

  /**
   * The bytes of a segment, which are not to be changed.
   *
   * @throws UncheckedIOException if they cannot be read
   */
  public byte[] read(Segment segment) {
    synchronized (cache) {
      byte[] here = segment.bytes;
      if (here != null) {
        return here;
      }
      byte[] known = cache.get(segment.slot);
      return known != null ? known : load(segment.slot);
    }
  }

  private byte[] load(int slot) {
    byte[] bytes = new byte[SEGMENT_BYTES];
    try {
      scratch.orElseThrow().read((long) slot * SEGMENT_BYTES, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (cache.size() >= CACHED) {
      cache.remove(cache.keySet().iterator().next());
    }
    cache.put(slot, bytes);
    return bytes;
  }

  /** Numbers from 0, each given to one at a time. */
  private static final class IntSlots {
    private int[] free = new int[16];
    private int count;
    private int next;

    int take() {
      return count == 0 ? next++ : free[--count];
    }

    void free(int slot) {
      if (count == free.length) {
        free = Arrays.copyOf(free, 2 * count);
      }
      free[count++] = slot;
    }
  }
}
