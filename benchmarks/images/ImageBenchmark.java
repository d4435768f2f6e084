import io.powercut.image.CrashImage;
import io.powercut.image.ImageWorkspace;
import io.powercut.image.PmArea;
import io.powercut.image.PmState;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.image.pages.ImageHash;
import io.powercut.persistency.PersistentFiles;
import io.powercut.persistency.ProgramOrder;
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
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** Measures the current state, images and workspaces; {@code run} starts it. */
final class ImageBenchmark {
  private static final int STORES = 3_000_000;
  private static final long CACHE = 128L << 20;
  private static final long TOUCHED = 50L << 20;

  private final PmArea area;
  private final ByteBuffer word = ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN);

  private ImageBenchmark(PmArea area) {
    this.area = area;
  }

  public static void main(String[] arguments) throws Exception {
    try (PmArea area = PmArea.create(PmArea.defaultParent())) {
      ImageBenchmark benchmark = new ImageBenchmark(area);
      if (arguments.length == 3) {
        for (int round = 0; round < 3; round++) {
          benchmark.replay(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]));
        }
        memory();
        return;
      }
      for (int round = 0; round < 3; round++) {
        benchmark.stores("random over 50 MiB", TOUCHED, CACHE);
        benchmark.stores("random over 4 MiB", 4L << 20, CACHE);
        benchmark.stores("random over 200 MiB, cache of 128 MiB", 200L << 20, CACHE);
      }
      benchmark.moves();
      benchmark.sparse();
    }
    memory();
  }

  /** Processor time of this thread in nanoseconds: nothing here waits, and other work does not count. */
  private static long now() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private Path pool(long size, long touched) throws IOException {
    Path directory = area.newDirectory().path();
    Path pool = directory.resolve("pool");
    byte[] noise = new byte[1 << 20];
    new Random(1).nextBytes(noise);
    try (FileChannel channel =
        FileChannel.open(pool, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long offset = 0; offset < touched; offset += noise.length) {
        channel.write(ByteBuffer.wrap(noise), offset);
      }
      if (size > touched) {
        channel.write(ByteBuffer.allocate(1), size - 1);
      }
    }
    return directory;
  }

  private void store(PmState state, long offset, long value) throws IOException {
    word.putLong(0, value);
    state.store(1, offset, Long.BYTES, word, 0);
  }

  private void stores(String name, long size, long cache) throws IOException {
    Path base = pool(size, size);
    try (PmState state = PmState.open(base, area.newDirectory(), cache)) {
      state.define(1, PersistentFiles.Origin.EXISTING, "pool", size);
      Random random = new Random(3);
      long[] offsets = random.longs(STORES, 0, size - 8).map(offset -> offset & ~7).toArray();
      long start = now();
      for (long offset : offsets) {
        store(state, offset, offset);
      }
      double seconds = (now() - start) / 1e9;
      start = now();
      state.hash();
      double hashed = (now() - start) / 1e6;
      start = now();
      CrashImage image = state.image();
      double saved = (now() - start) / 1e6;
      System.out.printf(
          "%d stores of 8 bytes, %s: %.2f s, %.0f ns each; hash %.1f ms, image %.1f ms%n",
          STORES, name, seconds, seconds * 1e9 / STORES, hashed, saved);
      image.close();
    }
    remove(base);
  }

  private void moves() throws IOException {
    Path base = pool(TOUCHED, TOUCHED);
    try (PmState state = PmState.open(base, area.newDirectory(), CACHE)) {
      state.define(1, PersistentFiles.Origin.EXISTING, "pool", TOUCHED);
      ImageWorkspace workspace = new ImageWorkspace(area.newDirectory().path());
      long start = now();
      try (CrashImage first = state.image()) {
        workspace.moveTo(first);
      }
      System.out.printf("first image of 50 MiB: %.1f ms%n", (now() - start) / 1e6);
      for (int changed : new int[] {1, 10, 100, 1000, 12_000}) {
        moves(state, workspace, changed);
      }
    }
    remove(base);
  }

  private void moves(PmState state, ImageWorkspace workspace, int changed) throws IOException {
    Random random = new Random(changed);
    int rounds = 40;
    long imaging = 0;
    long examining = 0;
    long moving = 0;
    long copying = 0;
    for (int round = 0; round < 2 * rounds; round++) {
      for (int page = 0; page < changed; page++) {
        store(state, random.nextLong(TOUCHED / 4096) * 4096, random.nextLong());
      }
      recover(workspace.path().resolve("pool"), random);
      long start = now();
      CrashImage image = state.image();
      long taken = now();
      workspace.examine();
      long examined = now();
      workspace.moveTo(image);
      long moved = now();
      image.close();
      Path copy = area.newDirectory().path();
      long before = now();
      DirectoryCopy.copy(workspace.path(), copy);
      remove(copy);
      long copied = now();
      if (round >= rounds) {
        imaging += taken - start;
        examining += examined - taken;
        moving += moved - examined;
        copying += copied - before;
      }
    }
    System.out.printf(
        "50 MiB touched, %5d pages changed, recovery stores to 20 pages:"
            + " image %6.3f ms, examine %6.2f ms, move %6.2f ms (fresh copy and its removal: %.1f ms)%n",
        changed,
        imaging / 1e6 / rounds,
        examining / 1e6 / rounds,
        moving / 1e6 / rounds,
        copying / 1e6 / rounds);
  }

  private static void recover(Path pool, Random random) throws IOException {
    try (FileChannel channel =
        FileChannel.open(pool, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, TOUCHED);
      for (int store = 0; store < 20; store++) {
        map.putLong(random.nextInt((int) TOUCHED - 8), random.nextLong());
      }
    }
  }

  private void sparse() throws IOException {
    long size = 64L << 30;
    Path base = pool(size, 1 << 20);
    long start = now();
    try (PmState state = PmState.open(base, area.newDirectory(), CACHE)) {
      state.define(1, PersistentFiles.Origin.EXISTING, "pool", size);
      double opened = (now() - start) / 1e6;
      ImageWorkspace workspace = new ImageWorkspace(area.newDirectory().path());
      Random random = new Random(1);
      int rounds = 100;
      start = now();
      for (int round = 0; round < rounds; round++) {
        for (int page = 0; page < 10; page++) {
          store(state, random.nextLong(size / 8) * 8, 1);
        }
        try (CrashImage image = state.image()) {
          workspace.moveTo(image);
        }
      }
      System.out.printf(
          "64 GiB sparse, 1 MiB touched: open %.1f ms, image and move %.2f ms, workspace takes %d KiB%n",
          opened,
          (now() - start) / 1e6 / rounds,
          DirectoryCopy.allocatedBytes(workspace.path()) >> 10);
    }
    remove(base);
  }

  /** An image at the first visit of every failure point of a real trace. */
  private void replay(Path base, Path trace, Path end) throws IOException {
    try (PmState state = PmState.open(base, area.newDirectory(), CACHE)) {
      long start = now();
      long records = TraceReader.of(trace).read(new ProgramOrder(state));
      System.out.printf(
          "replay of %d records without images: %.2f s; the end is %s%n",
          records,
          (now() - start) / 1e9,
          state.hash().equals(ImageHash.of(end)) ? "that of the real run" : "WRONG");
    }
    try (PmState state = PmState.open(base, area.newDirectory(), CACHE)) {
      Images images = new Images(state, new ImageWorkspace(area.newDirectory().path()));
      TraceTables tables = new TraceTables();
      FailurePointDetector detector =
          FailurePointDetector.into(new FailurePointTree("benchmark", Granularity.PERSISTENCY, ExcludedFunctions.NONE), tables)
              .telling(images);
      long start = now();
      TraceReader.of(trace).read(tables, detector, new ProgramOrder(state));
      images.print((now() - start) / 1e9);
    }
  }

  private static final class Images implements FailurePointListener {
    private final PmState state;
    private final ImageWorkspace workspace;
    private final Set<ImageHash> hashes = new HashSet<>();
    private int images;
    private long hashing;
    private long imaging;
    private long examining;
    private long moving;

    Images(PmState state, ImageWorkspace workspace) {
      this.state = state;
      this.workspace = workspace;
    }

    @Override
    public void reached(
        long ordinal,
        CallStack stack,
        Instruction instruction,
        boolean isNew)
        throws IOException {
      if (!isNew) {
        return;
      }
      images++;
      long start = now();
      boolean distinct = hashes.add(state.hash());
      long hashed = now();
      hashing += hashed - start;
      if (distinct) {
        try (CrashImage image = state.image()) {
          long taken = now();
          workspace.examine();
          long examined = now();
          workspace.moveTo(image);
          imaging += taken - hashed;
          examining += examined - taken;
          moving += now() - examined;
        }
      }
    }

    void print(double seconds) throws IOException {
      System.out.printf(
          "%d images, %d distinct: %.2f s in all; hash %.3f s, image %.3f s, examine %.3f s, move %.3f s;"
              + " workspace %.1f MiB at the end%n",
          images,
          hashes.size(),
          seconds,
          hashing / 1e9,
          imaging / 1e9,
          examining / 1e9,
          moving / 1e9,
          DirectoryCopy.allocatedBytes(workspace.path()) / 1048576.0);
    }
  }

  private static void remove(Path directory) throws IOException {
    Files.delete(directory.resolve("pool"));
    Files.delete(directory);
  }

  private static void memory() throws IOException {
    Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM") || line.startsWith("RssAnon"))
        .forEach(System.out::println);
  }
}
