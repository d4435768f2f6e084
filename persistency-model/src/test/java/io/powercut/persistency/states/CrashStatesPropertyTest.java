package io.powercut.persistency.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.PendingStore;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.SyncKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** What is chosen of any program equals what {@link PersistMachine} finds. */
class CrashStatesPropertyTest {
  private static final int LINE = 64;
  private static final int FILE_BYTES = 3 * LINE;

  /** More units would give the machine too many worlds. */
  private static final int MOST_UNITS = 9;

  @Provide
  Arbitrary<SmallProgram> programs() {
    Arbitrary<Step> step =
        Arbitraries.frequencyOf(
            Tuple.of(20, stores()),
            Tuple.of(8, flushes()),
            Tuple.of(6, fences()),
            Tuple.of(1, synchronisations()),
            Tuple.of(1, beginsOfSynchronisations()),
            Tuple.of(1, endsOfSynchronisations()),
            Tuple.of(1, changes()));
    return Combinators.combine(
            Arbitraries.frequency(
                Tuple.of(4, PersistencyDomain.ADR), Tuple.of(1, PersistencyDomain.EADR)),
            Arbitraries.integers().between(0, 1),
            step.list().ofMinSize(1).ofMaxSize(14))
        .as((domain, initial, steps) -> new SmallProgram(domain, filled(initial), few(steps)));
  }

  private static ByteBuffer filled(int value) {
    ByteBuffer bytes = ByteBuffer.allocate(FILE_BYTES);
    for (int index = 0; index < FILE_BYTES; index++) {
      bytes.put(index, (byte) value);
    }
    return bytes;
  }

  private static List<Step> few(List<Step> steps) {
    List<Step> few = new ArrayList<>();
    Set<Integer> synchronising = new HashSet<>();
    int units = 0;
    for (Step step : steps) {
      if (!isInItsPlace(step, synchronising)) {
        continue;
      }
      int more =
          step instanceof Step.Store store
              ? (store.offset() + store.bytes().capacity() - 1) / 8 - store.offset() / 8 + 1
              : 0;
      if (units + more <= MOST_UNITS) {
        units += more;
        few.add(step);
      }
    }
    return few;
  }

  /** A thread's call ends once, and does nothing else until then. */
  private static boolean isInItsPlace(Step step, Set<Integer> synchronising) {
    if (step instanceof Step.SyncEnds ends) {
      return synchronising.remove(ends.thread());
    }
    if (step instanceof Step.SyncBegins begins) {
      return synchronising.add(begins.sync().thread());
    }
    return !synchronising.contains(threadOf(step));
  }

  private static int threadOf(Step step) {
    if (step instanceof Step.Store store) {
      return store.thread();
    } else if (step instanceof Step.Flush flush) {
      return flush.thread();
    } else if (step instanceof Step.Fence fence) {
      return fence.thread();
    }
    return step instanceof Step.Sync sync ? sync.thread() : 0;
  }

  private static Arbitrary<Integer> threads() {
    return Arbitraries.integers().between(1, 2);
  }

  private static Arbitrary<Integer> offsets() {
    return Combinators.combine(
            Arbitraries.of(0, 0, 0, LINE, LINE, 2 * LINE),
            Arbitraries.of(0, 0, 0, 8, 8, 16, 4, 12, 9, 56, 60))
        .as(Integer::sum);
  }

  private static Arbitrary<Step> stores() {
    Arbitrary<Integer> sizes = Arbitraries.of(8, 8, 8, 8, 8, 4, 1, 12, 16, 24);
    Arbitrary<Byte> values = Arbitraries.bytes().between((byte) 0, (byte) 3);
    return Combinators.combine(
            threads(),
            offsets(),
            sizes,
            values,
            Arbitraries.frequency(
                Tuple.of(6, Step.Way.CACHED),
                Tuple.of(2, Step.Way.NON_TEMPORAL),
                Tuple.of(1, Step.Way.SYNCHRONOUS),
                Tuple.of(2, Step.Way.STRING)),
            Arbitraries.frequency(Tuple.of(6, 1), Tuple.of(1, 2)))
        .as(
            (thread, offset, size, value, way, records) ->
                new Step.Store(
                    thread,
                    offset,
                    bytes(size, value),
                    way,
                    way == Step.Way.STRING ? elements(size) : records));
  }

  private static int elements(int size) {
    return size % 8 == 0 ? size / 8 : size / (size % 4 == 0 ? 4 : 1);
  }

  private static ByteBuffer bytes(int size, byte value) {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    for (int index = 0; index < size; index++) {
      bytes.put(index, value);
    }
    return bytes;
  }

  private static Arbitrary<Step> flushes() {
    return Combinators.combine(threads(), Arbitraries.of(FlushKind.class), offsets())
        .as(Step.Flush::new);
  }

  private static Arbitrary<Step> fences() {
    return Combinators.combine(threads(), Arbitraries.of(FenceKind.class)).as(Step.Fence::new);
  }

  /** Of every kind, also of the directory, which persists no content. */
  private static Arbitrary<Step.Sync> syncs() {
    return Combinators.combine(
            threads(), Arbitraries.of(SyncKind.class), offsets(), Arbitraries.of(0, 1, 8, 100))
        .as(
            (thread, kind, offset, length) ->
                // The kernel refuses msync of anything but whole pages.
                new Step.Sync(thread, kind, kind == SyncKind.MSYNC ? 0 : offset, length));
  }

  private static Arbitrary<Step> synchronisations() {
    return syncs().map(sync -> sync);
  }

  private static Arbitrary<Step> beginsOfSynchronisations() {
    return syncs().map(Step.SyncBegins::new);
  }

  private static Arbitrary<Step> endsOfSynchronisations() {
    return Combinators.combine(
            threads(), Arbitraries.frequency(Tuple.of(2, true), Tuple.of(1, false)))
        .as(Step.SyncEnds::new);
  }

  private static Arbitrary<Step> changes() {
    Arbitrary<Step> zeros =
        Combinators.combine(offsets(), Arbitraries.of(1, 3, 8, 16, 100)).as(Step.Zero::new);
    Arbitrary<Step> sizes = Arbitraries.of(FILE_BYTES, 130, 64, 12, 10).map(Step.Resize::new);
    return Arbitraries.oneOf(zeros, sizes);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void allStatesShouldBeThoseOfTheMachine(@ForAll("programs") SmallProgram program) {
    ModelRun run = ModelRun.of(program);
    Set<ByteBuffer> others = PersistMachine.run(program).memories();
    others.remove(run.programOrder());

    List<ByteBuffer> memories = memories(run, new CrashStatePolicy.Exhaustive(3));

    assertThat(memories).doesNotHaveDuplicates();
    assertThat(new HashSet<>(memories)).isEqualTo(others);
    assertThat(run.states().count()).isEqualTo(memories.size() + 1);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void guaranteedShouldBeWhatTheMachineHoldsWhenItDrainsOnlyWhatItMust(
      @ForAll("programs") SmallProgram program) {
    ModelRun run = ModelRun.of(program);
    PersistMachine machine = PersistMachine.run(program);

    assertThat(run.programOrder()).isEqualTo(machine.mostDiligent());
    assertThat(memories(run, new CrashStatePolicy.Guaranteed()))
        .isEqualTo(
            machine.laziest().equals(run.programOrder()) ? List.of() : List.of(machine.laziest()));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void oneLineLostShouldLoseOneLineAfterAnother(@ForAll("programs") SmallProgram program) {
    ModelRun run = ModelRun.of(program);
    PersistMachine machine = PersistMachine.run(program);
    Set<ByteBuffer> expected = new HashSet<>();
    for (int line : linesThatDiffer(machine.laziest(), run.programOrder())) {
      expected.add(withLine(run.programOrder(), line, machine.laziest()));
    }

    List<ByteBuffer> all = memories(run, new CrashStatePolicy.OneLineLost(100));

    assertThat(all).doesNotHaveDuplicates().containsAll(expected);
    assertThat(machine.memories()).containsAll(all);
    assertThat(all)
        .allSatisfy(memory -> assertThat(linesThatDiffer(memory, run.programOrder())).hasSize(1));
    assertThat(memories(run, new CrashStatePolicy.OneLineLost(1)))
        .hasSameSizeAs(run.states().lines().stream().filter(line -> isOneOfFew(line)).toList());
  }

  /** With at most one prefix being few, that one is taken, or else the guaranteed content. */
  private static boolean isOneOfFew(PendingLine line) {
    return line.prefixes().size() == 1 || line.guaranteed().isPresent();
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void oneLineEarlyShouldKeepOneLineAfterAnother(@ForAll("programs") SmallProgram program) {
    ModelRun run = ModelRun.of(program);
    ByteBuffer laziest = PersistMachine.run(program).laziest();
    List<Integer> lines = linesThatDiffer(laziest, run.programOrder());
    List<ByteBuffer> expected = new ArrayList<>();
    for (int line : lines.size() < 2 ? List.<Integer>of() : lines) {
      expected.add(withLine(laziest, line, run.programOrder()));
    }

    assertThat(memories(run, new CrashStatePolicy.OneLineEarly())).isEqualTo(expected);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void sampledShouldBeDifferentStatesOfTheMachineAndTheSameAgain(
      @ForAll("programs") SmallProgram program, @ForAll long seed) {
    ModelRun run = ModelRun.of(program);
    Set<ByteBuffer> others = PersistMachine.run(program).memories();
    others.remove(run.programOrder());

    List<ByteBuffer> sample = memories(run, new CrashStatePolicy.Sampled(5, seed));

    assertThat(sample).doesNotHaveDuplicates().hasSize(Math.min(5, others.size()));
    assertThat(others).containsAll(sample);
    assertThat(memories(run, new CrashStatePolicy.Sampled(5, seed))).isEqualTo(sample);
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void runWithoutTheMissingStoresShouldEndInTheState(@ForAll("programs") SmallProgram program) {
    ModelRun run = ModelRun.of(program);
    new CrashStatePolicy.Exhaustive(3)
        .select(run.states())
        .states()
        .forEach(
            state -> assertThat(ModelRun.without(program, state)).isEqualTo(run.memory(state)));
  }

  @Property(edgeCases = EdgeCasesMode.NONE)
  void linesThatAreKeptInFewBytesShouldHaveTheSameStates(@ForAll("programs") SmallProgram program) {
    ModelRun run = ModelRun.of(program, 1);
    ModelRun usual = ModelRun.of(program);

    assertThat(new HashSet<>(memories(run, new CrashStatePolicy.Exhaustive(3))))
        .isEqualTo(new HashSet<>(memories(usual, new CrashStatePolicy.Exhaustive(3))));
    assertThat(described(run)).isEqualTo(described(usual));
    assertThat(run.sites()).isEqualTo(usual.sites());
  }

  private static List<String> described(ModelRun run) {
    return run.states().lines().stream()
        .map(
            line ->
                line.location()
                    + line.stores().stream()
                        .map(store -> described(line, store))
                        .toList()
                        .toString()
                    + line.guaranteed())
        .toList();
  }

  private static String described(PendingLine line, PendingStore store) {
    return store.ordinal()
        + " by "
        + store.thread()
        + " at "
        + store.code()
        + " of "
        + Long.toHexString(store.bytes())
        + " "
        + HexFormat.of().formatHex(store.value())
        + " "
        + store.flags()
        + " "
        + line.isFlushed(store)
        + " "
        + line.losing(store);
  }

  private static List<ByteBuffer> memories(ModelRun run, CrashStatePolicy policy) {
    Selection selection = policy.select(run.states());
    List<CrashState> states = selection.states().toList();
    assertThat(selection.count()).isEqualTo(states.size());
    assertThat(selection.refusal()).isEmpty();
    assertThat(new HashSet<>(states)).hasSize(states.size());
    return states.stream().map(run::memory).toList();
  }

  private static List<Integer> linesThatDiffer(ByteBuffer one, ByteBuffer other) {
    List<Integer> lines = new ArrayList<>();
    for (int start = 0; start < FILE_BYTES; start += LINE) {
      if (!one.slice(start, LINE).equals(other.slice(start, LINE))) {
        lines.add(start);
      }
    }
    return lines;
  }

  private static ByteBuffer withLine(ByteBuffer memory, int start, ByteBuffer other) {
    ByteBuffer changed = ByteBuffer.allocate(FILE_BYTES).put(0, memory, 0, FILE_BYTES);
    return changed.put(start, other, start, LINE);
  }
}
