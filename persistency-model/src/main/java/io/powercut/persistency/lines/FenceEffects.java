// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.lines;

import it.unimi.dsi.fastutil.longs.LongIterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What a fence does to the lines that wait for it. */
final class FenceEffects {
  private final TrackedLines lines;

  FenceEffects(TrackedLines lines) {
    this.lines = lines;
  }

  /** The lines that wait for the next fence of a thread. */
  FencedLines awaiting(int thread) {
    return new Awaiting(thread, lines.thread(thread));
  }

  /** A thread did a fence. */
  void fence(int thread) {
    ThreadProgress progress = lines.thread(thread);
    for (LineHistory line : progress.take()) {
      lines.fence(line, thread);
    }
    LongIterator pages = progress.takePages().iterator();
    while (pages.hasNext()) {
      fence(thread, pages.nextLong());
    }
  }

  /** The same for the cold lines of a page. */
  private void fence(int thread, long page) {
    for (LineRun run = lines.coldRuns(page); run != null; run = run.next()) {
      LineShape.Awaited awaited = awaited(run, thread);
      if (awaited == null) {
        continue;
      }
      if (awaited.everything()) {
        lines.drop(page, run);
        continue;
      }
      for (int index = 0; index < run.count(); index++) {
        LineHistory line = lines.warm(page, run, index);
        lines.thread(thread).remove(line);
        lines.fence(line, thread);
      }
      lines.cool();
    }
  }

  private static LineShape.@Nullable Awaited awaited(LineRun run, int thread) {
    for (LineShape.Awaited one : run.shape().awaited()) {
      if (one.thread() == thread) {
        return one;
      }
    }
    return null;
  }

  private final class Awaiting implements FencedLines {
    private final int thread;
    private final ThreadProgress progress;

    Awaiting(int thread, ThreadProgress progress) {
      this.thread = thread;
      this.progress = progress;
    }

    @Override
    public boolean isEmpty() {
      return progress.lines().stream().noneMatch(line -> line.isAwaited(thread))
          && progress.pages().longStream().noneMatch(this::hasAwaited);
    }

    private boolean hasAwaited(long page) {
      for (LineRun run = lines.coldRuns(page); run != null; run = run.next()) {
        if (awaited(run, thread) != null) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void forEach(Consumer<LineHistory> receiver) {
      for (LineHistory line : progress.lines()) {
        receiver.accept(line);
      }
      LongIterator pages = progress.pages().iterator();
      while (pages.hasNext()) {
        long page = pages.nextLong();
        for (LineRun run = lines.coldRuns(page); run != null; run = run.next()) {
          if (awaited(run, thread) != null) {
            int step = run.shape().isInline() ? 1 : Math.max(1, run.count() - 1);
            for (int index = 0; index < run.count(); index += step) {
              receiver.accept(lines.decoded(page, run, index));
            }
          }
        }
      }
    }
  }
}
