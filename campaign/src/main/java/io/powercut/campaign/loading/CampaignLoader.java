// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignException;
import io.powercut.campaign.CampaignProblem;
import io.powercut.campaign.Problems;
import io.powercut.campaign.binding.FormerNames;
import io.powercut.campaign.binding.PlaceholderCheck;
import io.powercut.campaign.binding.SectionBinder;
import io.powercut.campaign.template.Placeholder;
import io.powercut.campaign.template.TextTemplate;
import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.ProblemSink;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlNode.Entry;
import io.powercut.campaign.yaml.YamlNode.Kind;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import io.powercut.process.DataSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads campaign files. */
public final class CampaignLoader {
  private static final String PARAMETERS = "parameters";
  private static final String BASELINE = "powercut-baseline.yaml";

  private CampaignLoader() {}

  /** Reads a campaign file as it stands. */
  public static Campaign load(Path file) {
    return load(file, List.of());
  }

  /**
   * Reads a campaign file, those that it extends, and lays overrides over them.
   *
   * @param file as the user named it; messages use the same name
   * @param overrides each {@code key=value}: a key's path with dots, a value in YAML
   * @throws CampaignException with all mistakes; loading stops early only if a file is missing or
   *     is not YAML
   */
  public static Campaign load(Path file, List<String> overrides) {
    return load(file, overrides, warning -> {});
  }

  /**
   * The same, with warnings.
   *
   * @param warnings takes each use of a key's former name once, also if the loading then fails
   */
  public static Campaign load(
      Path file, List<String> overrides, Consumer<CampaignProblem> warnings) {
    Problems problems = new Problems();
    FormerNames formerNames = new FormerNames(problems, once(warnings));
    Mapping written = new CampaignFiles(problems, formerNames).read(file);
    Mapping tree =
        withDefaults(new Overrides(problems, formerNames).apply(written, overrides), file);
    refuseReservedNames(tree, problems);
    SectionBinder binder =
        new SectionBinder(
            problems, new PlaceholderCheck(parameters(tree)), List.of(CampaignFiles.EXTENDS));
    Optional<Campaign> campaign = binder.bind(Campaign.class, tree, "");
    campaign.ifPresent(whole -> refuseTooLarge(whole, file, problems));
    problems.throwIfAny();
    return campaign.orElseThrow(() -> new IllegalStateException("a mistake was not reported"));
  }

  /** Warnings of a file that is extended by two others, or of an alias, come once. */
  private static ProblemSink once(Consumer<CampaignProblem> warnings) {
    Set<CampaignProblem> seen = new HashSet<>();
    return (origin, key, message) -> {
      CampaignProblem warning = CampaignProblem.at(origin, key, message);
      if (seen.add(warning)) {
        warnings.accept(warning);
      }
    };
  }

  /**
   * Each run keeps its campaign with all aliases, all that it extends and all defaults written out,
   * and reads that again when it is resumed.
   */
  private static void refuseTooLarge(Campaign campaign, Path file, Problems problems) {
    long size = CampaignWriter.toYaml(campaign).getBytes(StandardCharsets.UTF_8).length;
    if (size > CampaignFiles.LARGEST_FILE.bytes()) {
      problems.report(
          Origin.whole(file),
          "",
          "is %s with all aliases and extended files written out; at most %s can be kept"
              .formatted(DataSize.ofBytes(size), CampaignFiles.LARGEST_FILE));
    }
  }

  /** The defaults that depend on the file. */
  private static Mapping withDefaults(Mapping tree, Path file) {
    String name = String.valueOf(file.toAbsolutePath().normalize().getFileName());
    Mapping named = withDefault(tree, "name", name.replaceFirst("\\.ya?ml$", ""), file);
    Mapping placed = withDefault(named, "workingDirectory", ".", file);
    return withDefault(placed, "baseline", BASELINE, file);
  }

  private static Mapping withDefault(Mapping tree, String key, String value, Path file) {
    Optional<YamlNode> given = tree.get(key);
    if (given.isPresent()
        && !(given.get() instanceof Scalar scalar && scalar.kind() == Kind.NULL)) {
      return tree;
    }
    Origin origin = Origin.startOf(file);
    return tree.with(key, new Entry(origin, new Scalar(origin, Kind.STRING, value)));
  }

  private static void refuseReservedNames(Mapping tree, Problems problems) {
    for (String name : Placeholder.keys()) {
      if (tree.get(PARAMETERS).orElse(null) instanceof Mapping parameters
          && parameters.entries().containsKey(name)) {
        problems.report(
            parameters.entries().get(name).keyOrigin(),
            PARAMETERS + "." + name,
            "is one of Powercut's own placeholders; choose another name");
      }
    }
  }

  /** All parameters; those that are not well-formed are reported when they are bound. */
  private static Map<String, TextTemplate> parameters(Mapping tree) {
    Map<String, TextTemplate> parameters = new HashMap<>();
    if (tree.get(PARAMETERS).orElse(null) instanceof Mapping mapping) {
      mapping
          .entries()
          .forEach((name, entry) -> template(entry).ifPresent(text -> parameters.put(name, text)));
    }
    return parameters;
  }

  private static Optional<TextTemplate> template(Entry entry) {
    TextTemplate unusable = new TextTemplate("");
    if (!(entry.value() instanceof Scalar scalar)) {
      return Optional.of(unusable);
    }
    if (scalar.kind() == Kind.NULL) {
      return Optional.empty();
    }
    try {
      return Optional.of(new TextTemplate(scalar.text()));
    } catch (IllegalArgumentException reportedLater) {
      return Optional.of(unusable);
    }
  }
}
