// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.judging;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.loading.CampaignLoader;
import io.powercut.image.PmArea;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.orchestrator.session.Budget;
import io.powercut.orchestrator.session.Phases;
import io.powercut.orchestrator.session.Progress;
import io.powercut.orchestrator.session.Resources;
import io.powercut.orchestrator.session.Timings;
import io.powercut.orchestrator.session.Workplace;
import io.powercut.orchestrator.timeline.RecentEvents;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.persistency.ProgramOrder;
import io.powercut.persistency.choice.Candidates;
import io.powercut.persistency.choice.StateChoice;
import io.powercut.persistency.choice.StateShare;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.persistency.states.CrashStates;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.RecoveryCrash;
import io.powercut.report.identity.CodePlaces;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.trace.FenceKind;
import io.powercut.trace.FlushKind;
import io.powercut.trace.Location;
import io.powercut.trace.StoreFlags;
import io.powercut.trace.StoreRecord;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.SourcePosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * A program that is written call by call, instead of run under the recorder: its stores go to a
 * file of 64 cache lines, through everything that a trace goes through. The code of a call is named
 * by a source line.
 */
public final class ProgramByHand implements AutoCloseable {
  /** The only PM file. */
  public static final String FILE = "pool";

  private static final int LINE = 64;
  private static final int LINES = 64;
  private static final int NUMBER = 1;
  private static final int SOURCES = 1000;
  private static final long CACHE_BYTES = 1 << 20;

  private final Campaign campaign;
  private final Path source;
  private final PmArea area;
  private final PmState state;
  private final CacheLineTracker pending;
  private final RecentEvents recent = new RecentEvents();
  private final TraceTables tables = new TraceTables();
  private final List<TraceConsumer> consumers;
  private final boolean[] defined = new boolean[SOURCES];
  private long ordinal;

  /** Calls of a program. */
  @FunctionalInterface
  public interface Calls {
    /** Makes them. */
    void on(ProgramByHand program) throws IOException;
  }

  /**
   * @param folder for its files
   */
  public ProgramByHand(Path folder) throws IOException {
    Path file = folder.resolve("byhand.yaml");
    Files.writeString(file, "target: {command: ['true']}\nrecovery: {command: ['true']}\n");
    this.campaign = CampaignLoader.load(file);
    this.source = folder.resolve("app.c");
    Files.write(source, IntStream.range(1, SOURCES).mapToObj(n -> "call(" + n + ");").toList());
    this.area = PmArea.create(folder);
    Path base = Files.createDirectory(folder.resolve("base"));
    Files.write(base.resolve(FILE), new byte[LINES * LINE]);
    PrivateDirectory pages = area.newDirectory();
    this.state = PmState.open(base, pages, CACHE_BYTES);
    this.pending = new CacheLineTracker(PersistencyDomain.ADR, state);
    this.consumers = List.of(tables, pending, recent, new ProgramOrder(state));
    event(new TraceEvent.ModuleDefined(ordinal, 1, 1, "/usr/bin/app", "", 0));
    event(
        new TraceEvent.FileDefined(
            ordinal, 1, NUMBER, TraceEvent.FileState.EXISTING, LINES * LINE, FILE));
  }

  private void event(TraceEvent event) throws IOException {
    for (TraceConsumer consumer : consumers) {
      consumer.event(event);
    }
    ordinal++;
  }

  private void define(int source) throws IOException {
    if (!defined[source]) {
      defined[source] = true;
      event(
          new TraceEvent.SiteDefined(
              ordinal,
              1,
              source,
              1,
              source,
              List.of(new SourcePosition("work", this.source.toString(), source))));
      event(
          new TraceEvent.StackDefined(
              ordinal, 1, source, new FailurePointId(source), false, List.of(source)));
    }
  }

  /** Stores 8 bytes to a place in a cache line, by a source line. */
  public ProgramByHand store(int source, int line, int word, long value) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    return store(source, 0, Location.of(NUMBER, line * LINE + word * Long.BYTES), bytes);
  }

  /** Stores words that lie one behind the other at once. */
  public ProgramByHand wide(int source, int line, long... values) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    return store(source, 0, Location.of(NUMBER, (long) line * LINE), bytes);
  }

  /** A call makes lines read as zero. */
  public ProgramByHand zero(int source, int line, int lines) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(lines * LINE);
    return store(source, StoreFlags.ZEROED, Location.of(NUMBER, (long) line * LINE), bytes);
  }

  private ProgramByHand store(int source, int flags, long place, ByteBuffer bytes)
      throws IOException {
    define(source);
    int size = bytes.capacity();
    for (TraceConsumer consumer : consumers) {
      consumer.store(new StoreRecord(ordinal, 1, flags, source, source, place, size, bytes, 0));
    }
    ordinal++;
    return this;
  }

  /** Flushes a cache line and fences. */
  public ProgramByHand persist(int source, int line) throws IOException {
    define(source);
    for (TraceConsumer consumer : consumers) {
      consumer.flush(
          ordinal, 1, FlushKind.CLWB, source, source, Location.of(NUMBER, (long) line * LINE));
    }
    ordinal++;
    for (TraceConsumer consumer : consumers) {
      consumer.fence(ordinal, 1, FenceKind.SFENCE, source, source);
    }
    ordinal++;
    return this;
  }

  /** Renames a file that nothing else is known of, by a source line; only these are told. */
  public ProgramByHand rename(int source, MetadataInFlight changes) throws IOException {
    define(source);
    changes.event(
        new TraceEvent.MetadataChange(
            ordinal,
            1,
            TraceEvent.MetadataKind.RENAME,
            true,
            false,
            source,
            source,
            "new." + source,
            "old." + source));
    ordinal++;
    return this;
  }

  /** Gives the place of an output in the trace, which comes now. */
  public long output() {
    return ordinal++;
  }

  /** An output that a source line makes now. */
  public Acknowledgement.Output output(int source) throws IOException {
    define(source);
    return new Acknowledgement.Output(output(), source, source);
  }

  /** The occurrence of a failure point at a source line, which is reached here. */
  public static Occurrence at(int source) {
    return new Occurrence(new FailurePointId(source), 1);
  }

  /** Cuts the power at a source line, with the states that a campaign's defaults choose. */
  public CrashPoint cut(int source) throws IOException {
    return cut(at(source), Optional.empty());
  }

  /** Cuts the power at a source line, with these states to judge. */
  public CrashPoint cut(int source, Candidates candidates) throws IOException {
    return cut(at(source), candidates, Optional.empty());
  }

  /**
   * Cuts the power at an occurrence, with the states that a campaign's defaults choose.
   *
   * @param again where recovery is cut as well: this program is recovery then
   */
  public CrashPoint cut(Occurrence occurrence, Optional<RecoveryCrash> again) throws IOException {
    CrashStates states = CrashStates.of(pending);
    StateChoice choice = new StateChoice(campaign.crashStates().choice());
    return cut(occurrence, choice.choose(states, StateShare.USUAL), again);
  }

  private CrashPoint cut(
      Occurrence occurrence, Candidates candidates, Optional<RecoveryCrash> again)
      throws IOException {
    return cut(occurrence, candidates, Optional.empty(), MetadataLosses.NONE, again);
  }

  /** Cuts the power at a source line, where changes of metadata may be undone. */
  public CrashPoint cut(int source, Acknowledgement acknowledged, MetadataLosses losses)
      throws IOException {
    return cut(at(source), Candidates.NONE, Optional.of(acknowledged), losses, Optional.empty());
  }

  private CrashPoint cut(
      Occurrence occurrence,
      Candidates candidates,
      Optional<Acknowledgement> acknowledged,
      MetadataLosses losses,
      Optional<RecoveryCrash> again)
      throws IOException {
    return new CrashPoint(
        occurrence,
        state.image(),
        acknowledged,
        CrashStates.of(pending),
        candidates,
        recent.now(),
        Optional.empty(),
        losses,
        again);
  }

  /** A campaign with all defaults. */
  public Campaign campaign() {
    return campaign;
  }

  /** The files as they are. */
  public PmState state() {
    return state;
  }

  /** What the numbers of its calls mean. */
  public TraceTables tables() {
    return tables;
  }

  /** A place for images, and two workers. */
  public Resources resources() {
    return new Resources(area, 2, new AtomicBoolean());
  }

  /** Where images are judged; the run directory is in the program's folder. */
  public Workplace workplace() {
    return new Workplace(
        new RunDirectory(source.resolveSibling("run")),
        resources(),
        new Phases(Progress.SILENT, new Timings()));
  }

  /** How images of it are judged, in a run of their own. */
  public Judging judging(CrashImageJudge judge, ResultListener results) {
    return new Judging(
        judge,
        new VerdictCache(),
        new FindingIdentity(new CodePlaces(module -> Optional.empty())),
        new Budget(campaign),
        results);
  }

  @Override
  public void close() throws IOException {
    state.close();
    area.close();
  }
}
