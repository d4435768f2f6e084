// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.exploration;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.powercut.orchestrator.code.NamedStore;
import io.powercut.orchestrator.judging.CrashPoint;
import io.powercut.persistency.blame.BlamedStore;
import io.powercut.persistency.blame.Culprit;
import io.powercut.persistency.blame.OneUnit;
import io.powercut.persistency.choice.Candidate;
import io.powercut.persistency.lines.InFlightStore;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.LineDifference;
import io.powercut.report.evidence.EarlyStore;
import io.powercut.report.evidence.ImageStore;
import io.powercut.report.evidence.JudgedState;
import io.powercut.report.evidence.StackFrame;
import io.powercut.report.evidence.TargetStack;
import io.powercut.report.identity.FindingIdentity;
import io.powercut.report.identity.KindOfFile;
import io.powercut.trace.Location;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.UserCode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Gives crash states and stores the names that a report shows. */
final class StateNames {
  private static final int BYTES_SHOWN = 16;
  private static final long PAGE = 4096;

  /** What a remedy adds where only what has persisted since may rely on a store. */
  private static final String OR_IS_LATE = " (or what was stored since came too early)";

  private final TraceTables tables;
  private final CrashPoint moment;
  private final FindingIdentity identity;

  /**
   * @param tables what the numbers of the stores mean
   * @param moment whose states are named
   * @param identity gives the findings their fingerprints
   */
  StateNames(TraceTables tables, CrashPoint moment, FindingIdentity identity) {
    this.tables = tables;
    this.moment = moment;
    this.identity = identity;
  }

  /**
   * A culprit as a report shows it.
   *
   * @param shownBefore where program order shows the same
   * @param daxOnly whether no disk could leave it
   */
  JudgedState judgedState(
      Candidate found, Culprit culprit, Optional<FailurePointId> shownBefore, boolean daxOnly) {
    List<JudgedState.Store> lost =
        culprit.lost().stream()
            .map(store -> store(store, missing(store, culprit), role(store, culprit)))
            .toList();
    List<JudgedState.Store> arrived =
        culprit.arrived().stream()
            .map(store -> store(store, missingOf(store), JudgedState.Role.INVOLVED))
            .toList();
    BlameText known =
        new BlameText(
            culprit,
            lost,
            arrived,
            BlameText.flushes(file -> moment.states().isCacheFlushed(), culprit),
            Optional.empty());
    BlameText text = moment.states().isNothingPersisted() ? known.beforeAnyPersist() : known;
    boolean mayBeLate = mayBeLate(culprit);
    Set<JudgedState.Trait> traits = new HashSet<>(text.traits());
    if (mayBeLate) {
      traits.add(JudgedState.Trait.MAY_BE_LATE);
    }
    JudgedState state =
        new JudgedState(
            id(culprit.state()),
            found.policy().toString(),
            identity.ofState(lost, arrived),
            lines(culprit.state()),
            lost,
            arrived,
            culprit.isSmallest(),
            shownBefore,
            text.remedy() + (mayBeLate ? OR_IS_LATE : ""),
            Optional.empty(),
            false,
            daxOnly,
            forgotten(culprit),
            traits,
            Optional.empty(),
            List.of());
    return culprit.isAtomicity() && state.hasCause()
        ? state.withAdvice(BlameText.asOne(culprit, state, OneUnit.of(culprit, moment.states())))
        : state;
  }

  /**
   * Whether something that was stored since has persisted, and may be what relies on a store that
   * seems torn: then it may only have to be persisted before that.
   */
  boolean mayBeLate(Culprit culprit) {
    long last =
        Stream.concat(culprit.lost().stream().limit(1), culprit.arrived().stream().limit(1))
            .mapToLong(one -> one.store().ordinal())
            .max()
            .orElseThrow();
    return culprit.isAtomicity()
        && culprit.isCause(culprit.lost().get(0))
        && !moment.states().isProgramOrderBefore(last + 1);
  }

  /** The fingerprint of the finding that the first lost store is not persisted in time. */
  String fingerprintOfNotPersisted(Culprit culprit) {
    BlamedStore lost = culprit.lost().get(0);
    return identity.ofState(
        List.of(store(lost, missingOf(lost), JudgedState.Role.CAUSE)), List.of());
  }

  private static JudgedState.Role role(BlamedStore store, Culprit culprit) {
    return culprit.isCause(store) ? JudgedState.Role.CAUSE : JudgedState.Role.INVOLVED;
  }

  private static int forgotten(Culprit culprit) {
    return culprit.state().isFew()
        ? culprit.state().differences().stream().mapToInt(line -> line.line().forgotten()).sum()
        : 0;
  }

  /** 16 hexadecimal digits, the same for equal states also of another run. */
  String id(CrashState state) {
    Hasher hasher = Hashing.sha256().newHasher();
    if (moment.occurrence().number() > 1) {
      hasher.putLong(
          moment.occurrence().number()); // Visits of one failure point have their own states.
    }
    moment
        .again()
        .ifPresent(cut -> hasher.putLong(cut.failurePointId().value()).putLong(cut.occurrence()));
    for (JudgedState.Line line : lines(state)) {
      hasher
          .putString(line.file(), StandardCharsets.UTF_8)
          .putByte((byte) 0)
          .putLong(line.offset())
          .putString(line.content(), StandardCharsets.US_ASCII);
    }
    if (!state.isFew()) {
      addAll(state, hasher);
    }
    return hasher.hash().toString().substring(0, 16);
  }

  /** Lines of a page come in no order, so their hashes are added. */
  private void addAll(CrashState state, Hasher hasher) {
    for (int file : state.files()) {
      hasher.putString(moment.pathOf(Location.of(file, 0)), StandardCharsets.UTF_8);
      for (long page : state.pages(file)) {
        long[] sum = new long[1];
        state.lines(
            file,
            page,
            page + PAGE,
            (offset, content) ->
                sum[0] +=
                    Hashing.murmur3_128()
                        .newHasher()
                        .putLong(offset)
                        .putBytes(content)
                        .hash()
                        .asLong());
        hasher.putLong(page).putLong(sum[0]);
      }
    }
  }

  /** None where they are too many. */
  private List<JudgedState.Line> lines(CrashState state) {
    return state.isFew() ? state.differences().stream().map(this::line).toList() : List.of();
  }

  private JudgedState.Line line(LineDifference difference) {
    return new JudgedState.Line(
        moment.pathOf(difference.location()),
        Location.offset(difference.location()),
        HexFormat.of().formatHex(difference.bytes()));
  }

  private JudgedState.Store store(
      BlamedStore blamed, JudgedState.Missing missing, JudgedState.Role role) {
    ImageStore store = imageStore(blamed);
    return new JudgedState.Store(
        store,
        blamed.store().thread(),
        missing,
        role,
        kindOfFile(blamed)
            .filter(kind -> !kind.isEmpty())
            .orElseGet(() -> NamedStore.variable(store.stack())));
  }

  /** Of a store of which no source tells what it is about, into what kind of file. */
  Optional<String> kindOfFile(BlamedStore blamed) {
    return UserCode.hasSource(TargetStack.of(stack(blamed.store())))
        ? Optional.empty()
        : Optional.of(kindOfFile(blamed.line().location()));
  }

  /** The kind of the file of a place in it; empty if its name does not say that. */
  String kindOfFile(long location) {
    return KindOfFile.of(tables.firstName(Location.file(location)));
  }

  /** A store that is there too early. */
  EarlyStore earlyStore(BlamedStore blamed) {
    ImageStore store = imageStore(blamed);
    List<StackFrame> stack = store.stack();
    return new EarlyStore(NamedStore.called(stack, NamedStore.variable(stack)), store);
  }

  private ImageStore imageStore(BlamedStore blamed) {
    byte[] value = blamed.store().value();
    long location = blamed.line().location() + blamed.store().firstByte();
    return new ImageStore(
        moment.pathOf(location),
        Location.offset(location),
        value.length,
        HexFormat.of().formatHex(Arrays.copyOf(value, Math.min(value.length, BYTES_SHOWN))),
        TargetStack.of(stack(blamed.store())));
  }

  private CallStack stack(InFlightStore store) {
    return tables.stack(store.stack(), store.site());
  }

  private static JudgedState.Missing missing(BlamedStore lost, Culprit culprit) {
    if (culprit.isAtomicity() && lost.equals(culprit.lost().get(0))) {
      return JudgedState.Missing.ATOMICITY;
    }
    boolean arrivedInLine =
        culprit.arrived().stream()
            .limit(1)
            .anyMatch(
                store ->
                    store.line().location() == lost.line().location()
                        && store.store().ordinal() < lost.store().ordinal());
    return arrivedInLine ? JudgedState.Missing.ORDER : missingOf(lost);
  }

  private static JudgedState.Missing missingOf(BlamedStore store) {
    return store.isFlushed() ? JudgedState.Missing.FENCE : JudgedState.Missing.FLUSH;
  }
}
