// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import static io.powercut.testing.Numbers.often;
import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.persistency.PersistencyDomain;
import io.powercut.races.found.Race;
import io.powercut.races.found.RaceEvidence;
import io.powercut.races.found.RaceResult;
import io.powercut.testing.Numbers;
import io.powercut.testing.Samples;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.LockKind;
import io.powercut.tree.ExcludedFunctions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What is found in any trace equals what {@link SlowRaces} finds. */
class RaceAnalysisPropertyTest {
  private static final int THREADS = 4;
  private static final int SIZE = 4096;

  /** Two functions, one of which has two callers, and calls a helper. */
  private static final List<String> PLACES =
      List.of("%s_a", "%s_b", "%s_a < caller", "memcpy < %s_a");

  private enum What {
    STORE,
    NON_TEMPORAL,
    LOAD,
    CLWB,
    CLFLUSH,
    FENCE,
    LOCK,
    UNLOCK,
    READ_LOCK,
    SIGNAL,
    WAIT,
    BARRIER,
    ZERO,
    ENTER,
    ALLOCATE,
    LEAVE,
    PRINT,
    START,
    JOIN
  }

  /** One thing that a thread does; the numbers mean what it takes them for. */
  private record Action(What what, int thread, int place, int offset, int size) {
    Action by(int other) {
      return new Action(what, other, place, offset, size);
    }
  }

  private record Program(
      List<Action> actions, PersistencyDomain domain, boolean dropsInitialisation) {}

  private static Program program(Numbers numbers) {
    List<Action> actions = new ArrayList<>(numbers.listOf(0, 12, () -> action(numbers).by(1)));
    actions.addAll(numbers.listOf(0, 70, () -> action(numbers)));
    return new Program(
        actions,
        numbers.oneOf(often(4, PersistencyDomain.ADR), often(1, PersistencyDomain.EADR)),
        numbers.oneOf(true, false));
  }

  private static Action action(Numbers numbers) {
    What what =
        numbers.oneOf(
            often(16, What.STORE),
            often(5, What.NON_TEMPORAL),
            often(16, What.LOAD),
            often(10, What.CLWB),
            often(2, What.CLFLUSH),
            often(9, What.FENCE),
            often(12, What.LOCK),
            often(12, What.UNLOCK),
            often(4, What.READ_LOCK),
            often(2, What.SIGNAL),
            often(2, What.WAIT),
            often(2, What.BARRIER),
            often(1, What.ZERO),
            often(3, What.ENTER),
            often(5, What.ALLOCATE),
            often(2, What.LEAVE),
            often(1, What.PRINT),
            often(1, What.START),
            often(1, What.JOIN));
    return new Action(
        what,
        numbers.between(1, THREADS),
        numbers.between(0, PLACES.size() - 1),
        numbers.between(0, 90),
        numbers.between(1, 24));
  }

  /** Twice as often as usual. */
  @RepeatedTest(2)
  void shouldFindWhatTheSlowWayFinds() {
    Samples.check(RaceAnalysisPropertyTest::program, RaceAnalysisPropertyTest::check);
  }

  /** What is found in samples is what is found without, each in one of them. */
  @Test
  void shouldFindInSamplesWhatIsFoundWithout() {
    Samples.check(RaceAnalysisPropertyTest::program, RaceAnalysisPropertyTest::checkSamples);
  }

  private static void checkSamples(Program program) {
    Map<String, RaceEvidence> all = sampled(program, RaceOptions.Sample.ALL);
    Map<String, RaceEvidence> united = new HashMap<>();
    for (int which = 0; which < 3; which++) {
      sampled(program, new RaceOptions.Sample(3, which))
          .forEach((race, evidence) -> united.merge(race, evidence, RaceEvidence::or));
    }
    assertThat(united).isEqualTo(all);
  }

  private static Map<String, RaceEvidence> sampled(Program program, RaceOptions.Sample sample) {
    ThreadedTrace trace = new ThreadedTrace();
    RaceAnalysis races =
        new RaceAnalysis(
            program.domain(),
            trace.tables,
            ExcludedFunctions.NONE,
            true,
            RaceOptions.USUAL.withSample(sample));
    Machine machine = new Machine(trace.telling(SIZE, races));
    program.actions().forEach(machine::run);
    Map<String, RaceEvidence> found = new HashMap<>();
    for (Race race : races.result().races()) {
      String places = RaceAnalysisTest.describe(race).replaceAll("^\\w+: | x\\d+$", "");
      assertThat(sample.has(Location.of(ThreadedTrace.FILE, race.example().offset()))).isTrue();
      found.put(places, race.evidence());
    }
    return found;
  }

  private static void check(Program program) {
    ThreadedTrace trace = new ThreadedTrace();
    RaceOptions options =
        program.dropsInitialisation() ? RaceOptions.USUAL : RaceOptions.USUAL.withInitialisation();
    RaceAnalysis races =
        new RaceAnalysis(program.domain(), trace.tables, ExcludedFunctions.NONE, true, options);
    SlowRaces slow = new SlowRaces(trace.tables, program.domain(), program.dropsInitialisation());
    trace.telling(SIZE, races, slow);

    Machine machine = new Machine(trace);
    program.actions().forEach(machine::run);

    RaceResult result = races.result();
    assertThat(result.isComplete()).isTrue();
    Set<String> found =
        result.races().stream()
            .map(RaceAnalysisPropertyTest::describe)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found).isEqualTo(slow.result());
  }

  private static String describe(Race race) {
    boolean isNear = race.overlapped() && race.evidence() == RaceEvidence.REGION;
    return RaceAnalysisTest.describe(race) + (isNear ? " at once" : "");
  }

  /** Does what threads could do: those that run, with locks that are free. */
  private static final class Machine {
    private final ThreadedTrace trace;
    private final Set<Integer> running = new HashSet<>(Set.of(1));
    private final Set<Integer> started = new HashSet<>(Set.of(1));
    private final Map<Integer, Map<Long, Integer>> held = new HashMap<>();
    private final Set<Long> shared = new HashSet<>();
    private final Set<Integer> atBarrier = new HashSet<>();
    private final Map<Integer, Integer> allocating = new HashMap<>();

    Machine(ThreadedTrace trace) {
      this.trace = trace;
    }

    void run(Action action) {
      int thread = action.thread();
      if (!started.contains(thread) && thread > 1 && action.what() != What.START) {
        start(1, thread);
      }
      if (!running.contains(thread)) {
        return;
      }
      trace.by(thread);
      boolean leaves = atBarrier.remove(thread);
      if (leaves) {
        trace.acquire(LockKind.BARRIER, false, 0x9000);
      }
      String place = PLACES.get(action.place());
      long offset = 30L + action.offset();
      switch (action.what()) {
        case STORE -> trace.store(place.formatted("store"), offset, action.size());
        case NON_TEMPORAL -> trace.nonTemporal(place.formatted("past"), offset, action.size());
        case LOAD -> trace.load(place.formatted("load"), offset, action.size());
        case CLWB -> trace.clwb(offset);
        case CLFLUSH -> trace.flush(FlushKind.CLFLUSH, "clflush", offset);
        case FENCE -> trace.fence(place.formatted("fence"));
        case LOCK -> lock(thread, lockOf(action), false);
        case UNLOCK -> unlock(thread, lockOf(action));
        case READ_LOCK -> lock(thread, 0x8000, true);
        case SIGNAL -> trace.release(kindOf(action), 0xa000);
        case WAIT -> trace.acquire(kindOf(action), false, 0xa000);
        case BARRIER -> {
          trace.release(LockKind.BARRIER, 0x9000);
          atBarrier.add(thread);
        }
        case ZERO -> trace.zero(64, 64);
        case ENTER -> enter(thread, action.size());
        case ALLOCATE -> allocate(thread, offset, action.size());
        case LEAVE -> leave(thread);
        case PRINT -> trace.prints();
        case START -> start(thread, 1 + action.size() % THREADS);
        case JOIN -> join(thread, 1 + action.size() % THREADS);
      }
    }

    /** Sometimes those that the thread is in were left without a word. */
    private void enter(int thread, int number) {
      int depth = number % 6 == 0 ? 0 : Math.min(2, allocating.getOrDefault(thread, 0));
      allocating.put(thread, depth + 1);
      trace.allocating(depth);
    }

    /** In a function that it has entered, or in one that does nothing else. */
    private void allocate(int thread, long offset, int size) {
      int depth = allocating.getOrDefault(thread, 0);
      if (depth == 0) {
        trace.allocates(offset, 3L * size);
        return;
      }
      trace.allocated(depth - 1, offset, 3L * size);
      if (size % 4 != 0) {
        leave(thread);
      }
    }

    private void leave(int thread) {
      int depth = allocating.getOrDefault(thread, 0);
      if (depth > 0) {
        allocating.put(thread, depth - 1);
        trace.allocationEnded(depth - 1);
      }
    }

    private static LockKind kindOf(Action action) {
      return List.of(LockKind.CONDITION_VARIABLE, LockKind.SEMAPHORE, LockKind.ONCE)
          .get(action.size() % 3);
    }

    /** Two mutexes and, least often, a reader-writer lock. */
    private static long lockOf(Action action) {
      return List.of(0x6000L, 0x7000L, 0x6000L, 0x7000L, 0x8000L).get(action.size() % 5);
    }

    private static LockKind kindOf(long lock) {
      return lock == 0x8000 ? LockKind.READER_WRITER_LOCK : LockKind.MUTEX;
    }

    private void start(int creator, int thread) {
      if (running.contains(creator) && started.add(thread)) {
        running.add(thread);
        trace.by(creator).starts(thread);
      }
    }

    private void join(int thread, int other) {
      if (thread != other && other > 1 && held(other).isEmpty() && running.remove(other)) {
        trace.by(other).exits().by(thread).joins(other);
      }
    }

    private Map<Long, Integer> held(int thread) {
      return held.computeIfAbsent(thread, fresh -> new HashMap<>());
    }

    private void lock(int thread, long lock, boolean isShared) {
      boolean isHeldByOthers =
          held.entrySet().stream()
              .anyMatch(one -> one.getKey() != thread && one.getValue().containsKey(lock));
      boolean isHeld = held(thread).containsKey(lock);
      boolean isFree = !isHeld && !isHeldByOthers;
      boolean isRecursive = isHeld && (isShared ? shared.contains(lock) : lock != 0x8000);
      if (isFree || isRecursive || (isShared && shared.contains(lock))) {
        held(thread).merge(lock, 1, Integer::sum);
        if (isShared) {
          shared.add(lock);
        }
        trace.acquire(kindOf(lock), isShared, lock);
      }
    }

    private void unlock(int thread, long lock) {
      Integer depth = held(thread).get(lock);
      if (depth == null) {
        return;
      }
      if (depth == 1) {
        held(thread).remove(lock);
      } else {
        held(thread).put(lock, depth - 1);
      }
      trace.release(kindOf(lock), lock);
      if (held.values().stream().noneMatch(locks -> locks.containsKey(lock))) {
        shared.remove(lock);
      }
    }
  }
}
