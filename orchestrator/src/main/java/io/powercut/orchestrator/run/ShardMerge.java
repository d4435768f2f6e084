// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignException;
import io.powercut.campaign.loading.CampaignWriter;
import io.powercut.exit.PowercutException;
import io.powercut.image.files.DirectoryCopy;
import io.powercut.report.evidence.Judgement;
import io.powercut.report.format.Json;
import io.powercut.report.rundir.ChangeLog;
import io.powercut.report.rundir.CodeLog;
import io.powercut.report.rundir.PatternLog;
import io.powercut.report.rundir.RecoveryCrashLog;
import io.powercut.report.rundir.RecoveryCrashVerdicts;
import io.powercut.report.rundir.RunDirectory;
import io.powercut.report.rundir.RunFacts;
import io.powercut.report.rundir.Shard;
import io.powercut.report.rundir.StateLog;
import io.powercut.report.rundir.StateVerdicts;
import io.powercut.report.rundir.VerdictLog;
import io.powercut.tree.FailurePointId;
import io.powercut.tree.FailurePointTree;
import io.powercut.tree.TreeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * Makes one run of the runs of a campaign's parts. Every part has seen the whole target, so the
 * tree is that of any; verdicts and images come from the part that they belong to, patterns from
 * the one that looked for them.
 */
public final class ShardMerge {
  private final List<Part> parts;

  private ShardMerge(List<Part> parts) {
    this.parts = parts;
  }

  /** A part's run. */
  private record Part(
      Shard shard,
      RunDirectory directory,
      RunFacts facts,
      Campaign campaign,
      FailurePointTree tree) {
    /** One that was interrupted early does not know what its target is, and judged nothing. */
    boolean knowsTarget() {
      return facts.treeIsWhole() || !facts.targetBuildId().isEmpty() || !judgements().isEmpty();
    }

    /** What other orders of threads show is looked at by one part alone. */
    private boolean isOfPart(FailurePointId id, int order) {
      return shard.contains(id) || order > 0;
    }

    List<Judgement> judgements() {
      return VerdictLog.open(directory.verdictsFile()).all().stream()
          .filter(judgement -> isOfPart(judgement.failurePointId(), judgement.order()))
          .toList();
    }

    List<StateVerdicts> states() {
      return StateLog.open(directory.statesFile()).history().stream()
          .filter(one -> isOfPart(one.at().id(), one.at().order()))
          .toList();
    }

    List<RecoveryCrashVerdicts> second() {
      return RecoveryCrashLog.open(directory.recoveryCrashFile()).history().stream()
          .filter(one -> isOfPart(one.at().id(), one.at().order()))
          .toList();
    }
  }

  /**
   * Merges runs into a new one, to which {@code latest} then points.
   *
   * @param runs the parts' runs, in any order; parts may be missing, which the new run reports
   * @param root folder of all runs, for the new one
   * @param now names the new directory
   * @return the new run, without any report yet
   * @throws PowercutException if they are not different parts of one campaign
   * @throws PowercutException if a part has no tree or could not be trusted
   * @throws CampaignException if a part's campaign was damaged
   * @throws IOException if the new run cannot be written
   */
  public static RunDirectory merge(List<RunDirectory> runs, Path root, LocalDateTime now)
      throws IOException {
    List<Part> parts = new ArrayList<>();
    for (RunDirectory run : runs) {
      parts.add(part(run));
    }
    parts.sort(Comparator.comparing((Part part) -> part.shard().index()));
    requireOneCampaign(parts);
    requireOneTarget(parts);
    requireDifferentParts(parts);
    RunDirectory merged = RunDirectory.create(root, first(parts).campaign().name(), now);
    // Said before and taken back behind: if this process is killed, nobody else could say it.
    merged.setFailure("its parts were not merged to the end; merge them again");
    new ShardMerge(parts).into(merged);
    merged.clearFailure();
    return merged;
  }

  private static Part first(List<Part> parts) {
    return parts.get(0);
  }

  private static Part part(RunDirectory run) {
    run.requireTrustworthy();
    run.requireWhole();
    requireReadable(run);
    RunFacts facts = run.facts();
    Shard shard =
        facts
            .shard()
            .orElseThrow(
                () ->
                    PowercutException.usage(
                        run.path()
                            + " is not a part of a campaign: it was run without --shard and needs no merge."));
    return new Part(shard, run, facts, run.campaign(), run.tree());
  }

  /** What is damaged is reported before there is a merged run. */
  private static void requireReadable(RunDirectory run) {
    run.requireReadable();
    run.races();
    run.dataRaces();
  }

  private static void requireOneCampaign(List<Part> parts) {
    Part one = first(parts);
    for (Part other : parts) {
      if (!onAnyMachine(one.campaign()).equals(onAnyMachine(other.campaign()))) {
        throw PowercutException.usage(
            "these are runs of different campaigns; compare %s with %s."
                .formatted(one.directory().campaignFile(), other.directory().campaignFile()));
      }
      if (one.shard().count() != other.shard().count()) {
        throw PowercutException.usage(
            "%s is part %s and %s is part %s: all must be parts of the same total."
                .formatted(
                    one.directory().path(), one.shard(), other.directory().path(), other.shard()));
      }
    }
  }

  private static void requireOneTarget(List<Part> parts) {
    List<Part> knowing = parts.stream().filter(Part::knowsTarget).toList();
    for (Part other : knowing) {
      Part one = first(knowing);
      if (!one.facts().targetBuildId().equals(other.facts().targetBuildId())) {
        throw PowercutException.usage(
            "the target of %s %s, that of %s %s: build it once, or in the same way and directory,"
                    .formatted(
                        one.directory().path(),
                        buildId(one),
                        other.directory().path(),
                        buildId(other))
                + " for all parts.");
      }
    }
  }

  private static String buildId(Part part) {
    String id = part.facts().targetBuildId();
    return id.isEmpty() ? "has no build id" : "has the build id " + id;
  }

  /** Where a machine keeps the campaign and its files does not make it another campaign. */
  private static JsonNode onAnyMachine(Campaign campaign) {
    ObjectNode tree = CampaignWriter.toTree(campaign);
    tree.remove(List.of("workingDirectory", "baseline"));
    if (tree.get("pm") instanceof ObjectNode pm) {
      pm.remove("directory");
    }
    return tree;
  }

  private static void requireDifferentParts(List<Part> parts) {
    for (int index = 1; index < parts.size(); index++) {
      Part one = parts.get(index - 1);
      Part other = parts.get(index);
      if (one.shard().overlaps(other.shard())) {
        throw PowercutException.usage(
            "part %s is given twice: %s and %s."
                .formatted(other.shard(), one.directory().path(), other.directory().path()));
      }
    }
  }

  private void into(RunDirectory merged) throws IOException {
    CampaignWriter.write(first(parts).campaign(), merged.campaignFile());
    TreeFile.write(tree(), merged.treeFile());
    VerdictLog verdicts = VerdictLog.open(merged.verdictsFile());
    StateLog states = StateLog.open(merged.statesFile());
    RecoveryCrashLog second = RecoveryCrashLog.open(merged.recoveryCrashFile());
    ChangeLog changes = ChangeLog.NONE;
    Map<FailurePointId, String> code = new LinkedHashMap<>();
    for (Part part : parts) {
      part.judgements().forEach(verdicts::add);
      part.states().forEach(states::add);
      part.second().forEach(second::add);
      changes = changes.with(part.directory().changes());
      code.putAll(part.directory().code().byFailurePoint());
      copyImages(part.directory(), merged);
    }
    Json.write(merged.changesFile(), changes);
    Json.write(merged.codeFile(), new CodeLog(code));
    Optional<PatternLog> patterns =
        parts.stream().flatMap(part -> part.directory().patterns().stream()).findFirst();
    patterns.ifPresent(log -> Json.write(merged.patternsFile(), log));
    parts.stream()
        .flatMap(part -> part.directory().races().stream())
        .findFirst()
        .ifPresent(log -> Json.write(merged.racesFile(), log));
    parts.stream()
        .flatMap(part -> part.directory().dataRaces().stream())
        .findFirst()
        .ifPresent(log -> Json.write(merged.dataRacesFile(), log));
    parts.stream()
        .flatMap(part -> part.directory().setUp().stream())
        .findFirst()
        .ifPresent(log -> Json.write(merged.setUpFile(), log));
    copySchedules(merged);
    copyTrace(merged);
    Json.write(merged.factsFile(), facts(merged));
  }

  /** One that was interrupted has not seen all that its target does. */
  private Stream<Part> wholeFirst() {
    return parts.stream().sorted(Comparator.comparing(part -> !part.facts().treeIsWhole()));
  }

  private FailurePointTree tree() {
    List<FailurePointTree> trees = wholeFirst().map(Part::tree).toList();
    FailurePointTree tree = trees.get(0);
    trees.stream().skip(1).flatMap(one -> one.failurePoints().stream()).forEach(tree::merge);
    return tree;
  }

  private static void copyImages(RunDirectory from, RunDirectory to) throws IOException {
    if (!Files.isDirectory(from.imagesDirectory())) {
      return;
    }
    try (Stream<Path> images = Files.list(from.imagesDirectory())) {
      for (Path image : images.toList()) {
        DirectoryCopy.copy(image, to.imagesDirectory().resolve(image.getFileName()));
      }
    }
  }

  /** The parts recorded the same execution; the one that looked for races may have held writers. */
  private void copySchedules(RunDirectory merged) throws IOException {
    Optional<Path> schedules =
        wholeFirst()
            .sorted(Comparator.comparing((Part part) -> part.directory().races().isEmpty()))
            .map(part -> part.directory().scheduleDirectory())
            .filter(Files::isDirectory)
            .findFirst();
    if (schedules.isPresent()) {
      DirectoryCopy.copy(schedules.get(), merged.scheduleDirectory());
    }
  }

  /** The parts recorded the same execution, so one trace is enough. */
  private void copyTrace(RunDirectory merged) throws IOException {
    Optional<Path> trace =
        wholeFirst().map(part -> part.directory().traceFile()).filter(Files::exists).findFirst();
    if (trace.isPresent()) {
      Files.copy(trace.get(), merged.traceFile());
    }
  }

  private RunFacts facts(RunDirectory merged) {
    RunFacts one = first(parts).facts();
    List<RunFacts> all = parts.stream().map(Part::facts).toList();
    return new RunFacts(
        one.campaignFile(),
        all.stream()
            .map(RunFacts::started)
            .min(
                Comparator.comparing((String started) -> OffsetDateTime.parse(started).toInstant()))
            .orElseThrow(),
        all.stream().allMatch(RunFacts::treeIsWhole),
        all.stream()
            .map(RunFacts::targetBuildId)
            .filter(id -> !id.isEmpty())
            .findFirst()
            .orElse(""),
        Optional.empty(),
        missing(),
        together(all.stream().map(RunFacts::timings).toList(), Double::sum),
        together(all.stream().map(RunFacts::environment).toList(), ShardMerge::both),
        all.stream().flatMap(facts -> facts.controls().stream()).findFirst(),
        all.stream().flatMap(facts -> facts.outside().stream()).findFirst(),
        Optional.of(merged.files()),
        all.stream().flatMap(facts -> facts.stopped().stream()).findFirst());
  }

  /** Those next to each other are one. */
  private List<Shard> missing() {
    int count = first(parts).shard().count();
    List<Shard> missing = new ArrayList<>();
    int next = 1;
    for (Part part : parts) {
      if (next < part.shard().index()) {
        missing.add(new Shard(next, part.shard().index() - 1, count));
      }
      next = part.shard().last() + 1;
    }
    if (next <= count) {
      missing.add(new Shard(next, count, count));
    }
    return missing;
  }

  private static <V> Map<String, V> together(List<Map<String, V>> all, BinaryOperator<V> merge) {
    Map<String, V> together = new LinkedHashMap<>();
    all.forEach(one -> one.forEach((key, value) -> together.merge(key, value, merge)));
    return together;
  }

  /** Machines that differ are all named. */
  private static String both(String one, String other) {
    return List.of(one.split("; ", -1)).contains(other) ? one : one + "; " + other;
  }
}
