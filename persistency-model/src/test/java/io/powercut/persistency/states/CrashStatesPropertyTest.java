// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import static io.powercut.testing.Numbers.often;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.testing.Numbers;
import io.powercut.testing.Samples;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.SyncKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is chosen of any program equals what {@link PersistMachine} finds. */
class CrashStatesPropertyTest {
  private static final int LINE = 64;
  private static final int FILE_BYTES = 3 * LINE;

  /** More units would give the machine too many worlds. */
  private static final int MOST_UNITS = 9;

  private static SmallProgram program(Numbers numbers) {
    PersistencyDomain domain =
        numbers.oneOf(often(4, PersistencyDomain.ADR), often(1, PersistencyDomain.EADR));
    ByteBuffer initial = filled(numbers.between(0, 1));
    return new SmallProgram(domain, initial, few(numbers.listOf(1, 14, () -> step(numbers))));
  }

  private enum Kind {
    STORE,
    FLUSH,
    FENCE,
    SYNC,
    BEGIN_OF_SYNC,
    END_OF_SYNC,
    CHANGE
  }

  private static Step step(Numbers numbers) {
    Kind kind =
        numbers.oneOf(
            often(20, Kind.STORE),
            often(8, Kind.FLUSH),
            often(6, Kind.FENCE),
            often(1, Kind.SYNC),
            often(1, Kind.BEGIN_OF_SYNC),
            often(1, Kind.END_OF_SYNC),
            often(1, Kind.CHANGE));
    return switch (kind) {
      case STORE -> store(numbers);
      case FLUSH ->
          new Step.Flush(thread(numbers), numbers.oneOf(FlushKind.values()), offset(numbers));
      case FENCE -> new Step.Fence(thread(numbers), numbers.oneOf(FenceKind.values()));
      case SYNC -> sync(numbers);
      case BEGIN_OF_SYNC -> new Step.SyncBegins(sync(numbers));
      case END_OF_SYNC ->
          new Step.SyncEnds(thread(numbers), numbers.oneOf(often(2, true), often(1, false)));
      case CHANGE -> change(numbers);
    };
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

  private static int thread(Numbers numbers) {
    return numbers.between(1, 2);
  }

  private static int offset(Numbers numbers) {
    int line = numbers.oneOf(0, 0, 0, LINE, LINE, 2 * LINE);
    return line + numbers.oneOf(0, 0, 0, 8, 8, 16, 4, 12, 9, 56, 60);
  }

  private static Step store(Numbers numbers) {
    int size = numbers.oneOf(8, 8, 8, 8, 8, 4, 1, 12, 16, 24);
    Step.Way way =
        numbers.oneOf(
            often(6, Step.Way.CACHED),
            often(2, Step.Way.NON_TEMPORAL),
            often(1, Step.Way.SYNCHRONOUS),
            often(2, Step.Way.STRING));
    int records = numbers.oneOf(often(6, 1), often(1, 2));
    return new Step.Store(
        thread(numbers),
        offset(numbers),
        bytes(size, (byte) numbers.between(0, 3)),
        way,
        way == Step.Way.STRING ? elements(size) : records);
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

  /** Of every kind, also of the directory, which persists no content. */
  private static Step.Sync sync(Numbers numbers) {
    SyncKind kind = numbers.oneOf(SyncKind.values());
    // The kernel refuses msync of anything but whole pages.
    int offset = kind == SyncKind.MSYNC ? 0 : offset(numbers);
    return new Step.Sync(thread(numbers), kind, offset, numbers.oneOf(0, 1, 8, 100));
  }

  private static Step change(Numbers numbers) {
    return numbers.oneOf(true, false)
        ? new Step.Zero(offset(numbers), numbers.oneOf(1, 3, 8, 16, 100))
        : new Step.Resize(numbers.oneOf(FILE_BYTES, 130, 64, 12, 10));
  }

  private static void forAllPrograms(Consumer<SmallProgram> property) {
    Samples.check(CrashStatesPropertyTest::program, property);
  }

  @Test
  void allStatesShouldBeThoseOfTheMachine() {
    forAllPrograms(
        program -> {
          ModelRun run = ModelRun.of(program);
          Set<ByteBuffer> others = PersistMachine.run(program).memories();
          others.remove(run.programOrder());

          List<ByteBuffer> memories = memories(run, new CrashStatePolicy.Exhaustive(3));

          assertThat(memories).doesNotHaveDuplicates();
          assertThat(new HashSet<>(memories)).isEqualTo(others);
          assertThat(run.states().count()).isEqualTo(memories.size() + 1);
        });
  }

  @Test
  void guaranteedShouldBeWhatTheMachineHoldsWhenItDrainsOnlyWhatItMust() {
    forAllPrograms(
        program -> {
          ModelRun run = ModelRun.of(program);
          PersistMachine machine = PersistMachine.run(program);

          assertThat(run.programOrder()).isEqualTo(machine.mostDiligent());
          assertThat(memories(run, new CrashStatePolicy.Guaranteed()))
              .isEqualTo(
                  machine.laziest().equals(run.programOrder())
                      ? List.of()
                      : List.of(machine.laziest()));
        });
  }

  @Test
  void oneLineLostShouldLoseOneLineAfterAnother() {
    forAllPrograms(
        program -> {
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
              .allSatisfy(
                  memory -> assertThat(linesThatDiffer(memory, run.programOrder())).hasSize(1));
          assertThat(memories(run, new CrashStatePolicy.OneLineLost(1)))
              .hasSameSizeAs(
                  run.states().lines().stream().filter(line -> isOneOfFew(line)).toList());
        });
  }

  /** With at most one prefix being few, that one is taken, or else the guaranteed content. */
  private static boolean isOneOfFew(InFlightLine line) {
    return line.prefixes().size() == 1 || line.guaranteed().isPresent();
  }

  @Test
  void oneLineEarlyShouldKeepOneLineAfterAnother() {
    forAllPrograms(
        program -> {
          ModelRun run = ModelRun.of(program);
          ByteBuffer laziest = PersistMachine.run(program).laziest();
          List<Integer> lines = linesThatDiffer(laziest, run.programOrder());
          List<ByteBuffer> expected = new ArrayList<>();
          for (int line : lines.size() < 2 ? List.<Integer>of() : lines) {
            expected.add(withLine(laziest, line, run.programOrder()));
          }

          assertThat(memories(run, new CrashStatePolicy.OneLineEarly())).isEqualTo(expected);
        });
  }

  @Test
  void sampledShouldBeDifferentStatesOfTheMachineAndTheSameAgain() {
    Samples.check(
        numbers -> new SampledProgram(program(numbers), numbers.any()),
        CrashStatesPropertyTest::checkSampled);
  }

  private record SampledProgram(SmallProgram program, long seed) {}

  private static void checkSampled(SampledProgram sampled) {
    SmallProgram program = sampled.program();
    long seed = sampled.seed();
    ModelRun run = ModelRun.of(program);
    Set<ByteBuffer> others = PersistMachine.run(program).memories();
    others.remove(run.programOrder());

    List<ByteBuffer> sample = memories(run, new CrashStatePolicy.Sampled(5, seed));

    assertThat(sample).doesNotHaveDuplicates().hasSize(Math.min(5, others.size()));
    assertThat(others).containsAll(sample);
    assertThat(memories(run, new CrashStatePolicy.Sampled(5, seed))).isEqualTo(sample);
  }

  @Test
  void runWithoutTheMissingStoresShouldEndInTheState() {
    forAllPrograms(
        program -> {
          ModelRun run = ModelRun.of(program);
          new CrashStatePolicy.Exhaustive(3)
              .select(run.states())
              .states()
              .forEach(
                  state ->
                      assertThat(ModelRun.without(program, state)).isEqualTo(run.memory(state)));
        });
  }

  @Test
  void contentsOfSomeBytesShouldBeThoseThatTheLineMayHave() {
    Samples.check(
        numbers -> new SampledProgram(program(numbers), numbers.any()),
        sampled ->
            ModelRun.of(sampled.program())
                .states()
                .lines()
                .forEach(line -> checkContents(line, sampled.seed())));
  }

  private static void checkContents(InFlightLine line, long bytes) {
    List<LineDifference> all = new ArrayList<>();
    Set<List<Byte>> some = new HashSet<>();
    long open = 0;
    for (long number = 0; number < line.contents(); number++) {
      LineDifference content = line.content(number).orElse(line.programOrder());
      all.add(content);
      some.add(bytes(content, bytes));
      open |= content.changed();
    }
    PartialContents contents = line.contents(bytes);
    List<LineDifference> chosen =
        LongStream.range(0, contents.count()).mapToObj(contents::get).toList();

    assertThat(all).containsAll(chosen);
    assertThat(chosen.stream().map(one -> bytes(one, bytes)))
        .containsExactlyInAnyOrderElementsOf(some);
    assertThat(line.open()).isEqualTo(line.forgotten() > 0 ? -1 : open);
    assertThat(all)
        .allSatisfy(
            one ->
                assertThat(one.isAlike(chosen.get(0).words(), bytes))
                    .isEqualTo(bytes(one, bytes).equals(bytes(chosen.get(0), bytes))));
  }

  /** A bit for each of the bytes, the lowest for the first. */
  private static List<Byte> bytes(LineDifference content, long bytes) {
    List<Byte> some = new ArrayList<>();
    for (int place = 0; place < LINE; place++) {
      if ((bytes >>> place & 1) != 0) {
        some.add(content.bytes()[place]);
      }
    }
    return some;
  }

  @Test
  void linesThatAreKeptInFewBytesShouldHaveTheSameStates() {
    forAllPrograms(
        program -> {
          ModelRun run = ModelRun.of(program, 1);
          ModelRun usual = ModelRun.of(program);

          assertThat(new HashSet<>(memories(run, new CrashStatePolicy.Exhaustive(3))))
              .isEqualTo(new HashSet<>(memories(usual, new CrashStatePolicy.Exhaustive(3))));
          assertThat(described(run)).isEqualTo(described(usual));
          assertThat(run.sites()).isEqualTo(usual.sites());
        });
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

  private static String described(InFlightLine line, InFlightStore store) {
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
