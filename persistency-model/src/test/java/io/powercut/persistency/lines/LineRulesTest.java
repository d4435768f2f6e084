// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.testing.Samples;
import io.powercut.trace.FlushKind;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tracker says of any program what {@link NaiveLines} says of it. */
class LineRulesTest {
  private static final int PROGRAMS = 3000;
  private static final int STEPS = 40;
  private static final int SIZE = 4 * 4096;

  private static final List<SyncKind> SYNCS = List.of(SyncKind.values());

  private static final List<TraceEvent.RangeKind> RANGES = List.of(TraceEvent.RangeKind.values());

  /** Lines in three pages, so that ranges matter. */
  private static final long[] LINES = {0, 64, 128, 4096, 4160, 8192};

  @ParameterizedTest
  @EnumSource
  void everyProgramShouldBeTrackedAsTheRulesSay(PersistencyDomain domain) {
    for (int seed = 0; seed < Samples.share(PROGRAMS); seed++) {
      new Pair(domain, seed).run();
    }
  }

  /** A program, told to both. */
  private static final class Pair {
    private final String name;
    private final Random random;
    private final TrackedProgram tracked;
    private final NaiveLines naive;

    Pair(PersistencyDomain domain, int seed) {
      this.name = domain + ", seed " + seed;
      this.random = new Random(seed);
      // With room for two lines the others are kept in few bytes, which must make no difference.
      int hot = random.nextBoolean() ? 2 : CacheLineTracker.MOST_HOT_LINES;
      this.tracked = new TrackedProgram(domain, SIZE, hot);
      this.naive = new NaiveLines(domain, SIZE);
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        int thread = 1 + random.nextInt(2);
        tracked.by(thread);
        step(thread);
        assertThat(comparable(tracked.told()))
            .as("%s, step %s", name, step)
            .isEqualTo(comparable(naive.told()));
        assertThat(tracked.departed()).as("%s, step %s", name, step).isEqualTo(naive.departed());
        assertThat(tracked.stores()).as("%s, step %s", name, step).isEqualTo(naive.stores());
      }
    }

    /** With eADR, stores through the cache are told of only where others are in flight. */
    private static Set<String> comparable(Collection<String> told) {
      Set<String> comparable = new TreeSet<>(told);
      comparable.removeIf(one -> one.startsWith("overwritten") || one.endsWith(" CACHE"));
      return comparable;
    }

    private long offset() {
      return LINES[random.nextInt(LINES.length)] + random.nextInt(64);
    }

    private void step(int thread) {
      switch (random.nextInt(26)) {
        case 0, 1, 2, 3, 4, 5, 6 -> store(thread, 0);
        case 7, 8, 9 -> store(thread, StoreFlags.NON_TEMPORAL);
        case 10 -> store(thread, StoreFlags.SYNCHRONOUS_WRITE);
        case 11 -> pieces(thread);
        case 12 -> elements(thread);
        case 13, 14, 15 -> flush(thread, FlushKind.CLWB);
        case 16 -> flush(thread, FlushKind.CLFLUSHOPT);
        case 17 -> flush(thread, FlushKind.CLFLUSH);
        case 18, 19, 20 -> {
          naive.fence(thread);
          tracked.fence();
        }
        case 21, 22 -> sync(thread);
        case 23, 24 -> declare();
        default -> change();
      }
    }

    private void store(int thread, int flags) {
      store(tracked.next(), thread, flags, offset(), 1 + random.nextInt(24));
    }

    private void store(long store, int thread, int flags, long offset, int size) {
      naive.store(store, thread, flags, offset, size);
      tracked.store(offset, size, flags);
    }

    private void pieces(int thread) {
      long first = tracked.next();
      long offset = offset();
      int kind = random.nextBoolean() ? StoreFlags.NON_TEMPORAL : 0;
      store(first, thread, kind | StoreFlags.MORE, offset, 16);
      store(first, thread, kind, offset + 16, 16);
    }

    private void elements(int thread) {
      long offset = offset();
      store(tracked.next(), thread, 0, offset, 4);
      for (int element = 1; element < 6; element++) {
        store(tracked.next(), thread, StoreFlags.ELEMENT, offset + 4L * element, 4);
      }
    }

    private void flush(int thread, FlushKind kind) {
      long offset = offset();
      naive.flush(thread, kind, offset);
      tracked.flush(kind, offset);
    }

    private void sync(int thread) {
      SyncKind kind = SYNCS.get(random.nextInt(SYNCS.size()));
      boolean isMapping = kind == SyncKind.MSYNC || kind == SyncKind.MSYNC_ASYNC;
      long offset = isMapping ? 4096L * random.nextInt(3) : 0;
      long length = isMapping ? 1 + random.nextInt(5000) : 0;
      long began = tracked.next();
      TraceEvent.Sync sync = tracked.begin(kind, offset, length);
      if (random.nextBoolean()) {
        store(thread, 0);
      }
      boolean succeeds = random.nextInt(4) > 0;
      if (succeeds) {
        naive.sync(kind, offset, length, began);
      } else {
        naive.syncFails(kind, offset, length);
      }
      tracked.end(sync, succeeds ? 0 : 5);
    }

    private void declare() {
      long from = offset();
      int length = 1 + random.nextInt(random.nextBoolean() ? 20 : 200);
      TraceEvent.RangeKind kind = RANGES.get(random.nextInt(RANGES.size()));
      if (kind == TraceEvent.RangeKind.IGNORED) {
        naive.ignore(from, from + length);
      } else {
        naive.heed(from, from + length);
      }
      tracked.declare(kind, from, length);
    }

    private void change() {
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> {
          long from = offset();
          int length = 1 + random.nextInt(200);
          naive.zero(from, from + length);
          tracked.event(
              new TraceEvent.FileZeroed(tracked.next(), 1, TrackedProgram.FILE, from, length));
        }
        case 3, 4 -> {
          long size = offset();
          naive.resize(size);
          tracked.event(new TraceEvent.FileResized(tracked.next(), 1, TrackedProgram.FILE, size));
        }
        default -> {
          naive.delete();
          tracked.event(
              new TraceEvent.FileDeleted(tracked.next(), 1, TrackedProgram.FILE, "pool1", false));
        }
      }
    }
  }
}
