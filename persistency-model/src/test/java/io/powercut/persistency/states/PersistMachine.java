// SPDX-License-Identifier: Apache-2.0
package io.powercut.persistency.states;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.FlushKind;
import io.powercut.trace.SyncKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The model as a machine, slow and without any cleverness: stores are put into a queue, unit by
 * unit, and units leave it for memory at any moment when nothing older holds them back. Whoever
 * waits for a guarantee goes on only in those worlds where what he waits for has left the queue.
 * All worlds are explored.
 */
final class PersistMachine {
  private static final int LINE = 64;
  private static final int UNIT = 8;

  /** Waits for a store to be persistent when it is visible, as with eADR. */
  private static final int NOBODY = 0;

  /**
   * A part of a store, in one unit.
   *
   * @param store which one
   * @param bytes by their offsets; never empty
   * @param awaitedBy threads whose next fence waits for it; negative ones: whose synchronisation
   *     does
   */
  private record Item(
      int store, boolean nonTemporal, Map<Integer, Byte> bytes, Set<Integer> awaitedBy) {
    int offset() {
      return bytes.keySet().iterator().next();
    }

    int unit() {
      return offset() / UNIT;
    }

    int line() {
      return offset() / LINE;
    }

    Item notAwaitedBy(int thread) {
      Set<Integer> others = new TreeSet<>(awaitedBy);
      others.remove(thread);
      return new Item(store, nonTemporal, bytes, others);
    }

    Item awaitedAlsoBy(int thread) {
      Set<Integer> all = new TreeSet<>(awaitedBy);
      all.add(thread);
      return new Item(store, nonTemporal, bytes, all);
    }

    Item without(int from, int to) {
      Map<Integer, Byte> left = new TreeMap<>(bytes);
      left.keySet().removeIf(offset -> offset >= from && offset < to);
      return new Item(store, nonTemporal, left, awaitedBy);
    }
  }

  private record World(ByteBuffer memory, List<Item> queue) {
    boolean canDrain(int index) {
      Item item = queue.get(index);
      for (Item older : queue.subList(0, index)) {
        boolean sameUnit = older.unit() == item.unit();
        boolean sameQueue = !older.nonTemporal && !item.nonTemporal && older.line() == item.line();
        if (sameUnit || (sameQueue && older.store() != item.store())) {
          return false;
        }
      }
      return true;
    }

    World drained(int index) {
      List<Item> rest = new ArrayList<>(queue);
      Item item = rest.remove(index);
      return new World(written(memory, item.bytes()), List.copyOf(rest));
    }
  }

  private final PersistencyDomain domain;
  private Set<World> worlds = new HashSet<>();
  private int size;
  private int stores;

  private PersistMachine(SmallProgram program) {
    this.domain = program.domain();
    this.size = program.initial().capacity();
    worlds.add(new World(program.initial(), List.of()));
  }

  /** A machine that has run a program up to the crash. */
  static PersistMachine run(SmallProgram program) {
    PersistMachine machine = new PersistMachine(program);
    for (Step step : program.steps()) {
      machine.step(step);
      machine.drainAsEachWorldLikes();
    }
    return machine;
  }

  /** What memory may hold. */
  Set<ByteBuffer> memories() {
    Set<ByteBuffer> memories = new HashSet<>();
    worlds.forEach(world -> memories.add(world.memory()));
    return memories;
  }

  /** What it holds if nothing drained that did not have to. */
  ByteBuffer laziest() {
    return worlds.stream()
        .max(Comparator.comparingInt(world -> world.queue().size()))
        .orElseThrow()
        .memory();
  }

  /** What it holds if everything drained. */
  ByteBuffer mostDiligent() {
    return worlds.stream()
        .filter(world -> world.queue().isEmpty())
        .findAny()
        .orElseThrow()
        .memory();
  }

  private void step(Step step) {
    if (step instanceof Step.Store store) {
      store(store);
    } else if (step instanceof Step.Flush flush) {
      flush(flush);
    } else if (step instanceof Step.Fence fence) {
      waitUntilNone(item -> item.awaitedBy().contains(fence.thread()));
    } else if (step instanceof Step.Sync sync) {
      begin(sync);
      end(sync.thread(), true);
    } else if (step instanceof Step.SyncBegins begins) {
      begin(begins.sync());
    } else if (step instanceof Step.SyncEnds ends) {
      end(ends.thread(), ends.succeeds());
    } else if (step instanceof Step.Zero zero) {
      zero(zero.offset(), zero.offset() + zero.length());
    } else if (step instanceof Step.Resize resize) {
      size = resize.size();
      zero(size, Integer.MAX_VALUE);
    }
  }

  private void store(Step.Store store) {
    int number = stores++;
    boolean isWaitedFor =
        store.way() == Step.Way.SYNCHRONOUS
            || (domain == PersistencyDomain.EADR && !store.nonTemporal());
    int length = store.bytes().capacity();
    int element = store.way() == Step.Way.STRING ? length / store.records() : length;
    // By element and unit: of one store, a unit persists as a whole, those of a string one by one.
    Map<List<Integer>, Map<Integer, Byte>> bytesOfUnits = new LinkedHashMap<>();
    for (int index = 0; index < length; index++) {
      int offset = store.offset() + index;
      if (offset < size) {
        bytesOfUnits
            .computeIfAbsent(List.of(index / element, offset / UNIT), unit -> new TreeMap<>())
            .put(offset, store.bytes().get(index));
      }
    }
    Set<Integer> awaited =
        isWaitedFor ? Set.of(NOBODY) : store.nonTemporal() ? Set.of(store.thread()) : Set.of();
    for (Map<Integer, Byte> bytes : bytesOfUnits.values()) {
      Item item = new Item(number, store.nonTemporal(), bytes, awaited);
      inEachWorld(
          world -> {
            List<Item> longer = new ArrayList<>(world.queue());
            longer.add(item);
            return new World(world.memory(), List.copyOf(longer));
          });
    }
    drainAsEachWorldLikes();
    waitUntilNone(item -> item.awaitedBy().contains(NOBODY));
  }

  private void flush(Step.Flush flush) {
    if (domain == PersistencyDomain.EADR) {
      return;
    }
    Predicate<Item> isCovered = item -> !item.nonTemporal() && item.line() == flush.offset() / LINE;
    if (flush.kind() == FlushKind.CLFLUSH) {
      waitUntilNone(isCovered);
      return;
    }
    inEachWorld(
        world ->
            new World(
                world.memory(),
                world.queue().stream()
                    .map(item -> isCovered.test(item) ? item.awaitedAlsoBy(flush.thread()) : item)
                    .toList()));
  }

  /** The thread's synchronisation waits for what is in the queue now. */
  private void begin(Step.Sync sync) {
    inEachWorld(
        world ->
            new World(
                world.memory(),
                world.queue().stream()
                    .map(item -> item.notAwaitedBy(-sync.thread()))
                    .map(item -> isCovered(sync, item) ? item.awaitedAlsoBy(-sync.thread()) : item)
                    .toList()));
  }

  private void end(int thread, boolean succeeds) {
    if (succeeds) {
      waitUntilNone(item -> item.awaitedBy().contains(-thread));
    }
  }

  private boolean isCovered(Step.Sync sync, Item item) {
    return switch (sync.kind()) {
      case SYNC -> true;
      case MSYNC_ASYNC, SYNC_FILE_RANGE, DIRECTORY -> false;
      case MSYNC, FSYNC, FDATASYNC -> {
        int grain = sync.kind() == SyncKind.MSYNC ? 4096 : LINE;
        boolean isToTheEnd = sync.length() == 0;
        if (isToTheEnd && sync.offset() >= size) {
          yield false;
        }
        int end = isToTheEnd ? Integer.MAX_VALUE - grain : sync.offset() + sync.length();
        int from = sync.offset() / grain * grain;
        int to = (end + grain - 1) / grain * grain;
        yield item.offset() >= from && item.offset() < to;
      }
    };
  }

  private void zero(int from, int to) {
    Map<Integer, Byte> zeros = new TreeMap<>();
    inEachWorld(
        world -> {
          for (int offset = from; offset < Math.min(to, world.memory().capacity()); offset++) {
            zeros.put(offset, (byte) 0);
          }
          return new World(
              written(world.memory(), zeros),
              world.queue().stream()
                  .map(item -> item.without(from, to))
                  .filter(item -> !item.bytes().isEmpty())
                  .toList());
        });
  }

  private void inEachWorld(UnaryOperator<World> change) {
    Set<World> changed = new HashSet<>();
    worlds.forEach(world -> changed.add(change.apply(world)));
    worlds = changed;
  }

  private void waitUntilNone(Predicate<Item> isAwaited) {
    worlds.removeIf(world -> world.queue().stream().anyMatch(isAwaited));
  }

  private void drainAsEachWorldLikes() {
    List<World> todo = new ArrayList<>(worlds);
    while (!todo.isEmpty()) {
      World world = todo.remove(todo.size() - 1);
      for (int index = 0; index < world.queue().size(); index++) {
        if (world.canDrain(index) && worlds.add(world.drained(index))) {
          todo.add(world.drained(index));
        }
      }
    }
  }

  private static ByteBuffer written(ByteBuffer memory, Map<Integer, Byte> bytes) {
    ByteBuffer changed =
        ByteBuffer.allocate(memory.capacity()).put(0, memory, 0, memory.capacity());
    bytes.forEach(changed::put);
    return changed;
  }
}
