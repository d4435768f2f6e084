// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.powercut.analysis.PatternKind;
import io.powercut.campaign.Acknowledging;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignFixtures;
import io.powercut.campaign.dataraces.DataRacesSection;
import io.powercut.campaign.dataraces.RaceBackend;
import io.powercut.campaign.dataraces.RaceDetector;
import io.powercut.campaign.dataraces.SuppressedRaces;
import io.powercut.campaign.locks.CallValue;
import io.powercut.campaign.locks.LockMode;
import io.powercut.campaign.locks.LockRole;
import io.powercut.campaign.locks.LockTest;
import io.powercut.campaign.locks.MemorySize;
import io.powercut.campaign.process.ClientSection;
import io.powercut.campaign.process.Expectation;
import io.powercut.campaign.process.ReadyCondition;
import io.powercut.campaign.process.ReadySection;
import io.powercut.campaign.process.StopAction;
import io.powercut.campaign.process.StopSection;
import io.powercut.campaign.sections.AllocatorSection;
import io.powercut.campaign.sections.BuildSection;
import io.powercut.campaign.sections.CrashStatesSection;
import io.powercut.campaign.sections.Determinism;
import io.powercut.campaign.sections.DeterminismSection;
import io.powercut.campaign.sections.DumpSection;
import io.powercut.campaign.sections.FailOn;
import io.powercut.campaign.sections.FailurePointsSection;
import io.powercut.campaign.sections.Granularity;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.campaign.sections.LibraryKnowledge;
import io.powercut.campaign.sections.LimitsSection;
import io.powercut.campaign.sections.OccurrencesSection;
import io.powercut.campaign.sections.OracleSection;
import io.powercut.campaign.sections.PatternsSection;
import io.powercut.campaign.sections.PmSection;
import io.powercut.campaign.sections.RacesSection;
import io.powercut.campaign.sections.RecoveryCrashSection;
import io.powercut.campaign.sections.RecoveryStep;
import io.powercut.campaign.sections.SchedulePolicy;
import io.powercut.campaign.sections.ScheduleSection;
import io.powercut.campaign.sections.SetupSection;
import io.powercut.campaign.sections.SynchronisationSection;
import io.powercut.campaign.sections.TargetSection;
import io.powercut.campaign.sections.TraceSection;
import io.powercut.campaign.template.CommandTemplate;
import io.powercut.campaign.template.Regex;
import io.powercut.campaign.template.TextTemplate;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.process.DataSize;
import io.powercut.process.Signal;
import io.powercut.trace.TraceEvent.OutputKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CampaignLoaderTest {
  private static final Expectation EXIT_0 =
      new Expectation(List.of(0), List.of(), Optional.empty(), Optional.empty());

  @TempDir Path directory;

  @Test
  void shouldFillInEveryDefault() {
    Campaign campaign = CampaignFixtures.load(directory, CampaignFixtures.LEAST);

    assertThat(campaign)
        .isEqualTo(
            new Campaign(
                "campaign",
                Optional.empty(),
                Map.of(),
                directory,
                Optional.empty(),
                new PmSection(Optional.empty(), DataSize.ofGibibytes(2)),
                Map.of(),
                Optional.empty(),
                new TargetSection(
                    CommandTemplate.of("app"),
                    Duration.ofMinutes(10),
                    EXIT_0,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()),
                List.of(
                    new RecoveryStep(
                        "recovery",
                        CommandTemplate.of("check"),
                        Duration.ofSeconds(10),
                        Optional.empty(),
                        EXIT_0,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false)),
                List.of(),
                Optional.empty(),
                new FailurePointsSection(
                    Granularity.PERSISTENCY, List.of(), false, Optional.empty(), Optional.empty()),
                InjectionMode.RECORDED,
                new OccurrencesSection(Optional.empty(), Optional.empty(), Optional.empty(), 5, 1),
                new CrashStatesSection(
                    true,
                    true,
                    true,
                    true,
                    true,
                    0,
                    1,
                    0,
                    4,
                    16,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty()),
                new RecoveryCrashSection(50, 4, true, List.of()),
                new PatternsSection(true, true, List.of()),
                List.of(LibraryKnowledge.PMDK),
                new RacesSection(
                    true,
                    false,
                    List.of(),
                    List.of(),
                    false,
                    1,
                    1,
                    Optional.empty(),
                    16,
                    Optional.empty()),
                Optional.empty(),
                PersistencyDomain.ADR,
                List.of(FailOn.BUG),
                directory.resolve("powercut-baseline.yaml"),
                new TraceSection(false, DataSize.ofMebibytes(256)),
                new DeterminismSection(
                    Determinism.FIXED, Determinism.FIXED, Determinism.FIXED, Determinism.FIXED),
                new ScheduleSection(SchedulePolicy.DEFAULT, 0, 100_000),
                new OracleSection(true, true),
                new LimitsSection(
                    Optional.empty(),
                    DataSize.ofGibibytes(4),
                    DataSize.ofMebibytes(1),
                    Optional.empty(),
                    Optional.empty(),
                    DataSize.ofMebibytes(512))));
  }

  @Test
  void shouldFillInTheDefaultsOfOptionalSections() {
    Campaign campaign =
        CampaignFixtures.load(
            directory,
            """
            build: {command: [make]}
            setup: {command: [create]}
            target: {command: [app], ready: {file: up}, client: {command: [client]}}
            recovery: {command: [check], ready: {file: up}, stop: {}}
            """);

    assertThat(campaign.build().orElseThrow().timeout()).isEqualTo(Duration.ofMinutes(10));
    assertThat(campaign.setup().orElseThrow().timeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(campaign.target().ready().orElseThrow().timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(campaign.target().client())
        .contains(new ClientSection(CommandTemplate.of("client"), Duration.ofMinutes(1), EXIT_0));
    assertThat(campaign.target().stopAction())
        .isEqualTo(new StopAction.BySignal(Signal.TERM, Duration.ofSeconds(10)))
        .isEqualTo(campaign.recovery().get(0).stopAction());
  }

  @Test
  void shouldBindEveryKey() {
    assertThat(CampaignLoader.load(CampaignFixtures.everyKey()))
        .isEqualTo(
            new Campaign(
                "every-key",
                Optional.of("Every key, none of them with its default"),
                Map.of(
                    "map", new TextTemplate("btree"),
                    "operations", new TextTemplate("1000"),
                    "pool", new TextTemplate("{pm}/pool"),
                    "weight", new TextTemplate("1e3"),
                    "hexadecimal", new TextTemplate("0x10"),
                    "on", new TextTemplate("true")),
                CampaignFixtures.resources().resolveSibling("work"),
                Optional.of(
                    new BuildSection(
                        CommandTemplate.of("make", "-C", "src"), Duration.ofSeconds(90))),
                new PmSection(
                    Optional.of(CampaignFixtures.resources().resolve("pmem")),
                    DataSize.ofMebibytes(64)),
                Map.of(
                    "PMEM_IS_PMEM_FORCE", new TextTemplate("1"),
                    "LOG", new TextTemplate("{run}/log")),
                Optional.of(everyKeyOfTheSetup()),
                everyKeyOfTheTarget(),
                List.of(
                    repair(),
                    everyKeyOfARecoveryStep(),
                    check("unix", Optional.of("{run}/socket"), Optional.empty()),
                    check("file", Optional.empty(), Optional.of("{run}/up"))),
                List.of(Acknowledging.STDOUT, Acknowledging.SOCKETS),
                Optional.of(everyKeyOfTheDump()),
                new FailurePointsSection(
                    Granularity.STORE,
                    List.of("pmemobj_create", "ns::f(int)"),
                    true,
                    Optional.of("main"),
                    Optional.of("stop")),
                InjectionMode.RECORDED,
                new OccurrencesSection(Optional.of(2), Optional.of(3), Optional.of(4), 6, 5),
                new CrashStatesSection(
                    true,
                    false,
                    true,
                    false,
                    false,
                    16,
                    7,
                    3,
                    32,
                    12,
                    Optional.of(Duration.ofSeconds(30)),
                    Optional.of(true),
                    Optional.of(9000)),
                new RecoveryCrashSection(7, 2, false, List.of("replay")),
                new PatternsSection(
                    false,
                    false,
                    List.of(PatternKind.DIRTY_OVERWRITE, PatternKind.MULTI_STORE_FLUSH)),
                List.of(),
                new RacesSection(
                    false,
                    true,
                    List.of(
                        new SynchronisationSection(
                            "ns::Node::*Lock*(bool&)",
                            LockRole.TRY_ACQUIRE,
                            LockMode.SHARED,
                            new CallValue("value at argument 1 + 8 * argument 2 - 16"),
                            Optional.of(new LockTest("byte at argument 2 + 1 is zero"))),
                        new SynchronisationSection(
                            "unlock",
                            LockRole.RELEASE,
                            LockMode.EXCLUSIVE,
                            new CallValue("number 3"),
                            Optional.empty())),
                    List.of(
                        new AllocatorSection(
                            "ns::Heap::resize",
                            new CallValue("value at argument 2"),
                            new MemorySize("argument 3 * argument 4"),
                            Optional.of(new CallValue("argument 1 + argument 2")),
                            Optional.of(new LockTest("zero"))),
                        new AllocatorSection(
                            "new_node",
                            new CallValue("result"),
                            new MemorySize("64B"),
                            Optional.empty(),
                            Optional.empty())),
                    true,
                    16,
                    8,
                    Optional.of(3),
                    5,
                    Optional.of(Duration.ofMinutes(2))),
                Optional.of(
                    new DataRacesSection(
                        RaceDetector.BOTH,
                        true,
                        RaceBackend.SOFTWARE,
                        Optional.of(CommandTemplate.of("races/app", "{pm}/pool")),
                        5,
                        List.of(
                            new SuppressedRaces(Optional.of("stats_*"), Optional.empty()),
                            new SuppressedRaces(Optional.empty(), Optional.of("stats.c"))))),
                PersistencyDomain.EADR,
                List.of(FailOn.BUG, FailOn.PERFORMANCE, FailOn.UNORDERED_FENCE),
                CampaignFixtures.resources().resolve("accepted.yaml"),
                new TraceSection(true, DataSize.ofGibibytes(1)),
                new DeterminismSection(
                    Determinism.FREE, Determinism.FREE, Determinism.FREE, Determinism.FREE),
                new ScheduleSection(SchedulePolicy.PCT, 7, 5_000),
                new OracleSection(false, false),
                new LimitsSection(
                    Optional.of(3),
                    new DataSize(1_000_000_000),
                    DataSize.ofKibibytes(64),
                    Optional.of(Duration.ofHours(2)),
                    Optional.of(5000),
                    DataSize.ofGibibytes(1))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "setup: {command: [app, \"{acknowledged}\"]}",
        "setup: {command: [app], ready: {file: \"{acknowledged}\"}}",
        "environment: {TOLD: \"{acknowledged}\"}",
        "parameters: {told: \"{acknowledged}\"}\nsetup: {command: [app, \"{told}\"]}"
      })
  void shouldRefuseWhatIsAcknowledgedOutsideRecovery(String section) {
    assertThatThrownBy(
            () -> CampaignFixtures.load(directory, section + "\n" + CampaignFixtures.LEAST))
        .hasMessageContaining("has {acknowledged} outside 'recovery'");
  }

  @Test
  void shouldLookForWhatIsAcknowledgedInWhatAServerIsReadyBy() {
    assertThatThrownBy(
            () ->
                CampaignFixtures.load(
                    directory,
                    """
                    target: {command: [app], ready: {unix: "{acknowledged}"}}
                    recovery: {command: [check]}
                    """))
        .hasMessageContaining("has {acknowledged} outside 'recovery'");
    assertThat(
            CampaignFixtures.load(
                    directory,
                    """
                    target: {command: [app]}
                    recovery: {command: [server], ready: {file: "{acknowledged}.read"}}
                    """)
                .acknowledgedOutputs())
        .containsExactly(OutputKind.STANDARD_OUTPUT);
  }

  @Test
  void shouldRefuseADumpWhereNoStatesOfTheRunAreThereToCompareWith() {
    assertThatThrownBy(
            () ->
                CampaignFixtures.load(
                    directory,
                    "injection: re-executed\ndump: {command: [dump]}\n" + CampaignFixtures.LEAST))
        .hasMessageContaining("needs 'injection: recorded'")
        .hasMessageContaining("'dump: null'");
  }

  @Test
  void shouldRefuseARecoveryStepThatIsCalledAsTheDump() {
    assertThatThrownBy(
            () ->
                CampaignFixtures.load(
                    directory,
                    """
                    target: {command: [app]}
                    recovery: {name: dump, command: [check]}
                    dump: {command: [dump]}
                    """))
        .hasMessageContaining("steps are called 'dump'");
  }

  @Test
  void shouldTakeStandardOutputForAcknowledgementsOfADump() {
    String dump = "dump: {command: [dump]}\n";
    assertThat(
            CampaignFixtures.load(directory, dump + CampaignFixtures.LEAST).acknowledgedOutputs())
        .containsExactly(OutputKind.STANDARD_OUTPUT);
    assertThat(
            CampaignFixtures.load(
                    directory, dump + "acknowledged: [sockets]\n" + CampaignFixtures.LEAST)
                .acknowledgedOutputs())
        .containsExactly(OutputKind.SOCKET);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[check] | | ",
        "[check, \"{acknowledged}\"] | | STANDARD_OUTPUT",
        "[check, \"{told}\"] | | STANDARD_OUTPUT",
        "[check, \"{told}\"] | [files] | FILE",
        "[check] | [sockets] | SOCKET"
      })
  void shouldAskForOutputsWhenRecoveryNamesThemOrTheKeyDoes(
      String command, @Nullable String key, @Nullable OutputKind expected) {
    String campaign =
        "parameters: {told: \"{acknowledged}\"}\ntarget: {command: [run]}\nrecovery: {command: "
            + command
            + "}\n"
            + (key == null ? "" : "acknowledged: " + key + "\n");

    assertThat(CampaignFixtures.load(directory, campaign).acknowledgedOutputs())
        .isEqualTo(expected == null ? Set.of() : Set.of(expected));
  }

  @Test
  void shouldTakeAStepForAListOfOne() {
    Campaign single = CampaignFixtures.load(directory, CampaignFixtures.LEAST);
    Campaign list =
        CampaignFixtures.load(
            directory, "target: {command: [app]}\nrecovery:\n  - command: [check]\n");

    assertThat(single).isEqualTo(list);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        build: {command: [make], timeout: 1s}
        pm: {limit: 1MiB}
        setup: {command: [app], timeout: 10ms}
        target: {command: [app], timeout: 100ms, success: {exit: [0]}}
        recovery: {command: [check], timeout: 10ms, memory: 16MiB, ready: {file: up, timeout: 10ms}, stop: {grace: 0s}}
        limits: {parallel: 1, memory: 16MiB, output: 4KiB, time: 1s, images: 1, diskReserve: 0B}
        """,
        """
        build: {command: [make], timeout: 1d}
        pm: {limit: 64TiB}
        setup: {command: [app], timeout: 1d}
        target: {command: [app], timeout: 7d, success: {exit: [255]}}
        recovery: {command: [check], timeout: 1d, memory: 64TiB, ready: {file: up, timeout: 1d}, stop: {grace: 1d}}
        limits: {parallel: 1024, memory: 64TiB, output: 1GiB, time: 365d, images: 999999999, diskReserve: 64TiB}
        """
      })
  void shouldAcceptTheBoundsThemselves(String text) {
    assertThat(CampaignFixtures.load(directory, text)).isNotNull();
  }

  @Test
  void shouldUnderstandAnchors() {
    Campaign campaign =
        CampaignFixtures.load(
            directory,
            """
            target: {command: &program [app, "{pm}"], success: &end {exit: [3]}}
            recovery: {command: *program, consistent: *end}
            """);

    assertThat(campaign.recovery().get(0).command()).isEqualTo(campaign.target().command());
    assertThat(campaign.recovery().get(0).consistent().exit()).containsExactly(3);
  }

  @Test
  void shouldTakeNullForAKeyThatIsNotThere() {
    Campaign campaign =
        CampaignFixtures.load(
            directory,
            """
            name: null
            parameters: {a: 1, b: ~}
            limits: ~
            pm: {limit: null}
            target: {command: [app]}
            recovery: {command: [check]}
            """);

    assertThat(campaign)
        .isEqualTo(
            CampaignFixtures.load(directory, "parameters: {a: 1}\n" + CampaignFixtures.LEAST));
  }

  @Test
  void shouldGiveConditionsAsTypes() {
    Campaign campaign = CampaignLoader.load(CampaignFixtures.everyKey());

    assertThat(campaign.target().ready().orElseThrow().condition())
        .isEqualTo(new ReadyCondition.Tcp(new TextTemplate("127.0.0.1:{port}")));
    assertThat(campaign.recovery().get(0).isServer()).isFalse();
    assertThat(
            campaign.recovery().stream()
                .flatMap(step -> step.ready().stream())
                .map(ready -> ready.condition()))
        .containsExactly(
            new ReadyCondition.LogLine(new Regex("^ready {2}")),
            new ReadyCondition.UnixSocket(new TextTemplate("{run}/socket")),
            new ReadyCondition.FileExists(new TextTemplate("{run}/up")));
    assertThat(campaign.recovery().get(1).stopAction())
        .isEqualTo(
            new StopAction.ByCommand(
                CommandTemplate.of("./stop", "{port}"), Duration.ofSeconds(1)));
  }

  private static SetupSection everyKeyOfTheSetup() {
    return new SetupSection(
        CommandTemplate.of("./app", "create", "{pool}"),
        Duration.ofMinutes(2),
        Optional.of(
            new ReadySection(
                Optional.empty(),
                Optional.of(new TextTemplate("{run}/filling")),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(30))),
        Optional.of(new ClientSection(CommandTemplate.of("./fill"), Duration.ofSeconds(8), EXIT_0)),
        Optional.of(
            new StopSection(Optional.empty(), Optional.of(Signal.INT), Duration.ofSeconds(10))));
  }

  private static DumpSection everyKeyOfTheDump() {
    return new DumpSection(
        CommandTemplate.of("./app", "dump", "{pool}"),
        Duration.ofSeconds(4),
        Optional.of(
            new ReadySection(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Regex("up")),
                Duration.ofSeconds(30))),
        Optional.of(
            new ClientSection(
                CommandTemplate.of("./client", "dump"), Duration.ofSeconds(9), EXIT_0)),
        Optional.of(
            new StopSection(
                Optional.of(CommandTemplate.of("./stop")),
                Optional.empty(),
                Duration.ofSeconds(3))));
  }

  private static TargetSection everyKeyOfTheTarget() {
    return new TargetSection(
        CommandTemplate.of("./app", "{map}", "{pool}", "{operations}"),
        Duration.ofMinutes(90),
        new Expectation(
            List.of(0, 3),
            List.of(Signal.TERM),
            Optional.of(new Regex("done")),
            Optional.of(new Regex("error|x{3}"))),
        Optional.of(
            new ReadySection(
                Optional.of(new TextTemplate("127.0.0.1:{port}")),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(5))),
        Optional.of(
            new ClientSection(
                CommandTemplate.of("./client", "{port}"),
                Duration.ofMinutes(2),
                new Expectation(List.of(7), List.of(), Optional.empty(), Optional.empty()))),
        Optional.of(
            new StopSection(Optional.empty(), Optional.of(Signal.INT), Duration.ofMillis(500))));
  }

  private static RecoveryStep everyKeyOfARecoveryStep() {
    return new RecoveryStep(
        "recover",
        CommandTemplate.of("{home}/recover"),
        Duration.ofSeconds(20),
        Optional.of(DataSize.ofGibibytes(1)),
        new Expectation(List.of(), List.of(Signal.KILL), Optional.empty(), Optional.empty()),
        Optional.of(
            new ReadySection(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Regex("^ready {2}")),
                Duration.ofMinutes(1))),
        Optional.of(
            new ClientSection(
                CommandTemplate.of("./probe"),
                Duration.ofSeconds(3),
                new Expectation(
                    List.of(0), List.of(), Optional.of(new Regex("ok")), Optional.empty()))),
        Optional.of(
            new StopSection(
                Optional.of(CommandTemplate.of("./stop", "{port}")),
                Optional.empty(),
                Duration.ofSeconds(1))),
        false);
  }

  private static RecoveryStep repair() {
    return new RecoveryStep(
        "repair",
        CommandTemplate.of("repair"),
        Duration.ofSeconds(10),
        Optional.empty(),
        EXIT_0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        true);
  }

  private static RecoveryStep check(String name, Optional<String> unix, Optional<String> file) {
    return new RecoveryStep(
        name,
        CommandTemplate.of("check"),
        Duration.ofSeconds(10),
        Optional.empty(),
        EXIT_0,
        Optional.of(
            new ReadySection(
                Optional.empty(),
                unix.map(TextTemplate::new),
                file.map(TextTemplate::new),
                Optional.empty(),
                Duration.ofSeconds(30))),
        Optional.empty(),
        Optional.empty(),
        false);
  }
}
