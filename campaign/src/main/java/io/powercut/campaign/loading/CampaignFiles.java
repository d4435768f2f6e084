// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.CampaignException;
import io.powercut.campaign.Problems;
import io.powercut.campaign.binding.FormerNames;
import io.powercut.campaign.input.InputFile;
import io.powercut.campaign.input.UnusableInputException;
import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlNode.Kind;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import io.powercut.campaign.yaml.YamlReader;
import io.powercut.campaign.yaml.YamlSyntaxException;
import io.powercut.exit.FileProblem;
import io.powercut.process.DataSize;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads a campaign file and those that it extends into one tree. */
final class CampaignFiles {
  static final String EXTENDS = "extends";
  static final String EXTENDS_DESCRIPTION =
      "A campaign file that supplies every key this one leaves out. The path is relative to this file. Maps are merged key"
          + " by key. Lists and single values replace inherited ones. `null` removes an inherited value.";
  static final DataSize LARGEST_FILE = DataSize.ofMebibytes(1);

  /** More than anyone needs, and far less than the stack has room for. */
  private static final int LONGEST_CHAIN = 32;

  private final Problems problems;
  private final FormerNames formerNames;

  /**
   * Reads with these.
   *
   * @param formerNames replaces the former names of keys in each file
   */
  CampaignFiles(Problems problems, FormerNames formerNames) {
    this.problems = problems;
    this.formerNames = formerNames;
  }

  /**
   * The merged tree.
   *
   * @throws CampaignException if a file cannot be read or understood, or extends itself
   */
  Mapping read(Path file) {
    return read(file, Origin.whole(file), "", List.of());
  }

  /**
   * Whether the file, others aside, is a map of keys and values, as a campaign is.
   *
   * @throws CampaignException if it cannot be read or is not YAML
   */
  boolean isMap(Path file) {
    return root(file, Origin.whole(file), "").filter(Mapping.class::isInstance).isPresent();
  }

  private Mapping read(Path file, Origin mention, String mentionKey, List<Path> descendants) {
    Path identity = identity(file, mention, mentionKey);
    List<Path> chain = new ArrayList<>(descendants);
    chain.add(identity);
    if (descendants.contains(identity)) {
      throw problems.fatal(mention, mentionKey, "extends itself in a circle: " + names(chain));
    }
    if (chain.size() > LONGEST_CHAIN) {
      throw problems.fatal(
          mention,
          mentionKey,
          "is file number "
              + chain.size()
              + " in this chain of extends; at most "
              + LONGEST_CHAIN
              + " are allowed");
    }
    Mapping own = formerNames.replaceIn(parse(file, mention, mentionKey), Campaign.class);
    Optional<YamlNode> parent = own.get(EXTENDS);
    Mapping rest = own.without(EXTENDS);
    if (parent.isEmpty()) {
      return rest;
    }
    if (!(parent.get() instanceof Scalar scalar)
        || scalar.kind() != Kind.STRING
        || scalar.text().isEmpty()) {
      problems.report(
          parent.get().origin(), EXTENDS, "must be the path of one file, relative to this one");
      return rest;
    }
    return rest.over(read(resolve(file, scalar), scalar.origin(), EXTENDS, chain));
  }

  private Path resolve(Path file, Scalar parent) {
    try {
      return file.resolveSibling(parent.text()).normalize();
    } catch (InvalidPathException failure) {
      throw problems.fatal(parent.origin(), EXTENDS, "is not a path: " + failure.getReason());
    }
  }

  private Path identity(Path file, Origin mention, String mentionKey) {
    try {
      return file.toRealPath();
    } catch (IOException failure) {
      throw problems.fatal(mention, mentionKey, unreadable(file, mentionKey, failure));
    }
  }

  private Mapping parse(Path file, Origin mention, String mentionKey) {
    Optional<YamlNode> root = root(file, mention, mentionKey);
    if (root.isPresent() && root.get() instanceof Mapping mapping) {
      return mapping;
    }
    String found = root.map(YamlNode::noun).orElse("empty");
    throw problems.fatal(
        Origin.startOf(file),
        "",
        "a campaign is a map of keys and values, but this file is "
            + found
            + "; `powercut init` writes one to begin with");
  }

  private Optional<YamlNode> root(Path file, Origin mention, String mentionKey) {
    try {
      return YamlReader.read(InputFile.text(file, LARGEST_FILE), Origin.startOf(file), problems);
    } catch (YamlSyntaxException failure) {
      throw problems.fatal(failure.origin(), "", String.valueOf(failure.getMessage()));
    } catch (UnusableInputException failure) {
      Origin place =
          failure.line() == 0 ? Origin.whole(file) : Origin.startOf(file).at(failure.line(), 1);
      throw problems.fatal(
          place,
          "",
          failure.getMessage() + "; a campaign must be a text file of at most " + LARGEST_FILE);
    } catch (IOException failure) {
      throw problems.fatal(mention, mentionKey, unreadable(file, mentionKey, failure));
    }
  }

  private static String unreadable(Path file, String mentionKey, IOException failure) {
    String name = mentionKey.isEmpty() ? "" : "'" + file + "' ";
    if (failure instanceof NoSuchFileException) {
      return name + "does not exist";
    }
    FileProblem problem = FileProblem.of(file, failure);
    return name + "cannot be read: " + problem.reason() + "; " + problem.remedy();
  }

  private static String names(List<Path> chain) {
    return chain.stream()
        .map(path -> String.valueOf(path.getFileName()))
        .collect(Collectors.joining(" -> "));
  }
}
