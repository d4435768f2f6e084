// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.binding.Scope;
import io.powercut.campaign.dataraces.DataRacesSection;
import io.powercut.campaign.sections.BuildSection;
import io.powercut.campaign.sections.CrashStatesSection;
import io.powercut.campaign.sections.DeterminismSection;
import io.powercut.campaign.sections.DumpSection;
import io.powercut.campaign.sections.FailOn;
import io.powercut.campaign.sections.FailurePointsSection;
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
import io.powercut.campaign.sections.ScheduleSection;
import io.powercut.campaign.sections.SetupSection;
import io.powercut.campaign.sections.TargetSection;
import io.powercut.campaign.sections.TraceSection;
import io.powercut.campaign.template.Placeholders;
import io.powercut.campaign.template.TextTemplate;
import io.powercut.persistency.PersistencyDomain;
import io.powercut.trace.TraceEvent.OutputKind;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One campaign: all that is said in a campaign file, in those it extends and in overrides, with
 * defaults filled in.
 */
public record Campaign(
    @Key(
            value = "Names the campaign, its run directory and its findings.",
            defaultNote = "the file's name without .yaml",
            pattern = Campaign.NAME,
            example = "pmdk-btree")
        String name,
    @Key(
            value = "What the campaign is for, in your own words.",
            example = "every operation of the map, from a full pool")
        Optional<String> description,
    @Key(
            value =
                "Your own placeholders and their values. `{NAME}` in a command or in the environment is replaced."
                    + " `--set parameters.NAME=VALUE` changes one for a single run. A value may hold {pm}, {port}, {run},"
                    + " {home} and {acknowledged}, but no other parameter.",
            namePattern = TextTemplate.NAME,
            scope = Scope.PARAMETER,
            example = "{map: btree, operations: 1000}")
        Map<String, TextTemplate> parameters,
    @Key(
            value =
                "The directory in which all commands run. A program with a slash in its path is looked up from there."
                    + " Relative to the file that sets it.",
            defaultNote = "the directory of the campaign file",
            example = "..")
        Path workingDirectory,
    @Key(
            value =
                "Builds the target. It runs once per campaign, without the `environment` below.",
            example = "{command: [make, -C, src]}")
        Optional<BuildSection> build,
    @Key("Where the target keeps its persistent files.") PmSection pm,
    @Key(
            value =
                "Variables added to Powercut's own environment, for set-up, target, recovery and their clients.",
            namePattern = "[A-Za-z_][A-Za-z0-9_]*",
            example = "{PMEM_IS_PMEM_FORCE: 1}")
        Map<String, TextTemplate> environment,
    @Key(
            value =
                "Creates the files that the target starts from. The power is not cut in it. Every execution starts with its"
                    + " result.",
            example = "{command: [./app, create, \"{pm}/pool\"]}")
        Optional<SetupSection> setup,
    @Key(
            value = "The program whose persistence is tested. It runs under instrumentation.",
            example = "{command: [./app, run, \"{pm}/pool\"]}")
        TargetSection target,
    @Key(
            value =
                "Judges a crash image: one command, or a list of steps that run in order on the same private copy of the"
                    + " image. The first step that does not find the image consistent decides the verdict.",
            single = true,
            example = "{command: [./app, check, \"{pm}/pool\"]}")
        List<RecoveryStep> recovery,
    @Key(
            value =
                "The outputs of the target that recovery can read. The file `{acknowledged}` holds what the target had"
                    + " written to them before the power cut: `stdout`, `stderr`, `files` (outside PM), `sockets`,"
                    + " `pipes`. Default: `stdout` if a recovery command uses {acknowledged} or there is a `dump`;"
                    + " otherwise none.",
            example = "[stdout, sockets]")
        List<Acknowledging> acknowledged,
    @Key(
            value =
                "Prints the application's contents after the recovery of each image. They must equal the contents at the"
                    + " last acknowledgement before the power cut, or at the next one after it. Both are recovered and"
                    + " printed in the same way. Only with `injection: recorded`, and for targets that run one operation"
                    + " at a time.",
            example = "{command: [./app, dump, \"{pm}/pool\"]}")
        Optional<DumpSection> dump,
    @Key("Where the power is cut.") FailurePointsSection failurePoints,
    @Key(
            value =
                "How the image at a failure point is made: `re-executed` runs the target again and stops it there,"
                    + " `recorded` rebuilds it from one recorded run.",
            defaultValue = "recorded")
        InjectionMode injection,
    @Key("Which occurrences of a failure point are judged, when it is reached more than once.")
        OccurrencesSection occurrences,
    @Key(
            "Crash states beyond program order: what a power cut may leave when caches lose lines. Only with"
                + " `injection: recorded`.")
        CrashStatesSection crashStates,
    @Key(
            value =
                "Crashes during recovery. The power is cut again in the steps of `recovery` with `inject: true`, and"
                    + " recovery runs on the result.",
            formerName = "secondCrash")
        RecoveryCrashSection recoveryCrash,
    @Key("The patterns that are searched for in the trace of the recorded run.")
        PatternsSection patterns,
    @Key(
            value =
                "Libraries of which it is known which patterns they leave in a trace on purpose. Such patterns are"
                    + " explained, and fail no run. `pmdk` is for targets that use libpmemobj.",
            defaultValue = "[pmdk]",
            example = "[]")
        List<LibraryKnowledge> knowledge,
    @Key(
            "Persistency-induced races: a thread loads what another thread stored and has not persisted."
                + " docs/races.md explains them.")
        RacesSection races,
    @Key(
            value =
                "Data races, in any memory of a target that `powercut cc` or `powercut c++` compiled."
                    + " docs/data-races.md explains them. Default: they are not looked for.",
            example = "{detector: both, runs: 5}")
        Optional<DataRacesSection> dataRaces,
    @Key(
            value =
                "What survives a power failure: memory alone (`adr`: caches are lost), or caches as well (`eadr`: no flushes"
                    + " are needed).",
            defaultValue = "adr")
        PersistencyDomain domain,
    @Key(
            value =
                "The findings that cause exit code 1, unless they are accepted: a severity (`bug`,"
                    + " `race`, `performance`, `warning`), a kind of pattern, or the least evidence of a race.",
            defaultValue = "[bug]",
            example = "[bug, performance, dirty-overwrite]")
        List<FailOn> failOn,
    @Key(
            value =
                "The file of accepted findings, to which `powercut accept` adds. It need not exist."
                    + " Relative to the file that sets it.",
            defaultNote = "powercut-baseline.yaml beside the campaign file",
            example = "accepted.yaml")
        Path baseline,
    @Key("How the trace of the recorded run is handled.") TraceSection trace,
    @Key("What is the same in every execution of the target.") DeterminismSection determinism,
    @Key("In which order threads of the target run.") ScheduleSection schedule,
    @Key("How far the recovery is trusted.") OracleSection oracle,
    @Key("Limits on time, memory and disk space.") LimitsSection limits) {
  public static final String NAME = "[a-z0-9][a-z0-9-]{0,63}";

  public Campaign {
    requireNonNull(name, "name is null");
    requireNonNull(description, "description is null");
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
    requireNonNull(workingDirectory, "workingDirectory is null");
    requireNonNull(build, "build is null");
    requireNonNull(pm, "pm is null");
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    requireNonNull(setup, "setup is null");
    requireNonNull(target, "target is null");
    recovery = List.copyOf(recovery);
    acknowledged = List.copyOf(acknowledged);
    requireNonNull(dump, "dump is null");
    requireNonNull(failurePoints, "failurePoints is null");
    requireNonNull(injection, "injection is null");
    requireNonNull(occurrences, "occurrences is null");
    requireNonNull(crashStates, "crashStates is null");
    requireNonNull(recoveryCrash, "recoveryCrash is null");
    requireNonNull(patterns, "patterns is null");
    knowledge = List.copyOf(knowledge);
    requireNonNull(races, "races is null");
    requireNonNull(dataRaces, "dataRaces is null");
    requireNonNull(domain, "domain is null");
    failOn = List.copyOf(failOn);
    requireNonNull(baseline, "baseline is null");
    requireNonNull(trace, "trace is null");
    requireNonNull(determinism, "determinism is null");
    requireNonNull(schedule, "schedule is null");
    requireNonNull(oracle, "oracle is null");
    requireNonNull(limits, "limits is null");
    if (injection == InjectionMode.RE_EXECUTED && !occurrences.isDoneByTheFirst()) {
      throw new IllegalArgumentException(
          "selects more 'occurrences' than the first, which needs 'injection: recorded'");
    }
    if (injection == InjectionMode.RE_EXECUTED && dump.isPresent()) {
      throw new IllegalArgumentException(
          "has a 'dump', which compares contents within one recorded run and so needs 'injection:"
              + " recorded'; write that, or 'dump: null'");
    }
    AcknowledgedUse use = new AcknowledgedUse(parameters);
    if (use.isIn(target, setup) || use.isIn(environment.values())) {
      throw new IllegalArgumentException(
          "has {acknowledged} outside 'recovery'; nothing is acknowledged before the power is cut");
    }
    Set<String> names = new HashSet<>();
    if (dump.isPresent()) {
      names.add(DumpSection.STEP);
    }
    for (RecoveryStep step : recovery) {
      if (step.inject() && injection == InjectionMode.RE_EXECUTED) {
        throw new IllegalArgumentException(
            "has 'inject: true' in recovery step '"
                + step.name()
                + "', which needs 'injection: recorded'");
      }
      if (!names.add(step.name())) {
        throw new IllegalArgumentException(
            "two recovery steps are called '" + step.name() + "'; give each a different name");
      }
    }
  }

  /** The outputs that recovery can read; empty if it reads none. */
  public Set<OutputKind> acknowledgedOutputs() {
    if (acknowledged.isEmpty()) {
      return dump.isPresent() || new AcknowledgedUse(parameters).isIn(recovery)
          ? Set.of(OutputKind.STANDARD_OUTPUT)
          : Set.of();
    }
    return acknowledged.stream().map(Acknowledging::kind).collect(Collectors.toSet());
  }

  /** What placeholders stand for before anything else is known: the parameters. */
  public Placeholders placeholders() {
    return Placeholders.of(parameters);
  }

  /** The environment of one execution. */
  public Map<String, String> environment(Placeholders placeholders) {
    Map<String, String> expanded = new LinkedHashMap<>();
    environment.forEach((name, value) -> expanded.put(name, value.expand(placeholders)));
    return expanded;
  }

  /** Whether recovery is cut, too. */
  public boolean cutsRecovery() {
    return recovery.stream().anyMatch(RecoveryStep::inject);
  }

  /** Whether crash states beyond program order are explored. */
  public boolean exploresStates() {
    return crashStates.enabled() && injection == InjectionMode.RECORDED;
  }
}
