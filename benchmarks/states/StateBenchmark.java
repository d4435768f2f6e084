import io.powercut.image.CrashImage;
import io.powercut.image.PmArea;
import io.powercut.image.PmState;
import io.powercut.image.pages.ImageHash;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.PersistentFiles;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.CrashStatePolicy;
import io.powercut.persistency.states.CrashStates;
import io.powercut.persistency.states.InFlightLine;
import io.powercut.persistency.states.Selection;
import io.powercut.trace.Location;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointDetector;
import io.powercut.trace.replay.FailurePointListener;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.Granularity;
import io.powercut.tree.Instruction;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Measures crash states beyond program order; {@code run} starts it. */
final class StateBenchmark {
  private static final long CACHE = 128L << 20;
  private static final int POOL = 64 << 20;
  private static final int MOST_STATES = 1000;
  private static final double SECONDS = 0.1;

  private final PmArea area;
  private int warm;

  private StateBenchmark(PmArea area) {
    this.area = area;
  }

  public static void main(String[] arguments) throws Exception {
    try (PmArea area = PmArea.create(PmArea.defaultParent())) {
      StateBenchmark benchmark = new StateBenchmark(area);
      if (arguments.length == 2) {
        benchmark.traces(Path.of(arguments[0]), Path.of(arguments[1]));
      } else {
        benchmark.growth();
      }
    }
  }

  /** Processor time of this thread in nanoseconds: nothing here waits, and other work does not count. */
  private static long now() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static Map<String, CrashStatePolicy> policies() {
    Map<String, CrashStatePolicy> policies = new LinkedHashMap<>();
    policies.put("persisted-only", new CrashStatePolicy.Guaranteed());
    policies.put("one-line-lost", new CrashStatePolicy.OneLineLost(8));
    policies.put("early-eviction", new CrashStatePolicy.OneLineEarly());
    policies.put("sampled: 16", new CrashStatePolicy.Sampled(16, 1));
    policies.put("sampled: 1000", new CrashStatePolicy.Sampled(1000, 1));
    policies.put("exhaustive: 4", new CrashStatePolicy.Exhaustive(4));
    return policies;
  }

  // ------------------------------------------------------------------------- made-up lines

  private void growth() throws IOException {
    Path base = area.newDirectory().path();
    try (FileChannel channel =
        FileChannel.open(
            base.resolve("pool"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1), POOL - 1);
    }
    System.out.println("Three stores of 8 bytes to each pending line, a line in each page.");
    System.out.println("| pending lines | snapshot | policy | states | states/s | images/s |");
    // The first ones only warm up.
    for (int lines : new int[] {4, 64, 64, 1, 4, 16, 64, 256, 1024, 4096}) {
      try (PmState state = PmState.open(base, area.newDirectory(), CACHE)) {
        growth(state, lines, warm++ > 2);
      }
    }
  }

  private void growth(PmState state, int lines, boolean printed) throws IOException {
    CacheLineTracker pending = new CacheLineTracker(PersistencyDomain.ADR, state);
    state.define(1, PersistentFiles.Origin.EXISTING, "pool", POOL);
    pending.event(
        new TraceEvent.FileDefined(0, 1, 1, TraceEvent.FileState.EXISTING, POOL, "pool"));
    ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    for (int store = 0; store < 3 * lines; store++) {
      long offset = (store % lines) * 4096L + store / lines * 8L;
      word.putLong(0, store + 1);
      pending.store(new StoreRecord(store + 1, 1, 0, 1, 1, Location.of(1, offset), 8, word, 0));
      state.store(1, offset, 8, word, 0);
    }
    long start = now();
    int snapshots = 0;
    while (now() - start < SECONDS * 1e9 / 3) {
      CrashStates.of(pending);
      snapshots++;
    }
    double snapshot = (now() - start) / 1e3 / snapshots;
    try (CrashImage image = state.image()) {
      for (Map.Entry<String, CrashStatePolicy> policy : policies().entrySet()) {
        Selection selection = policy.getValue().select(CrashStates.of(pending));
        double states = perSecond(() -> make(policy.getValue(), pending, null));
        double images = perSecond(() -> make(policy.getValue(), pending, image));
        if (printed) {
          System.out.printf(
              "| %,d | %.1f us | %s | %,d | %,.0f | %,.0f |%n",
              lines, snapshot, policy.getKey(), selection.count(), states, images);
        }
      }
    }
  }

  private interface Work {
    int run() throws IOException;
  }

  private static double perSecond(Work work) throws IOException {
    long start = now();
    long done = 0;
    long rounds = 0;
    while (now() - start < SECONDS * 1e9) {
      done += work.run();
      rounds++;
    }
    return rounds == 0 ? 0 : done / ((now() - start) / 1e9);
  }

  /** Selects from a fresh snapshot, and makes states, or images with their hashes. */
  private static int make(CrashStatePolicy policy, CacheLineTracker pending, CrashImage image)
      throws IOException {
    int made = 0;
    for (CrashState state :
        (Iterable<CrashState>)
            policy.select(CrashStates.of(pending)).states().limit(image == null ? MOST_STATES : 16)::iterator) {
      made++;
      if (image != null) {
        image.with(state).close();
      }
    }
    return made;
  }

  // ------------------------------------------------------------------------- real traces

  private void traces(Path base, Path trace) throws IOException {
    for (int round = 0; round < 3; round++) {
      double without = replay(base, trace, false);
      double with = replay(base, trace, true);
      System.out.printf(
          "replay alone %.2f s; with pending stores %.2f s (%.2f s more)%n",
          without, with, with - without);
    }
    for (Map.Entry<String, CrashStatePolicy> policy : policies().entrySet()) {
      if (!policy.getKey().equals("sampled: 1000")) {
        explore(base, trace, policy.getKey(), policy.getValue());
      }
    }
  }

  private double replay(Path base, Path trace, boolean withPending) throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), CACHE)) {
      List<TraceConsumer> consumers = new ArrayList<>();
      if (withPending) {
        consumers.add(new CacheLineTracker(PersistencyDomain.ADR, state));
      }
      consumers.add(new ProgramOrder(state));
      long start = now();
      TraceReader.of(trace).read(consumers.toArray(TraceConsumer[]::new));
      return (now() - start) / 1e9;
    }
  }

  private void explore(Path base, Path trace, String name, CrashStatePolicy policy)
      throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), CACHE)) {
      CacheLineTracker pending = new CacheLineTracker(PersistencyDomain.ADR, state);
      Exploration exploration = new Exploration(state, pending, policy);
      TraceTables tables = new TraceTables();
      FailurePointDetector detector =
          FailurePointDetector.into(
                  new FailurePointTree(
                      "benchmark", Granularity.PERSISTENCY, ExcludedFunctions.NONE),
                  tables)
              .telling(exploration);
      TraceReader.of(trace).read(tables, detector, pending, new ProgramOrder(state));
      exploration.print(name);
    }
  }

  /** Makes the images of all states that a policy chooses at the first visit of each failure point. */
  private static final class Exploration implements FailurePointListener {
    private final PmState state;
    private final CacheLineTracker pending;
    private final CrashStatePolicy policy;
    private final Set<ImageHash> programOrder = new HashSet<>();
    private final Set<ImageHash> others = new HashSet<>();
    private final List<Integer> lines = new ArrayList<>();
    private long states;
    private int refused;
    private int incomplete;
    private long spent;

    Exploration(PmState state, CacheLineTracker pending, CrashStatePolicy policy) {
      this.state = state;
      this.pending = pending;
      this.policy = policy;
    }

    @Override
    public void reached(long ordinal, CallStack stack, Instruction instruction, boolean isNew)
        throws IOException {
      if (!isNew) {
        return;
      }
      programOrder.add(state.hash());
      try (CrashImage image = state.image()) {
        long start = now();
        CrashStates snapshot = CrashStates.of(pending);
        lines.add((int) snapshot.lines().stream().filter(StateBenchmark::isOpen).count());
        incomplete += snapshot.isComplete() ? 0 : 1;
        Selection selection = policy.select(snapshot);
        refused += selection.refusal().isPresent() ? 1 : 0;
        for (CrashState other :
            (Iterable<CrashState>) selection.states().limit(MOST_STATES)::iterator) {
          try (CrashImage with = image.with(other)) {
            others.add(with.hash());
          }
          states++;
        }
        spent += now() - start;
      }
    }

    void print(String name) {
      others.removeAll(programOrder);
      int[] sorted = lines.stream().mapToInt(Integer::intValue).sorted().toArray();
      System.out.printf(
          "%s: %d failure points, %d distinct program-order images; lines pending: median %d, 90 %% %d,"
              + " most %d; incomplete %d; refused %d; %d states, %d distinct new images (%.0f %% equal);"
              + " %.2f s, %.0f states/s%n",
          name,
          lines.size(),
          programOrder.size(),
          sorted[sorted.length / 2],
          sorted[sorted.length * 9 / 10],
          Arrays.stream(sorted).max().orElse(0),
          incomplete,
          refused,
          states,
          others.size(),
          states == 0 ? 0.0 : 100.0 * (states - others.size()) / states,
          spent / 1e9,
          states / (spent / 1e9));
    }
  }

  private static boolean isOpen(InFlightLine line) {
    return line.contents() > 1;
  }
}
