// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.analysis.Involved;
import io.powercut.analysis.PatternReport;
import io.powercut.analysis.PatternResult;
import io.powercut.analysis.PatternTotals;
import io.powercut.analysis.TracePatterns;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.sections.PatternsSection;
import io.powercut.orchestrator.code.StoringFunctions;
import io.powercut.orchestrator.differences.KnownChanges;
import io.powercut.orchestrator.differences.RecentChanges;
import io.powercut.persistency.lines.CacheLineTracker;
import io.powercut.races.RaceAnalysis;
import io.powercut.races.RaceOptions;
import io.powercut.races.found.RaceResult;
import io.powercut.recorder.HeldWriter;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.evidence.TraceEvidence;
import io.powercut.report.facts.TraceTotals;
import io.powercut.report.identity.CodePlaces;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.identity.RacePlaces;
import io.powercut.report.rundir.OutsideWrites;
import io.powercut.report.rundir.PatternLog;
import io.powercut.report.rundir.RaceLog;
import io.powercut.trace.Location;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.ExcludedFunctions;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Frame;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What the trace of the recorded run tells beside failure points and images. */
public final class Observation {
  /** What is added to a pattern where that is known. */
  private static final String UNREAD = "; no watched recovery read any of it";

  /**
   * A search for races.
   *
   * @param options what counts as one
   * @param wanted the races that a crash is tried for; all if there is nothing
   */
  private record RaceSearch(
      Campaign campaign, RaceOptions options, Optional<Set<RacePlaces>> wanted) {
    RaceAnalysis in(CacheLineTracker tracker, TraceTables tables) {
      return RaceAnalysis.observing(
          tracker,
          tables,
          ExcludedFunctions.of(campaign.failurePoints().exclude()),
          campaign.failurePoints().begin().isEmpty(),
          options);
    }
  }

  private final TraceTables tables;
  private final KnownChanges changes;
  private final RecentChanges recent;
  private final Activity activity = new Activity();
  private final StoringFunctions storing;
  private final OutsideLog outside = new OutsideLog();
  private final UnmappedRanges unmapped;
  private final Optional<Campaign> campaignWithPatterns;
  private final boolean watchesStores;
  private final boolean needsAllStacks;
  private final Optional<RaceSearch> raceSearch;
  private Optional<TracePatterns> patterns = Optional.empty();
  private Optional<PatternResult> atEnd = Optional.empty();
  private Optional<TriedRaces> races = Optional.empty();
  private final Supplier<FindingIdentity> identity = this::identity;

  private Observation(
      TraceTables tables,
      boolean watchesStores,
      boolean needsAllStacks,
      Optional<Campaign> campaignWithPatterns,
      Optional<RaceSearch> raceSearch) {
    this.tables = tables;
    this.changes = new KnownChanges(tables);
    this.recent = changes.newCollector();
    this.storing = new StoringFunctions(tables);
    this.unmapped = new UnmappedRanges(tables);
    this.watchesStores = watchesStores;
    this.needsAllStacks = needsAllStacks;
    this.campaignWithPatterns = campaignWithPatterns;
    this.raceSearch = raceSearch;
  }

  /** Only what the numbers in the trace mean. */
  public static Observation ofNumbers() {
    return new Observation(new TraceTables(), false, false, Optional.empty(), Optional.empty());
  }

  /** What the numbers in the trace mean, and the call stack of every event. */
  public static Observation ofStacks() {
    return new Observation(new TraceTables(), false, true, Optional.empty(), Optional.empty());
  }

  /** Only the races of a campaign's target. */
  public static Observation ofRaces(Campaign campaign, RaceOptions options) {
    return new Observation(
        new TraceTables(),
        false,
        true,
        Optional.empty(),
        Optional.of(new RaceSearch(campaign, options, Optional.empty())));
  }

  /**
   * Only the races of a campaign's target, of which some are wanted: a crash is tried wherever
   * their readers do more.
   */
  public static Observation ofRaces(Campaign campaign, Set<RacePlaces> wanted) {
    return new Observation(
        new TraceTables(),
        false,
        true,
        Optional.empty(),
        Optional.of(
            new RaceSearch(
                campaign, campaign.races().options().followingReaders(), Optional.of(wanted))));
  }

  /**
   * What a campaign's report wants.
   *
   * @param withPatterns whether patterns and races may be looked for; the campaign has to want
   *     them, too
   */
  public static Observation of(Campaign campaign, boolean withPatterns) {
    return of(campaign, withPatterns, withPatterns);
  }

  /**
   * What one part of a recorded run wants, so that it judges what the whole would: races, since a
   * crash is tried for them, and no patterns.
   */
  public static Observation ofPart(Campaign campaign) {
    return of(campaign, false, true);
  }

  private static Observation of(Campaign campaign, boolean withPatterns, boolean mayLookForRaces) {
    PatternsSection section = campaign.patterns();
    boolean withRaces = campaign.races().enabled() && mayLookForRaces;
    return new Observation(
        new TraceTables(),
        true,
        section.enabled() || campaign.exploresStates() || withRaces,
        section.enabled() && withPatterns ? Optional.of(campaign) : Optional.empty(),
        withRaces
            ? Optional.of(new RaceSearch(campaign, campaign.races().options(), Optional.empty()))
            : Optional.empty());
  }

  /**
   * Looks for patterns and races in what a tracker knows. Without one, this brings its own.
   *
   * @param tracker gets the trace behind the {@link #consumers}
   */
  public void lookAt(CacheLineTracker tracker) {
    patterns = campaignWithPatterns.map(campaign -> patterns(campaign, tracker));
    races = raceSearch.map(search -> new TriedRaces(search.in(tracker, tables), search.wanted()));
  }

  private TracePatterns patterns(Campaign campaign, CacheLineTracker tracker) {
    return TracePatterns.observing(
        tracker,
        tables,
        ExcludedFunctions.of(campaign.failurePoints().exclude()),
        campaign.failurePoints().begin().isEmpty());
  }

  /** What the numbers in the trace mean; the reader feeds it first. */
  public TraceTables tables() {
    return tables;
  }

  /**
   * Whether every event has to carry its call stack. A part of a campaign that does not look for
   * patterns itself shows the same of its images as the one that does.
   */
  boolean needsAllStacks() {
    return needsAllStacks;
  }

  /** Whether loads, and what synchronises threads, are recorded. */
  boolean needsRaces() {
    return raceSearch.isPresent();
  }

  /** Get the trace after the tables. */
  List<TraceConsumer> consumers() {
    List<TraceConsumer> consumers = new ArrayList<>(List.of(activity, storing, outside, unmapped));
    if (watchesStores) {
      consumers.add(recent);
    }
    Optional<CacheLineTracker> own = Optional.empty();
    if (patterns.isEmpty() && races.isEmpty()) {
      own =
          campaignWithPatterns
              .or(() -> raceSearch.map(RaceSearch::campaign))
              .map(campaign -> CacheLineTracker.withoutContents(campaign.domain()));
      own.ifPresent(this::lookAt);
    }
    patterns.ifPresent(consumers::add);
    races.map(TriedRaces::analysis).ifPresent(consumers::add);
    own.ifPresent(consumers::add);
    return consumers;
  }

  /** A failure point was reached, before a record. */
  void reached(long ordinal, FailurePointId id, boolean isNew) {
    if (isNew) {
      recent.reached(ordinal, new Occurrence(id, 1));
    } else {
      recent.reached(ordinal);
    }
  }

  /** What images have that those before them had not, if stores are watched. */
  public KnownChanges changes() {
    return changes;
  }

  /** Whether it is known what changed before failure points. */
  public boolean watchesStores() {
    return watchesStores;
  }

  /**
   * The instructions whose stores a crash at this occurrence has to lose, since another thread has
   * read them and acted on it. To be asked once at each occurrence.
   */
  public Set<Integer> raced(Occurrence occurrence) {
    if (races.isEmpty()) {
      return Set.of();
    }
    TriedRaces known = races.get();
    known.analysis().reached(occurrence.id(), occurrence.number());
    return known.at(occurrence, identity);
  }

  /**
   * For races without a consequence, which thread has to be held behind which store so that they
   * may have one, the strongest evidence first. Further ways to hold it are for races that could
   * not happen in those before. To be asked once the trace has been read to its end.
   */
  public Map<RacePlaces, List<HeldWriter>> holdChances() {
    return races.map(one -> one.chances(identity())).orElse(Map.of());
  }

  /**
   * The races, if several threads used persistent memory. To be asked once the trace has been read
   * to its end.
   */
  public Optional<RaceLog> races() {
    return races.flatMap(
        one -> {
          RaceResult result = one.analysis().result();
          return one.log(identity()).map(log -> log.noting(result.limits(), result.isSerial()));
        });
  }

  /** Whether threads {@linkplain RaceAnalysis#handsOver hand over} what they have persisted. */
  public boolean handsOver() {
    return races.map(one -> one.analysis().handsOver()).orElse(false);
  }

  /** Where a crash was tried for a race, in the order of the trace. */
  public List<Occurrence> triedAt(RacePlaces race) {
    return races.map(one -> one.triedAt(race, identity())).orElse(List.of());
  }

  /** What the target did to persistent memory at all. */
  Activity activity() {
    return activity;
  }

  /** Which of its functions stored to persistent memory. */
  public StoringFunctions storing() {
    return storing;
  }

  /** What it says of ranges without any effect, a line each. */
  List<String> uselessDeclarations() {
    return unmapped.problems();
  }

  /** What it persisted outside its PM directory. */
  public Optional<OutsideWrites> outside() {
    return outside.writes();
  }

  /** The target's programs and libraries, as far as the trace names them. */
  List<Path> modules() {
    return tables.modules().stream().map(module -> Path.of(module.path())).toList();
  }

  /** Where the binary or library of that base name is. */
  public Optional<Path> module(String name) {
    return tables.modules().stream()
        .map(TraceEvent.ModuleDefined::path)
        .filter(path -> path.endsWith("/" + name))
        .findFirst()
        .map(Path::of);
  }

  /** Gives what is found fingerprints, as long as the sources are those of the target. */
  public FindingIdentity identity() {
    return new FindingIdentity(new CodePlaces(this::module));
  }

  /** The build id of the program of that name; empty when it has none or did not run. */
  public String buildId(String program) {
    return tables.modules().stream()
        .filter(module -> module.path().endsWith("/" + program))
        .map(TraceEvent.ModuleDefined::buildId)
        .findFirst()
        .orElse("");
  }

  /**
   * The trace has been read to its end. What a shared tracker knows of lines may be in files, which
   * are gone when the pass over the trace is closed. So this comes before.
   */
  public void ended() {
    atEnd = found();
  }

  /**
   * The patterns, when they were looked for. To be asked once the trace has been read to its end.
   *
   * @param isUnread whether recovery reads nothing of what a place stores
   */
  public Optional<PatternLog> patterns(Predicate<CallStack> isUnread) {
    return atEnd.or(this::found).map(result -> log(result, isUnread));
  }

  private Optional<PatternResult> found() {
    return patterns.filter(analysis -> !analysis.isOverwhelmed()).map(TracePatterns::result);
  }

  /** Whether the search for patterns was given up, because too much was not persisted at a time. */
  public boolean gaveUpPatterns() {
    return patterns.map(TracePatterns::isOverwhelmed).orElse(false);
  }

  private PatternLog log(PatternResult result, Predicate<CallStack> isUnread) {
    PatternTotals totals = result.totals();
    FindingIdentity identity = identity();
    return new PatternLog(
        new TraceTotals(
            totals.stores(),
            totals.flushes(),
            totals.fences(),
            totals.redundantFlushes(),
            totals.redundantFences()),
        result.reports().stream()
            .map(report -> pattern(report, totals, identity, isUnread))
            .toList());
  }

  private static PatternLog.Pattern pattern(
      PatternReport report,
      PatternTotals totals,
      FindingIdentity identity,
      Predicate<CallStack> isUnread) {
    return new PatternLog.Pattern(
        identity.ofPattern(report.kind(), TargetStack.of(report.involved().get(0).stack())),
        new TraceEvidence(
            report.kind(),
            report.severity(),
            report.seen() + (saysUnread(report, isUnread) ? UNREAD : ""),
            report.involved().stream().map(Observation::place).toList(),
            report.count(),
            share(report, totals),
            report.file(),
            report.offset()));
  }

  /** Of a store that is not persisted it is worth to know. */
  private static boolean saysUnread(PatternReport report, Predicate<CallStack> isUnread) {
    return switch (report.kind()) {
      case NOT_PERSISTED, TRANSIENT_DATA -> isUnread.test(report.primary().stack());
      case DIRTY_OVERWRITE, REDUNDANT_FLUSH, REDUNDANT_FENCE, MULTI_STORE_FLUSH, UNORDERED_FENCE ->
          false;
    };
  }

  private static Optional<Double> share(PatternReport report, PatternTotals totals) {
    return switch (report.kind()) {
      case REDUNDANT_FLUSH -> Optional.of((double) report.count() / totals.flushes());
      case REDUNDANT_FENCE -> Optional.of((double) report.count() / totals.fences());
      case NOT_PERSISTED, TRANSIENT_DATA, DIRTY_OVERWRITE, MULTI_STORE_FLUSH, UNORDERED_FENCE ->
          Optional.empty();
    };
  }

  private static TraceEvidence.Place place(Involved involved) {
    return new TraceEvidence.Place(
        involved.role().name().toLowerCase(Locale.ROOT).replace('_', ' '),
        involved.instruction().label(),
        TargetStack.of(involved.stack()));
  }

  /** Calls of {@code powercut.h} that declare ranges where no persistent memory is mapped. */
  private static final class UnmappedRanges implements TraceConsumer {
    private final TraceTables tables;
    private final Set<Integer> mapped = new HashSet<>();
    private final Set<Integer> unmapped = new LinkedHashSet<>();

    UnmappedRanges(TraceTables tables) {
      this.tables = tables;
    }

    @Override
    public void event(TraceEvent event) {
      if (event instanceof TraceEvent.RangeDeclared range) {
        (Location.isVolatile(range.location()) ? unmapped : mapped).add(range.site());
      }
    }

    /** What to say of calls that never did anything; code may well be used for both memories. */
    List<String> problems() {
      return unmapped.stream()
          .filter(site -> !mapped.contains(site))
          .map(
              site ->
                  "the range that powercut.h declares at %s was never in persistent memory when it was declared, so it has no effect: declare it behind mmap"
                      .formatted(place(tables.frame(site))))
          .toList();
    }

    /** The caller of what the header defines. */
    private static String place(Frame frame) {
      return frame.positions().stream()
          .filter(position -> !position.fileName().equals("powercut.h"))
          .findFirst()
          .map(position -> frame.describe(position, false))
          .orElse(frame.address());
    }
  }
}
