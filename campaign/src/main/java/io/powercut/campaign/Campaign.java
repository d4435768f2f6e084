package io.powercut.campaign;

import static java.util.Objects.requireNonNull;

import io.powercut.campaign.binding.Key;
import io.powercut.campaign.binding.Scope;
import io.powercut.campaign.sections.BuildSection;
import io.powercut.campaign.sections.CrashStatesSection;
import io.powercut.campaign.sections.DeterminismSection;
import io.powercut.campaign.sections.DumpSection;
import io.powercut.campaign.sections.FailOn;
import io.powercut.campaign.sections.FailurePointsSection;
import io.powercut.campaign.sections.InjectionMode;
import io.powercut.campaign.sections.LimitsSection;
import io.powercut.campaign.sections.OccurrencesSection;
import io.powercut.campaign.sections.OracleSection;
import io.powercut.campaign.sections.PatternsSection;
import io.powercut.campaign.sections.PmSection;
import io.powercut.campaign.sections.RecoveryCrashSection;
import io.powercut.campaign.sections.RecoveryStep;
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
            value = "What the campaign is for, in your words.",
            example = "every operation of the map, from a full pool")
        Optional<String> description,
    @Key(
            value =
                "Names of your own and their values. `{NAME}` in a command or in the environment is replaced;"
                    + " `--set parameters.NAME=VALUE` changes one for one run. A value may hold {pm}, {port}, {run},"
                    + " {home} and {acknowledged}, but no other parameter.",
            namePattern = TextTemplate.NAME,
            scope = Scope.PARAMETER,
            example = "{map: btree, operations: 1000}")
        Map<String, TextTemplate> parameters,
    @Key(
            value =
                "The directory that all commands run in. A program with a slash in its path is looked for from"
                    + " there. Relative to the file that says it.",
            defaultNote = "the directory of the campaign file",
            example = "..")
        Path workingDirectory,
    @Key(
            value =
                "What has to be built first. It runs once a campaign, without the environment below.",
            example = "{command: [make, -C, src]}")
        Optional<BuildSection> build,
    @Key("Where the target keeps its persistent files.") PmSection pm,
    @Key(
            value =
                "Variables added to powercut's own environment, for setup, target, recovery and their clients.",
            namePattern = "[A-Za-z_][A-Za-z0-9_]*",
            example = "{PMEM_IS_PMEM_FORCE: 1}")
        Map<String, TextTemplate> environment,
    @Key(
            value =
                "What makes the files that the target starts from. It is not cut. Its result is what every execution"
                    + " begins with.",
            example = "{command: [./app, create, \"{pm}/pool\"]}")
        Optional<SetupSection> setup,
    @Key(
            value = "The program whose persistence is tested. It runs under instrumentation.",
            example = "{command: [./app, run, \"{pm}/pool\"]}")
        TargetSection target,
    @Key(
            value =
                "What judges a crash image: one command or a list of steps, run in order on the same private copy"
                    + " of the image. The first step that does not find it consistent decides.",
            single = true,
            example = "{command: [./app, check, \"{pm}/pool\"]}")
        List<RecoveryStep> recovery,
    @Key(
            value =
                "Which outputs of the target recovery is told of: what the target had written there before the power"
                    + " cut is in the file `{acknowledged}`. `stdout`, `stderr`, `files` (outside PM), `sockets`,"
                    + " `pipes`. Absent: `stdout` if a command of recovery names {acknowledged} or there is a `dump`,"
                    + " else none.",
            example = "[stdout, sockets]")
        List<Acknowledging> acknowledged,
    @Key(
            value =
                "Prints what the application holds, after the recovery of each image. That must be what it holds at the"
                    + " acknowledgement in front of the power cut or at the one behind it, recovered and printed likewise."
                    + " Only with `injection: recorded`, and for targets with one operation under way at a time.",
            example = "{command: [./app, dump, \"{pm}/pool\"]}")
        Optional<DumpSection> dump,
    @Key("Where the power is cut.") FailurePointsSection failurePoints,
    @Key(
            value =
                "How the image at a failure point is made: `re-executed` runs the target again and stops it there,"
                    + " `recorded` rebuilds it from one recorded run.",
            defaultValue = "recorded")
        InjectionMode injection,
    @Key("Which visits of a failure point are judged, when it is reached more than once.")
        OccurrencesSection occurrences,
    @Key(
            "Crash states beyond program order: what a power cut may leave when caches lose lines. Only with"
                + " `injection: recorded`.")
        CrashStatesSection crashStates,
    @Key(
            "Second crashes: the power is cut in those steps of `recovery` that have `inject: true`, and recovery is"
                + " asked again.")
        RecoveryCrashSection secondCrash,
    @Key("What is looked for in the trace of the recorded run, beside crash images.")
        PatternsSection patterns,
    @Key(
            value =
                "What a power failure leaves: `adr` (memory only: caches are lost) or `eadr` (caches as well: flushes"
                    + " are not needed).",
            defaultValue = "adr")
        PersistencyDomain domain,
    @Key(
            value =
                "Which findings make the run end with exit code 1, unless they are accepted: a severity (`bug`,"
                    + " `performance`, `warning`) or a kind of pattern.",
            defaultValue = "[bug]",
            example = "[bug, performance, dirty-overwrite]")
        List<FailOn> failOn,
    @Key(
            value =
                "The file of accepted findings, to which `powercut accept` adds; it need not exist. Relative to the"
                    + " file that says it.",
            defaultNote = "powercut-baseline.yaml beside the campaign file",
            example = "accepted.yaml")
        Path baseline,
    @Key("What becomes of the recorded run.") TraceSection trace,
    @Key("What is kept the same in every execution of the target.") DeterminismSection determinism,
    @Key("How far the recovery is trusted.") OracleSection oracle,
    @Key("What the campaign may use.") LimitsSection limits) {
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
    requireNonNull(secondCrash, "secondCrash is null");
    requireNonNull(patterns, "patterns is null");
    requireNonNull(domain, "domain is null");
    failOn = List.copyOf(failOn);
    requireNonNull(baseline, "baseline is null");
    requireNonNull(trace, "trace is null");
    requireNonNull(determinism, "determinism is null");
    requireNonNull(oracle, "oracle is null");
    requireNonNull(limits, "limits is null");
    if (injection == InjectionMode.RE_EXECUTED && !occurrences.isDoneByTheFirst()) {
      throw new IllegalArgumentException(
          "asks for more in 'occurrences' than the first, which needs 'injection: recorded'");
    }
    if (injection == InjectionMode.RE_EXECUTED && dump.isPresent()) {
      throw new IllegalArgumentException(
          "has a 'dump', whose contents are compared with those of states of the same run, which needs 'injection:"
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
            "two recovery steps are called '" + step.name() + "'; give each a name of its own");
      }
    }
  }

  /** The outputs that recovery is told of; empty if it does not ask. */
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
