// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.persistency.lines.LineHistory.Flushed;
import io.powercut.persistency.lines.LineHistory.Wait;
import io.powercut.persistency.ranges.LineWords;
import io.powercut.persistency.scratch.ByteSink;
import io.powercut.persistency.scratch.ByteSource;
import io.powercut.persistency.scratch.Segments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes all that is known of a line in few bytes, so that lines that a loop stored to differ in
 * the bytes they hold and in nothing else, and reads it again.
 */
public final class LineCodec {
  private static final int SAME_CODE = 1;
  private static final int SAME_GROUP = 2;
  private static final int FOLLOWS = 4;
  private static final int SCATTERED = 8;

  /** Shapes that are looked for. */
  private static final int MOST_SHAPES = 4096;

  private static final int MOST_SHAPE_BYTES = 512;

  /** After so many lines, other shapes may be usual. */
  private static final int LINES_OF_A_TIME = 1 << 16;

  private final Segments segments;
  private final Map<LineShape, LineShape> shapes = new HashMap<>();
  private final ByteSink meta = new ByteSink();
  private final ByteSink bytes = new ByteSink();
  private int lines;

  public LineCodec(Segments segments) {
    this.segments = segments;
  }

  /**
   * The line in its page, by itself.
   *
   * @param unfinished whether what stored to it last may go on
   */
  LineRun encode(LineHistory line, int place, boolean unfinished) throws IOException {
    List<InFlightStore> stores =
        line.buried().isEmpty()
            ? line.stores()
            : Stream.concat(line.buried().stream(), line.stores().stream()).toList();
    long first = stores.isEmpty() ? 0 : stores.get(0).ordinal();
    meta.clear();
    writeStores(stores);
    LineShape shape = known(shape(line, unfinished ? line.lastCached() : -1));
    bytes.clear();
    if (!shape.isZeroBefore()) {
      putWords(line.guaranteedWords());
    }
    long[] gap = line.afterGap();
    if (gap != null) {
      putWords(gap);
      bytes.putNumber(line.forgotten());
      bytes.putNumber(line.buried().size());
    }
    if (shape.isInline()) {
      bytes.putNumber(meta.size());
      for (int index = 0; index < meta.size(); index++) {
        bytes.put(meta.bytes()[index]);
      }
    }
    long previous = first;
    for (InFlightStore store : stores) {
      bytes.putSigned(store.ordinal() - previous);
      previous = store.ordinal();
      store.writeTo(bytes);
    }
    segments.add(bytes.bytes(), bytes.size());
    return new LineRun(shape, segments.segment(), place, first, segments.offset());
  }

  private void putWords(long[] words) {
    for (long word : words) {
      bytes.putWord(word);
    }
  }

  private LineShape known(LineShape shape) {
    if (++lines % LINES_OF_A_TIME == 0) {
      shapes.clear();
    }
    LineShape known = shapes.get(shape);
    if (known != null) {
      return known;
    }
    if (shape.stores().length > MOST_SHAPE_BYTES || shapes.size() >= MOST_SHAPES) {
      LineShape inline = shape.inline();
      LineShape same = shapes.putIfAbsent(inline, inline);
      return same == null ? inline : same;
    }
    shapes.put(shape, shape);
    return shape;
  }

  private LineShape shape(LineHistory line, long unfinished) {
    long[] before = line.guaranteedWords();
    long[] after = line.programOrder();
    boolean hasGap = line.afterGap() != null;
    return new LineShape(
        meta.copy(),
        false,
        hasGap || !Arrays.equals(before, after),
        Arrays.stream(before).allMatch(word -> word == 0),
        hasGap,
        unfinished,
        awaited(line));
  }

  private static List<LineShape.Awaited> awaited(LineHistory line) {
    List<LineShape.Awaited> awaited = new ArrayList<>(1);
    List<InFlightStore> stores = line.stores();
    for (Wait wait : line.waits()) {
      boolean all = line.afterGap() == null && stores.stream().allMatch(wait::isFor);
      List<LineShape.AwaitedFlush> flushes = new ArrayList<>(1);
      for (Flushed flush : wait.flushes()) {
        int last = lastCovered(stores, flush.ordinal());
        if (last >= 0 && (flushes.isEmpty() || flushes.get(flushes.size() - 1).last() < last)) {
          flushes.add(new LineShape.AwaitedFlush(last, flush.kind(), flush.site(), flush.stack()));
        }
      }
      if (line.isAwaited(wait.thread())) {
        awaited.add(new LineShape.Awaited(wait.thread(), flushes, wait.nonTemporal(), all));
      }
    }
    return awaited;
  }

  /** The number of the last cached store in the trace before a place of it; -1 if there is none. */
  private static int lastCovered(List<InFlightStore> stores, long ordinal) {
    int last = -1;
    for (int index = 0; index < stores.size(); index++) {
      InFlightStore store = stores.get(index);
      if (!store.isNonTemporal()
          && store.ordinal() < ordinal
          && (last < 0 || store.ordinal() > stores.get(last).ordinal())) {
        last = index;
      }
    }
    return last;
  }

  private void writeStores(List<InFlightStore> stores) {
    meta.putNumber(stores.size());
    InFlightStore before = null;
    int group = -1;
    for (InFlightStore store : stores) {
      boolean isSameGroup = !store.isNonTemporal() && store.group() == group;
      writeStore(store, before, isSameGroup);
      before = store;
      group = store.isNonTemporal() ? group : store.group();
    }
  }

  private void writeStore(
      InFlightStore store, @Nullable InFlightStore before, boolean isSameGroup) {
    int from = store.firstByte();
    int size = Long.bitCount(store.bytes());
    boolean isScattered = store.bytes() != LineWords.bytes(from, from + size);
    boolean isSameCode =
        before != null
            && before.thread() == store.thread()
            && before.flags() == store.flags()
            && before.site() == store.site()
            && before.stack() == store.stack();
    boolean follows =
        before != null
            && !isScattered
            && size == Long.bitCount(before.bytes())
            && from == before.firstByte() + size;
    meta.put(
        (isSameCode ? SAME_CODE : 0)
            | (isSameGroup ? SAME_GROUP : 0)
            | (follows ? FOLLOWS : 0)
            | (isScattered ? SCATTERED : 0));
    if (!isSameCode) {
      meta.putNumber(store.thread());
      meta.putNumber(store.flags());
      meta.putNumber(store.site());
      meta.putNumber(store.stack());
    }
    if (isScattered) {
      meta.putWord(store.bytes());
    } else if (!follows) {
      meta.put(from);
      meta.put(size);
    }
  }

  /** What is known of a line. */
  public static final class Decoded {
    private final long[] guaranteed;
    private final long @Nullable [] gap;
    private final int forgotten;
    private final long lastCached;
    private final int group;
    private final List<InFlightStore> stores;
    private final List<Wait> waits;
    private final List<InFlightStore> buried;

    private Decoded(
        long[] guaranteed,
        long @Nullable [] gap,
        int forgotten,
        long lastCached,
        int group,
        List<InFlightStore> stores,
        List<Wait> waits,
        List<InFlightStore> buried) {
      this.guaranteed = guaranteed;
      this.gap = gap;
      this.forgotten = forgotten;
      this.lastCached = lastCached;
      this.group = group;
      this.stores = stores;
      this.waits = waits;
      this.buried = buried;
    }

    public long[] guaranteed() {
      return guaranteed;
    }

    /** What it holds with all that was forgotten. */
    public long @Nullable [] gap() {
      return gap;
    }

    public int forgotten() {
      return forgotten;
    }

    /** What stored to it last, if that may go on; else -1. */
    public long lastCached() {
      return lastCached;
    }

    /** Of the last cached store. */
    public int group() {
      return group;
    }

    public List<InFlightStore> stores() {
      return stores;
    }

    List<Wait> waits() {
      return waits;
    }

    /** {@link LineHistory#buried}. */
    List<InFlightStore> buried() {
      return buried;
    }
  }

  /** What a line of a run would hold if all were lost. */
  long[] guaranteed(LineRun run, int index) {
    return run.shape().isZeroBefore()
        ? new long[LineWords.UNITS]
        : takeWords(new ByteSource(segments.read(run.segment()), run.offset(index)));
  }

  private static long[] takeWords(ByteSource source) {
    long[] words = new long[LineWords.UNITS];
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      words[unit] = source.takeWord();
    }
    return words;
  }

  /** Reads a line of a run. */
  public Decoded decode(LineRun run, int index) {
    LineShape shape = run.shape();
    ByteSource source = new ByteSource(segments.read(run.segment()), run.offset(index));
    long[] guaranteed = shape.isZeroBefore() ? new long[LineWords.UNITS] : takeWords(source);
    long[] gap = shape.hasGap() ? takeWords(source) : null;
    int forgotten = shape.hasGap() ? source.takeInt() : 0;
    int buried = shape.hasGap() ? source.takeInt() : 0;
    long first = run.ordinal(index);
    ByteSource stored = new ByteSource(shape.stores(), 0);
    if (shape.isInline()) {
      byte[] inline = new byte[source.takeInt()];
      for (int place = 0; place < inline.length; place++) {
        inline[place] = (byte) source.take();
      }
      stored = new ByteSource(inline, 0);
    }
    Stores stores = new Stores(stored, source, first);
    List<InFlightStore> all = stores.all();
    List<InFlightStore> hidden = buried == 0 ? List.of() : List.copyOf(all.subList(0, buried));
    List<InFlightStore> kept = buried == 0 ? all : new ArrayList<>(all.subList(buried, all.size()));
    List<Wait> waits = new ArrayList<>(1);
    for (LineShape.Awaited one : shape.awaited()) {
      List<Flushed> flushes = new ArrayList<>(1);
      for (LineShape.AwaitedFlush flush : one.flushes()) {
        long ordinal = kept.get(flush.last()).ordinal() + 1;
        flushes.add(new Flushed(ordinal, flush.kind(), flush.site(), flush.stack()));
      }
      waits.add(new Wait(one.thread(), flushes, one.nonTemporal()));
    }
    return new Decoded(
        guaranteed, gap, forgotten, shape.unfinished(), stores.group, kept, waits, hidden);
  }

  /** Reads the stores of a line. */
  private static final class Stores {
    private final ByteSource stored;
    private final ByteSource bytes;
    private long ordinal;
    private int thread;
    private int flags;
    private int site;
    private int stack;
    private int from;
    private int size;
    private int group;

    Stores(ByteSource stored, ByteSource bytes, long first) {
      this.stored = stored;
      this.bytes = bytes;
      this.ordinal = first;
    }

    List<InFlightStore> all() {
      int count = stored.takeInt();
      List<InFlightStore> all = new ArrayList<>(Math.max(2, count));
      for (int index = 0; index < count; index++) {
        all.add(next());
      }
      return all;
    }

    private InFlightStore next() {
      int control = stored.take();
      if ((control & SAME_CODE) == 0) {
        thread = stored.takeInt();
        flags = stored.takeInt();
        site = stored.takeInt();
        stack = stored.takeInt();
      }
      long mask = takeMask(control);
      ordinal += bytes.takeSigned();
      boolean isNonTemporal = InFlightStore.isNonTemporal(flags);
      if (!isNonTemporal && (control & SAME_GROUP) == 0) {
        group++;
      }
      return InFlightStore.read(
          ordinal, isNonTemporal ? 0 : group, thread, flags, site, stack, mask, bytes);
    }

    private long takeMask(int control) {
      if ((control & SCATTERED) != 0) {
        long mask = stored.takeWord();
        from = Long.numberOfTrailingZeros(mask);
        size = Long.bitCount(mask);
        return mask;
      }
      if ((control & FOLLOWS) != 0) {
        from += size;
      } else {
        from = stored.take();
        size = stored.take();
      }
      return LineWords.bytes(from, from + size);
    }
  }

  /** The code of the stores of a line, in order. */
  public Set<StoreCode> codes(LineRun run, int index) {
    Set<StoreCode> codes = new LinkedHashSet<>();
    decode(run, index).stores().forEach(store -> codes.add(store.code()));
    return codes;
  }
}
