// SPDX-License-Identifier: Apache-2.0
package io.powercut.analysis;

import static io.powercut.testing.Numbers.often;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.testing.Numbers;
import io.powercut.testing.Samples;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.SyncKind;
import io.powercut.trace.TraceEvent.MarkKind;
import io.powercut.tree.ExcludedFunctions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is found in any trace equals what {@link SlowPatterns} finds. */
class TracePatternsPropertyTest {
  private static final int FILE_SIZE = 300;

  private enum What {
    STORE,
    NON_TEMPORAL,
    SPLIT,
    CLWB,
    CLFLUSH,
    VOLATILE,
    SFENCE,
    MFENCE,
    LOCKED,
    MSYNC,
    PROMISE,
    SYNC,
    RESIZE,
    PUNCH,
    DELETE,
    MARK
  }

  /** One thing that a program does; the numbers mean what it takes them for. */
  private record Action(What what, int file, int thread, int place, int offset, int size) {}

  /** What a program does, on a machine of that kind. */
  private record Program(List<Action> actions, PersistencyDomain domain) {}

  private static Program program(Numbers numbers) {
    return new Program(
        numbers.listOf(0, 80, () -> action(numbers)), numbers.oneOf(PersistencyDomain.values()));
  }

  private static Action action(Numbers numbers) {
    What what =
        numbers.oneOf(
            often(20, What.STORE),
            often(6, What.NON_TEMPORAL),
            often(2, What.SPLIT),
            often(16, What.CLWB),
            often(3, What.CLFLUSH),
            often(1, What.VOLATILE),
            often(10, What.SFENCE),
            often(2, What.MFENCE),
            often(2, What.LOCKED),
            often(1, What.MSYNC),
            often(1, What.PROMISE),
            often(1, What.SYNC),
            often(1, What.RESIZE),
            often(1, What.PUNCH),
            often(1, What.DELETE),
            often(1, What.MARK));
    return new Action(
        what,
        numbers.between(1, 3),
        numbers.between(1, 2),
        numbers.between(0, 3),
        numbers.between(0, FILE_SIZE - 1),
        numbers.between(1, 100));
  }

  @Test
  void shouldFindWhatTheSlowWayFinds() {
    Samples.check(TracePatternsPropertyTest::program, TracePatternsPropertyTest::check);
  }

  private static void check(Program program) {
    TestTrace trace = new TestTrace();
    CacheLineTracker tracker = CacheLineTracker.withoutContents(program.domain());
    TracePatterns patterns =
        TracePatterns.observing(tracker, trace.tables, ExcludedFunctions.NONE, true);
    SlowPatterns slow = new SlowPatterns(trace.tables, program.domain());
    trace.telling(patterns, tracker, slow).file(1, FILE_SIZE).file(2, FILE_SIZE).file(3, FILE_SIZE);

    program.actions().forEach(action -> run(action, trace));

    assertThat(describe(patterns.result())).isEqualTo(slow.result());
  }

  private static void run(Action action, TestTrace trace) {
    String store = List.of("a", "b", "c", "excludedStore").get(action.place());
    String flush = List.of("f", "g", "f", "excludedFlush").get(action.place());
    String fence = List.of("s", "t", "s", "excludedFence").get(action.place());
    trace.in(action.file()).by(action.thread());
    int offset = action.offset();
    int size = action.size();
    // Most of a program happens in few lines.
    int near = offset % 160;
    switch (action.what()) {
      case STORE -> trace.store(store, near, size % 24 + 1);
      case NON_TEMPORAL -> trace.nonTemporal(store + "nt", near, size % 24 + 1);
      case SPLIT ->
          trace
              .store(store + "write", StoreFlags.FILE_WRITE | StoreFlags.MORE, near, size)
              .store(store + "write", StoreFlags.FILE_WRITE, near + size, 40);
      case CLWB ->
          trace.flush(
              offset % 2 == 0 ? FlushKind.CLWB : FlushKind.CLFLUSHOPT,
              flush + offset % 2,
              Location.of(action.file(), near / 64 * 64L));
      case CLFLUSH ->
          trace.flush(FlushKind.CLFLUSH, flush + 2, Location.of(action.file(), near / 64 * 64L));
      case VOLATILE -> trace.flush(FlushKind.CLWB, flush + 0, TestTrace.VOLATILE);
      case SFENCE -> trace.fence(FenceKind.SFENCE, fence);
      case MFENCE -> trace.fence(FenceKind.MFENCE, fence + "m");
      case LOCKED -> trace.fence(FenceKind.LOCKED, fence + "l");
      case MSYNC -> {
        int error = offset % 8 == 0 ? 22 : 0;
        trace.syncEnds(trace.syncBegins(SyncKind.MSYNC, 0, size), error);
      }
      case PROMISE ->
          trace.sync(offset % 2 == 0 ? SyncKind.MSYNC_ASYNC : SyncKind.SYNC_FILE_RANGE, 128, size);
      case SYNC ->
          trace.sync(
              offset % 2 == 0 ? SyncKind.SYNC : SyncKind.FDATASYNC,
              near,
              offset % 4 == 1 ? 0 : size);
      case RESIZE -> trace.resize(offset);
      case PUNCH -> trace.punch(offset, size);
      case DELETE -> deleteThird(trace);
      case MARK -> trace.mark(offset % 4 == 0 ? MarkKind.END : MarkKind.BEGIN);
    }
  }

  private static void deleteThird(TestTrace trace) {
    trace.in(3).delete(false);
  }

  private static Set<String> describe(PatternResult result) {
    return result.reports().stream()
        .map(TracePatternsPropertyTest::describe)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String describe(PatternReport report) {
    String places =
        report.involved().stream()
            .map(one -> one.role() + "=" + one.stack().innermost().function())
            .collect(Collectors.joining(" "));
    long location =
        report.file().isEmpty()
            ? report.offset()
            : Location.of(
                Integer.parseInt(report.file().substring("pool".length())), report.offset());
    return report.kind().label()
        + reason(report)
        + " "
        + places
        + " x"
        + report.count()
        + " at "
        + location;
  }

  private static String reason(PatternReport report) {
    return switch (report.kind()) {
      case NOT_PERSISTED, TRANSIENT_DATA ->
          report.seen().contains("past the cache")
              ? " (past)"
              : report.seen().contains("MS_ASYNC")
                  ? " (asked)"
                  : report.seen().contains("called and failed")
                      ? " (failed)"
                      : report.involved().size() == 2 ? " (fence)" : " (flush)";
      case REDUNDANT_FLUSH -> " " + reasonOfFlush(report);
      case REDUNDANT_FENCE ->
          (report.seen().contains("clflush") ? " (clflush) " : " ")
              + report.primary().instruction().name();
      case UNORDERED_FENCE -> report.seen().contains("one cache line") ? " (one line)" : "";
      case DIRTY_OVERWRITE, MULTI_STORE_FLUSH -> "";
    };
  }

  private static String reasonOfFlush(PatternReport report) {
    if (report.seen().contains("eADR")) {
      return "(eadr)";
    }
    if (report.seen().contains("volatile")) {
      return "(volatile)";
    }
    if (report.seen().contains("non-temporal")) {
      return "(past)";
    }
    return report.involved().size() == 2 ? "(again)" : "(unwritten)";
  }
}
