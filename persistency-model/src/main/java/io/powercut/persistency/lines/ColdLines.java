// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import io.powercut.trace.Location;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lines with stores in flight that nothing was done to for a while, by location: {@link LineRun}s
 * by page, pages by block of 2 MiB. A copy of a moment shares all blocks that do not change behind
 * it.
 */
public final class ColdLines {
  private static final int PAGE_BITS = 12;
  private static final int BLOCK_BITS = 21;
  private static final int PAGES = 1 << (BLOCK_BITS - PAGE_BITS);
  private static final int LINE_BITS = 6;
  private static final int LINES = 1 << (PAGE_BITS - LINE_BITS);

  /** Consecutive pages. */
  private static final class Block {
    private final @Nullable LineRun[] pages;

    /** Who may change it. */
    private final int epoch;

    private int lines;

    Block(@Nullable LineRun[] pages, int epoch, int lines) {
      this.pages = pages;
      this.epoch = epoch;
      this.lines = lines;
    }
  }

  private final Long2ObjectOpenHashMap<Block> blocks = new Long2ObjectOpenHashMap<>();
  private long lines;
  private int epoch;
  private @Nullable Moment last;

  /** How many lines there are. */
  long size() {
    return lines;
  }

  /** The number of a line in its page. */
  public static int place(long location) {
    return (int) (location >>> LINE_BITS) & (LINES - 1);
  }

  /** The location of a page's first byte. */
  public static long page(long location) {
    return location >>> PAGE_BITS << PAGE_BITS;
  }

  /** The runs of the page that a location is in. */
  @Nullable LineRun runs(long location) {
    Block block = lines == 0 ? null : blocks.get(location >>> BLOCK_BITS);
    return block == null ? null : block.pages[index(location)];
  }

  private static int index(long location) {
    return (int) (location >>> PAGE_BITS) & (PAGES - 1);
  }

  /** Adds a line, which is not there. */
  void add(long location, LineRun line) {
    Block block = owned(location);
    int index = index(location);
    block.pages[index] = LineRun.with(block.pages[index], line);
    block.lines++;
    lines++;
  }

  private Block owned(long location) {
    last = null;
    long key = location >>> BLOCK_BITS;
    Block block = blocks.get(key);
    if (block == null) {
      block = new Block(new @Nullable LineRun[PAGES], epoch, 0);
      blocks.put(key, block);
    } else if (block.epoch != epoch) {
      block = new Block(block.pages.clone(), epoch, block.lines);
      blocks.put(key, block);
    }
    return block;
  }

  /** Takes a line away, which is there. */
  void remove(long location) {
    LineRun runs = runs(location);
    if (runs != null) {
      replace(location, LineRun.without(runs, place(location)), 1);
    }
  }

  /** Gives a page other runs, with so many lines less. */
  public void replace(long location, @Nullable LineRun runs, int less) {
    Block block = owned(location);
    block.pages[index(location)] = runs;
    block.lines -= less;
    lines -= less;
    if (block.lines == 0) {
      blocks.remove(location >>> BLOCK_BITS);
    }
  }

  /** The pages with lines between two locations, by their first bytes. */
  LongArrayList pages(long first, long last) {
    LongArrayList found = new LongArrayList();
    long firstKey = first >>> BLOCK_BITS;
    long lastKey = last >>> BLOCK_BITS;
    if (Long.compareUnsigned(first, last) > 0) {
      return found;
    }
    if (lastKey - firstKey < blocks.size()) {
      for (long key = firstKey; key <= lastKey; key++) {
        addPages(key, blocks.get(key), first, last, found);
      }
    } else {
      for (long key : blocks.keySet()) {
        if (key >= firstKey && key <= lastKey) {
          addPages(key, blocks.get(key), first, last, found);
        }
      }
    }
    return found;
  }

  private static void addPages(
      long key, @Nullable Block block, long first, long last, LongArrayList found) {
    for (int index = 0; block != null && index < PAGES; index++) {
      long page = (key << BLOCK_BITS) + ((long) index << PAGE_BITS);
      if (block.pages[index] != null
          && Long.compareUnsigned(page, page(first)) >= 0
          && Long.compareUnsigned(page, last) <= 0) {
        found.add(page);
      }
    }
  }

  /** All as it is now. */
  public Moment moment() {
    Moment now = last;
    if (now == null) {
      long[] keys = blocks.keySet().toLongArray();
      Arrays.sort(keys);
      Block[] sorted = new Block[keys.length];
      for (int index = 0; index < keys.length; index++) {
        sorted[index] = blocks.get(keys[index]);
      }
      now = new Moment(keys, sorted);
      last = now;
      epoch++;
    }
    return now;
  }

  /** Is told of lines by runs. */
  @FunctionalInterface
  public interface RunVisitor {
    /**
     * Some lines of a page.
     *
     * @param page the location of its first byte
     * @return whether to go on
     */
    boolean visit(long page, LineRun run);
  }

  /** The lines of one moment. Never changes. */
  public static final class Moment {
    private final long[] keys;
    private final Block[] blocks;

    private Moment(long[] keys, Block[] blocks) {
      this.keys = keys;
      this.blocks = blocks;
    }

    /** How many lines of these files there are. */
    public long size(BitSet files) {
      long size = 0;
      for (int index = 0; index < keys.length; index++) {
        size += files.get(Location.file(keys[index] << BLOCK_BITS)) ? blocks[index].lines : 0;
      }
      return size;
    }

    /** Hands out the numbers of the files that have lines, maybe several times. */
    public void files(int first, int last, IntConsumer receiver) {
      for (long key : keys) {
        int file = Location.file(key << BLOCK_BITS);
        if (file >= first && file <= last) {
          receiver.accept(file);
        }
      }
    }

    /** The runs of the page that a location is in. */
    public @Nullable LineRun runs(long location) {
      int block = Arrays.binarySearch(keys, location >>> BLOCK_BITS);
      return block < 0 ? null : blocks[block].pages[index(location)];
    }

    /** Visits the runs of the pages from one location to another, by page. */
    public void visit(long first, long last, RunVisitor visitor) {
      int at = Arrays.binarySearch(keys, first >>> BLOCK_BITS);
      for (int block = at < 0 ? -at - 1 : at; block < keys.length; block++) {
        if (keys[block] > last >>> BLOCK_BITS
            || !visit(keys[block] << BLOCK_BITS, blocks[block], first, last, visitor)) {
          return;
        }
      }
    }

    private static boolean visit(
        long start, Block block, long first, long last, RunVisitor visitor) {
      for (int index = Long.compareUnsigned(first, start) <= 0 ? 0 : index(first);
          index < PAGES;
          index++) {
        long page = start + ((long) index << PAGE_BITS);
        if (Long.compareUnsigned(page, last) > 0) {
          return false;
        }
        for (LineRun run = block.pages[index]; run != null; run = run.next()) {
          if (!visitor.visit(page, run)) {
            return false;
          }
        }
      }
      return true;
    }
  }
}
