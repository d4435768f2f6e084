package io.powercut.orchestrator.run;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.powercut.instrumentation.trace.Location;
import io.powercut.instrumentation.trace.TraceTables;
import io.powercut.orchestrator.report.ImageStore;
import io.powercut.orchestrator.report.JudgedState;
import io.powercut.orchestrator.report.TargetStack;
import io.powercut.orchestrator.states.BlamedStore;
import io.powercut.orchestrator.states.Candidate;
import io.powercut.orchestrator.states.Culprit;
import io.powercut.persistency.states.CrashState;
import io.powercut.persistency.states.LineDifference;
import io.powercut.persistency.states.PendingStore;
import io.powercut.tree.CallStack;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Gives crash states and stores the names that a report shows. */
final class StateNames {
  private static final String KIND = "LOST_STORE";
  private static final int BYTES_SHOWN = 16;

  private final TraceTables tables;
  private final Moment moment;

  /**
   * @param tables what the numbers of the stores mean
   * @param moment whose states are named
   */
  StateNames(TraceTables tables, Moment moment) {
    this.tables = tables;
    this.moment = moment;
  }

  /**
   * A culprit as a report shows it.
   *
   * @param shownBefore where program order shows the same
   */
  JudgedState judgedState(Candidate found, Culprit culprit, Optional<FailurePointId> shownBefore) {
    List<JudgedState.Store> lost =
        culprit.lost().stream().map(store -> store(store, missing(store, culprit))).toList();
    List<JudgedState.Store> arrived =
        culprit.arrived().stream().map(store -> store(store, missingOf(store))).toList();
    return new JudgedState(
        id(culprit.state()),
        found.policy().toString(),
        fingerprint(culprit),
        lines(culprit.state()),
        lost,
        arrived,
        culprit.isSmallest(),
        shownBefore.map(FailurePointId::toString),
        remedy(lost, arrived));
  }

  /** Of the code that made the first lost store. */
  String fingerprint(Culprit culprit) {
    return Fingerprint.of(stack(culprit.lost().get(0).store()), KIND).toString();
  }

  /** 16 hexadecimal digits, the same for equal states also of another run. */
  String id(CrashState state) {
    Hasher hasher = Hashing.sha256().newHasher();
    for (JudgedState.Line line : lines(state)) {
      hasher
          .putString(line.file(), StandardCharsets.UTF_8)
          .putByte((byte) 0)
          .putLong(line.offset())
          .putString(line.content(), StandardCharsets.US_ASCII);
    }
    return hasher.hash().toString().substring(0, 16);
  }

  private List<JudgedState.Line> lines(CrashState state) {
    return state.differences().stream().map(this::line).toList();
  }

  private JudgedState.Line line(LineDifference difference) {
    return new JudgedState.Line(
        moment.pathOf(difference.location()),
        Location.offset(difference.location()),
        HexFormat.of().formatHex(difference.bytes()));
  }

  private JudgedState.Store store(BlamedStore blamed, String missing) {
    PendingStore store = blamed.store();
    byte[] value = store.value();
    long location = blamed.line().location() + store.firstByte();
    return new JudgedState.Store(
        new ImageStore(
            moment.pathOf(location),
            Location.offset(location),
            value.length,
            HexFormat.of().formatHex(Arrays.copyOf(value, Math.min(value.length, BYTES_SHOWN))),
            TargetStack.of(stack(store))),
        store.thread(),
        missing);
  }

  private CallStack stack(PendingStore store) {
    return store.stack() == 0
        ? CallStack.of(tables.frame(store.site()))
        : tables.stack(store.stack());
  }

  private static String missing(BlamedStore lost, Culprit culprit) {
    if (needsItsOtherPart(lost, culprit)) {
      return "atomicity";
    }
    boolean arrivedInLine =
        culprit.arrived().stream()
            .anyMatch(store -> store.line().location() == lost.line().location());
    return arrivedInLine ? "order" : missingOf(lost);
  }

  /**
   * Whether recovery copes when the whole store is lost, or at least nothing says that it does not.
   * A store that is not flushed loses its last part first, which alone says nothing about tearing.
   */
  private static boolean needsItsOtherPart(BlamedStore lost, Culprit culprit) {
    boolean otherPartArrived =
        culprit.arrived().stream()
            .anyMatch(store -> store.store().ordinal() == lost.store().ordinal());
    return otherPartArrived || (lost.isTorn() && !isPrefix(lost, culprit));
  }

  private static boolean isPrefix(BlamedStore lost, Culprit culprit) {
    return culprit.state().differences().stream()
        .filter(difference -> difference.location() == lost.line().location())
        .anyMatch(difference -> difference.line().prefixes().contains(difference));
  }

  private static String missingOf(BlamedStore store) {
    return store.isFlushed() ? "fence" : "flush";
  }

  private static String remedy(List<JudgedState.Store> lost, List<JudgedState.Store> arrived) {
    JudgedState.Store first = lost.get(0);
    String store = "the store at " + place(first);
    String before =
        arrived.isEmpty() ? "" : " before the store at " + place(arrived.get(0)) + " can persist";
    return switch (first.missing()) {
      case "atomicity" ->
          store
              + " can be torn: only aligned units of 8 bytes persist as a whole, and recovery relies"
              + " on more";
      case "order" ->
          "the store at %s can persist without that at %s, which comes later and is to the same cache line; change their order, or make them one store"
              .formatted(place(arrived.get(0)), place(first));
      case "fence" -> store + " is not followed by a fence" + before;
      default -> store + " is not flushed" + before;
    };
  }

  private static String place(JudgedState.Store store) {
    return store.store().stack().stream()
        .filter(frame -> !frame.file().isEmpty())
        .findFirst()
        .or(() -> store.store().stack().stream().findFirst())
        .map(frame -> frame.text())
        .orElse("an unknown place");
  }
}
