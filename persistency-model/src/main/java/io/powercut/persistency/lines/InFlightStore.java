// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.persistency.ranges.LineWords;
import io.powercut.persistency.scratch.ByteSink;
import io.powercut.persistency.scratch.ByteSource;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What one store put into one cache line and a power cut may lose, or a part of that. A store that
 * crosses lines is one of these in each. Never changes.
 */
public final class InFlightStore {
  private static final long[] ZERO = new long[LineWords.UNITS];

  private final long ordinal;
  private final int group;
  private final int thread;
  private final int flags;
  private final int site;
  private final int stack;
  private final long mask;
  private final int firstUnit;
  private final long[] words;

  private InFlightStore(InFlightStore whole, long mask, int firstUnit, long[] words) {
    this.ordinal = whole.ordinal;
    this.group = whole.group;
    this.thread = whole.thread;
    this.flags = whole.flags;
    this.site = whole.site;
    this.stack = whole.stack;
    this.mask = mask;
    this.firstUnit = firstUnit;
    this.words = words;
  }

  /**
   * A store's part in a line.
   *
   * @param ordinal of the first record of the store
   * @param group cached stores to the line with the same number are one store; later ones have
   *     higher numbers
   * @param record of the store; its bytes are copied
   * @param location of the part's first byte
   * @param size of the part in bytes
   */
  InFlightStore(long ordinal, int group, StoreRecord record, long location, int size) {
    int from = (int) location & (LineWords.LINE - 1);
    this.ordinal = ordinal;
    this.group = group;
    this.thread = record.thread();
    this.flags = record.flags();
    this.site = record.site();
    this.stack = record.stack();
    this.mask = LineWords.bytes(from, from + size);
    this.firstUnit = from / Long.BYTES;
    this.words = new long[(from + size - 1) / Long.BYTES - firstUnit + 1];
    int position = record.offset() + (int) (location - record.location());
    ByteBuffer bytes = record.bytes();
    int index = 0;
    while (index < size) {
      int place = from + index;
      int word = place / Long.BYTES - firstUnit;
      if (place % Long.BYTES == 0 && size - index >= Long.BYTES) {
        words[word] = bytes.getLong(position + index);
        index += Long.BYTES;
      } else {
        words[word] |= (bytes.get(position + index) & 0xffL) << (Byte.SIZE * (place % Long.BYTES));
        index++;
      }
    }
  }

  /** The same of which only the place is known: all values are 0. */
  static InFlightStore withoutValue(
      long ordinal, int group, StoreRecord record, long location, int size) {
    int from = (int) location & (LineWords.LINE - 1);
    return new InFlightStore(
        ordinal,
        group,
        record.thread(),
        record.flags(),
        record.site(),
        record.stack(),
        LineWords.bytes(from, from + size),
        0,
        ZERO);
  }

  private InFlightStore(
      long ordinal,
      int group,
      int thread,
      int flags,
      int site,
      int stack,
      long mask,
      int firstUnit,
      long[] words) {
    this.ordinal = ordinal;
    this.group = group;
    this.thread = thread;
    this.flags = flags;
    this.site = site;
    this.stack = stack;
    this.mask = mask;
    this.firstUnit = firstUnit;
    this.words = words;
  }

  /** A store whose bytes {@link #writeTo} wrote. */
  static InFlightStore read(
      long ordinal,
      int group,
      int thread,
      int flags,
      int site,
      int stack,
      long mask,
      ByteSource bytes) {
    int firstUnit = Long.numberOfTrailingZeros(mask) / Long.BYTES;
    int lastUnit = (Long.SIZE - 1 - Long.numberOfLeadingZeros(mask)) / Long.BYTES;
    long[] words = new long[lastUnit - firstUnit + 1];
    for (long left = mask; left != 0; left &= left - 1) {
      int place = Long.numberOfTrailingZeros(left);
      words[place / Long.BYTES - firstUnit] |=
          (long) bytes.take() << (Byte.SIZE * (place % Long.BYTES));
    }
    return new InFlightStore(ordinal, group, thread, flags, site, stack, mask, firstUnit, words);
  }

  /** Writes what was stored, and nothing else. */
  void writeTo(ByteSink sink) {
    for (long left = mask; left != 0; left &= left - 1) {
      int place = Long.numberOfTrailingZeros(left);
      sink.put(
          (int) (words[place / Long.BYTES - firstUnit] >>> (Byte.SIZE * (place % Long.BYTES))));
    }
  }

  /** The place of the store in the trace, counted from 0; the first, if it has several records. */
  public long ordinal() {
    return ordinal;
  }

  /** The number of the thread that stored. */
  public int thread() {
    return thread;
  }

  /** {@link StoreFlags}. */
  public int flags() {
    return flags;
  }

  /** The instruction. */
  public int site() {
    return site;
  }

  /** The call stack; 0 when it was not collected. */
  public int stack() {
    return stack;
  }

  /** The code that stored. */
  public StoreCode code() {
    return StoreCode.of(stack, site);
  }

  /** Which bytes of the line this is about: one bit for each, the lowest for the first. */
  public long bytes() {
    return mask;
  }

  /** The place in the line of the first byte that this is about. */
  public int firstByte() {
    return Long.numberOfTrailingZeros(mask);
  }

  /** What was stored: from the first to the last byte that this is about; zero between them. */
  public byte[] value() {
    long[] line = new long[LineWords.UNITS];
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      line[unit] = applied(0, unit);
    }
    return Arrays.copyOfRange(
        LineWords.toBytes(line), firstByte(), Long.SIZE - Long.numberOfLeadingZeros(mask));
  }

  /** Whether the store went past the cache, and so is not ordered with others to its line. */
  public boolean isNonTemporal() {
    return isNonTemporal(flags);
  }

  /** Whether it made a range of a file read as zero, which no flush makes persistent. */
  public boolean isZeroed() {
    return StoreFlags.isZeroed(flags);
  }

  /** Whether a flush of the line has something to write back for it. */
  boolean isFlushable() {
    return !isNonTemporal() && !isZeroed();
  }

  static boolean isNonTemporal(int flags) {
    return (flags & StoreFlags.NON_TEMPORAL) != 0;
  }

  public int group() {
    return group;
  }

  public boolean touches(int unit) {
    return (mask & LineWords.unit(unit)) != 0;
  }

  /** The first unit that this touches. */
  int firstTouchedUnit() {
    return firstByte() / Long.BYTES;
  }

  /** The last unit that this touches. */
  int lastTouchedUnit() {
    return (Long.SIZE - 1 - Long.numberOfLeadingZeros(mask)) / Long.BYTES;
  }

  /** A unit's content after this, when it was {@code before}. */
  public long applied(long before, int unit) {
    long bits = LineWords.bits(mask, unit);
    return bits == 0 ? before : (before & ~bits) | (words[unit - firstUnit] & bits);
  }

  /** The same store without some bytes; none may be left. */
  public InFlightStore without(long bytes) {
    return (mask & bytes) == 0 ? this : new InFlightStore(this, mask & ~bytes, firstUnit, words);
  }

  /** This with what another record of the same store put into the line. */
  InFlightStore with(InFlightStore next) {
    long[] both = new long[LineWords.UNITS];
    for (int unit = 0; unit < LineWords.UNITS; unit++) {
      both[unit] = next.applied(applied(0, unit), unit);
    }
    return new InFlightStore(this, mask | next.mask, 0, both);
  }
}
