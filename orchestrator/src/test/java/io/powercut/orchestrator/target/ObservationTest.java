// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.campaign.Campaign;
import io.powercut.exit.PowercutException;
import io.powercut.image.PmState;
import io.powercut.image.files.PrivateDirectory;
import io.powercut.orchestrator.code.NamedStore;
import io.powercut.orchestrator.differences.KnownChanges;
import io.powercut.orchestrator.differences.RecentChanges;
import io.powercut.orchestrator.session.Acknowledgement;
import io.powercut.persistency.ProgramOrder;
import io.powercut.report.evidence.ImageChanges;
import io.powercut.report.evidence.ImageLacks;
import io.powercut.report.evidence.Occurrence;
import io.powercut.report.evidence.StackFrame;
import io.powercut.trace.TraceConsumer;
import io.powercut.trace.TraceEvent.MarkKind;
import io.powercut.trace.TraceEvent.MetadataKind;
import io.powercut.trace.TraceEvent.OutputKind;
import io.powercut.trace.file.TraceReader;
import io.powercut.trace.replay.FailurePointDetector;
import io.powercut.trace.replay.TraceTables;
import io.powercut.tree.FailurePointId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a trace tells beside failure points and images. */
class ObservationTest {
  @RegisterExtension private final HandRun run = HandRun.open();
  private final TraceTables tables = new TraceTables();

  private void read(TargetByHand.Program program, TraceConsumer... consumers) throws IOException {
    List<TraceConsumer> all = new ArrayList<>(List.of(tables));
    all.addAll(List.of(consumers));
    TraceReader.of(run.trace(program)).read(all);
  }

  private Observation observed(Campaign campaign, TargetByHand.Program program) throws IOException {
    Observation observation = Observation.of(campaign, false);
    new TraceReading(campaign.failurePoints(), observation)
        .read(
            TraceReader.of(run.trace(program)),
            InstrumentedRun.emptyTree(campaign),
            (ordinal, stack, instruction, isNew) -> {},
            List.of());
    return observation;
  }

  @Test
  void activityShouldSeeStoresAndMarks() throws IOException {
    Activity activity = new Activity();
    read(calls -> calls.mark(true), activity);
    assertThat(activity.stores()).isFalse();
    assertThat(activity.reached(MarkKind.BEGIN)).isTrue();
    assertThat(activity.reached(MarkKind.END)).isFalse();

    read(calls -> calls.store(1, 0, 1), activity);
    assertThat(activity.stores()).isTrue();
  }

  @Test
  void writesOutsideShouldBeAddedUpByFile() throws IOException {
    OutsideLog outside = new OutsideLog();
    assertThat(outside.writes()).isEmpty();
    read(
        calls -> calls.persistOutside("/a", 2).persistOutside("/b", 1).persistOutside("/a", 3),
        outside);

    assertThat(outside.writes().orElseThrow().toString()).contains("/a=5", "/b=1");
  }

  @Test
  void storesShouldBelongToTheFailurePointAfterThem() throws IOException {
    Observation observation =
        observed(
            run.campaign(),
            calls -> calls.store(1, 0, 7).flush(2, 0).store(3, 1, 8).store(4, 2, 9).flush(5, 1));
    ImageChanges changes = observation.changes().of(first(5)).orElseThrow();
    ImageLacks lacks =
        observation
            .changes()
            .between(TargetByHand.stack(2).id(), TargetByHand.stack(5).id())
            .orElseThrow();

    assertThat(changes.stores()).extracting(one -> one.stack().get(0).line()).containsExactly(3, 4);
    assertThat(changes.stores().get(0).bytes()).isEqualTo("0800000000000000");
    assertThat(lacks.first()).contains("work at /src/app.c:3");
    assertThat(lacks.inWords())
        .isEqualTo(
            "2 stores that come later, from the store at work at /src/app.c:3"
                + " to the store at work at /src/app.c:4");
    assertThat(
            observation.changes().between(TargetByHand.stack(5).id(), TargetByHand.stack(2).id()))
        .isEmpty();
  }

  private KnownChanges known(TargetByHand.Program program) throws IOException {
    KnownChanges known = new KnownChanges(tables);
    RecentChanges recent = known.newCollector();
    FailurePointDetector detector =
        FailurePointDetector.into(InstrumentedRun.emptyTree(run.campaign()), tables)
            .telling(
                (ordinal, stack, instruction, isNew) ->
                    recent.reached(ordinal, new Occurrence(stack.id(), 1)));
    read(program, detector, recent);
    return known;
  }

  private static Occurrence first(int source) {
    return new Occurrence(TargetByHand.stack(source).id(), 1);
  }

  @Test
  void onlyTheLastStoresShouldBeNamedAndTheOthersCounted() throws IOException {
    KnownChanges known =
        known(
            calls -> {
              for (int source = 1; source <= 40; source++) {
                calls.store(source, 0, source);
              }
              calls.flush(50, 0);
              for (int source = 51; source <= 70; source++) {
                calls.store(source, 1, source);
              }
              calls.flush(80, 1);
            });
    ImageChanges changes = known.of(first(50)).orElseThrow();
    ImageLacks lacks =
        known.between(TargetByHand.stack(50).id(), TargetByHand.stack(80).id()).orElseThrow();

    assertThat(changes.more()).isEqualTo(8);
    assertThat(changes.stores()).hasSize(32);
    assertThat(changes.stores().get(0).stack().get(0).line()).isEqualTo(9);
    assertThat(changes.stores().get(31).bytes()).isEqualTo("2800000000000000");
    assertThat(lacks.stores()).hasSize(16);
    assertThat(lacks.more()).isEqualTo(4);
    assertThat(lacks.last()).contains("/src/app.c:70");
    assertThat(lacks.consistentAt()).isEqualTo(TargetByHand.stack(80).id());
    assertThat(known.of(first(99))).isEmpty();
    assertThat(until(known, 50, Long.MAX_VALUE)).as("too many").isEmpty();
    assertThat(until(known, 50, 0)).as("none").isEmpty();
    assertThat(until(known, 99, Long.MAX_VALUE)).as("unknown").isEmpty();
  }

  private static Optional<ImageLacks> until(KnownChanges known, int source, long ordinal) {
    Occurrence later = new Occurrence(TargetByHand.stack(80).id(), 3);
    return known.until(first(source), later, ordinal);
  }

  @Test
  void changeOfMetadataShouldBeNamedIfItIsAllThatChanged() throws IOException {
    KnownChanges known =
        known(
            calls ->
                calls
                    .store(1, 0, 7)
                    .change(2, MetadataKind.UNLINK, "data", "")
                    .change(3, MetadataKind.RENAME, "new", "data")
                    .store(4, 0, 8)
                    .flush(5, 0));
    FailurePointId unlink = TargetByHand.stack(2).id();
    FailurePointId rename = TargetByHand.stack(3).id();
    FailurePointId flush = TargetByHand.stack(5).id();
    ImageLacks lacks = known.between(rename, flush).orElseThrow();

    assertThat(known.of(first(2)).orElseThrow().call()).as("only the store").isEmpty();
    assertThat(known.of(first(3)).orElseThrow().call().orElseThrow().inWords())
        .isEqualTo("the unlink of data at work at /src/app.c:2");
    assertThat(known.of(first(5)).orElseThrow().call()).as("a store, too").isEmpty();
    assertThat(known.previous(first(2))).isEmpty();
    assertThat(known.previous(first(5)).orElseThrow())
        .isGreaterThan(known.previous(first(3)).orElseThrow());
    assertThat(lacks.inWords())
        .isEqualTo(
            "2 changes that come later, from the rename of new to data at work at /src/app.c:3"
                + " to the store at work at /src/app.c:4");
    assertThat(lacks.calls()).hasSize(1);
    assertThat(known.between(unlink, rename).orElseThrow().inWords())
        .isEqualTo("the unlink of data at work at /src/app.c:2, which comes later");
  }

  @Test
  void storesUntilALaterOccurrenceShouldBeKnownIfTheyAreFew() throws IOException {
    KnownChanges known =
        known(calls -> calls.store(1, 0, 7).flush(2, 0).store(3, 1, 8).store(4, 2, 9));
    ImageLacks lacks = until(known, 2, Long.MAX_VALUE).orElseThrow();

    assertThat(lacks.consistentOccurrence()).isEqualTo(3);
    assertThat(lacks.stores()).hasSize(2);
    assertThat(lacks.last()).contains("/src/app.c:4");
    assertThat(lacks.more()).isZero();
  }

  @Test
  void runThatTestedNothingShouldBeRefusedWithTheReason() throws IOException {
    assertThatThrownBy(() -> nothing("", calls -> calls.flush(1, 0)).refuse(false))
        .isInstanceOf(PowercutException.class)
        .hasMessageContaining("the target stored nothing");
    assertThatThrownBy(() -> nothing("", calls -> calls.store(1, 0, 1)).refuse(false))
        .hasMessageContaining("reached no flush, fence or msync");
    assertThatThrownBy(
            () ->
                nothing("failurePoints: {begin: work}\n", calls -> calls.store(1, 0, 1))
                    .refuse(false))
        .hasMessageContaining("failurePoints.begin is work, which this run did not call");
    assertThatThrownBy(() -> nothing("", calls -> calls.mark(false).store(1, 0, 1)).refuse(false))
        .hasMessageContaining("powercut_begin() and did not come to it");
    assertThatCode(() -> nothing("", calls -> calls.store(1, 0, 1).flush(2, 0)).refuse(true))
        .doesNotThrowAnyException();
  }

  @Test
  void runWhoseEndIsLeftOutShouldSayForWhichKey() throws IOException {
    for (String key :
        List.of("injection: re-executed", "crashStates.enabled: false", "occurrences")) {
      String section =
          switch (key) {
            case "occurrences" -> "occurrences: {first: 2}\n";
            case "crashStates.enabled: false" -> "crashStates: {enabled: false}\n";
            default -> key + "\n";
          };
      NothingTested nothing = nothing(section, calls -> calls.store(1, 0, 1));

      assertThat(nothing.mayTestTheEnd()).as(key).isFalse();
      assertThatThrownBy(() -> nothing.refuse(false))
          .hasMessageContaining("The end of the run was not tested either: " + key);
    }
    assertThat(nothing("", calls -> calls.store(1, 0, 1)).mayTestTheEnd()).isTrue();
    assertThat(nothing("", calls -> calls.flush(1, 0)).mayTestTheEnd()).isFalse();
  }

  private NothingTested nothing(String sections, TargetByHand.Program program) throws IOException {
    Campaign campaign = run.campaign(sections);
    return new NothingTested(campaign, observed(campaign, program));
  }

  @Test
  void logShouldHoldTheWantedOutputsInTheirOrder() throws IOException {
    try (AcknowledgedLog log =
            AcknowledgedLog.open(Set.of(OutputKind.STANDARD_OUTPUT), run.resources().area());
        AcknowledgedLog others =
            AcknowledgedLog.open(Set.of(OutputKind.SOCKET), run.resources().area());
        AcknowledgedLog none = AcknowledgedLog.open(Set.of(), run.resources().area())) {
      read(calls -> calls.say("put 1\npu").say("t 2\n"), log, others, none);
      Acknowledgement told = log.now().orElseThrow();

      assertThat(told.lines()).isEqualTo(2);
      assertThat(told.log()).hasContent("put 1\nput 2\n");
      assertThat(others.now().orElseThrow().bytes()).isZero();
      assertThat(none.now()).isEmpty();
    }
  }

  @Test
  void recordThatLacksAStoreShouldBeRefusedWithTheStoreBeforeIt() throws IOException {
    try (PrivateDirectory pages = run.resources().area().newDirectory();
        PmState state = InstrumentedRun.openState(run.base(), pages)) {
      RecordCheck check = new RecordCheck(tables, state);
      read(calls -> calls.store(8, 0, 1).flush(9, 0), new ProgramOrder(state), check);
      Path same = pm(1);
      Path other = pm(2);

      assertThat(check.compare(same)).isEmpty();
      assertThatThrownBy(() -> check.compare(other))
          .isInstanceOf(PowercutException.class)
          .hasMessageContaining("pool differs from the record at offset 0x0")
          .hasMessageContaining("work at app.c:8");
    }
  }

  private Path pm(int first) throws IOException {
    Path pm = Files.createTempDirectory(run.folder(), "pm");
    byte[] bytes = new byte[TargetByHand.SIZE];
    bytes[0] = (byte) first;
    Files.write(pm.resolve(TargetByHand.FILE), bytes);
    Files.setPosixFilePermissions(pm, Files.getPosixFilePermissions(run.base()));
    return pm;
  }

  @Test
  void storeShouldBeNamedByWhatIsAssignedAtTheUsersLine() throws IOException {
    Path source =
        Files.writeString(run.folder().resolve("app.c"), "int main() {\n  node->next = 3;\n}");
    StackFrame user = new StackFrame("main", source.toString(), 2, "app", "0x1");

    assertThat(NamedStore.variable(List.of(user))).isEqualTo("node->next");
    assertThat(NamedStore.of(List.of(user), "node->next"))
        .startsWith("the store to node->next at main");
    assertThat(NamedStore.of(List.of(), "")).isEqualTo("the store at an unknown place");
  }
}
