package io.powercut.orchestrator.campaign;

import io.powercut.orchestrator.campaign.yaml.Origin;
import io.powercut.orchestrator.campaign.yaml.YamlNode;
import io.powercut.orchestrator.campaign.yaml.YamlNode.Kind;
import io.powercut.orchestrator.campaign.yaml.YamlNode.Mapping;
import io.powercut.orchestrator.campaign.yaml.YamlNode.Scalar;
import io.powercut.orchestrator.campaign.yaml.YamlReader;
import io.powercut.orchestrator.campaign.yaml.YamlSyntaxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
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
      "A campaign file to take everything from that this one does not say, relative to this one. Maps are merged key by key;"
          + " lists and single values replace; null takes back what is inherited.";
  private static final int LARGEST_FILE = 1 << 20;

  private final Problems problems;

  CampaignFiles(Problems problems) {
    this.problems = problems;
  }

  /**
   * The merged tree.
   *
   * @throws CampaignException if a file cannot be read or understood, or extends itself
   */
  Mapping read(Path file) throws CampaignException {
    return read(file, Origin.whole(file), "", List.of());
  }

  /**
   * Whether the file, others aside, is a map of keys and values, as a campaign is.
   *
   * @throws CampaignException if it cannot be read or is not YAML
   */
  boolean isMap(Path file) throws CampaignException {
    return root(file, Origin.whole(file), "").filter(Mapping.class::isInstance).isPresent();
  }

  private Mapping read(Path file, Origin mention, String mentionKey, List<Path> descendants)
      throws CampaignException {
    Path identity = identity(file, mention, mentionKey);
    List<Path> chain = new ArrayList<>(descendants);
    chain.add(identity);
    if (descendants.contains(identity)) {
      throw problems.fatal(mention, mentionKey, "goes round in a circle: " + names(chain));
    }
    Mapping own = parse(file, mention, mentionKey);
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

  private Path resolve(Path file, Scalar parent) throws CampaignException {
    try {
      return file.resolveSibling(parent.text()).normalize();
    } catch (InvalidPathException failure) {
      throw problems.fatal(parent.origin(), EXTENDS, "is not a path: " + failure.getReason());
    }
  }

  private Path identity(Path file, Origin mention, String mentionKey) throws CampaignException {
    try {
      return file.toRealPath();
    } catch (IOException failure) {
      throw problems.fatal(mention, mentionKey, unreadable(file, mentionKey, failure));
    }
  }

  private Mapping parse(Path file, Origin mention, String mentionKey) throws CampaignException {
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

  private Optional<YamlNode> root(Path file, Origin mention, String mentionKey)
      throws CampaignException {
    try {
      return YamlReader.read(text(file), Origin.startOf(file), problems);
    } catch (YamlSyntaxException failure) {
      throw problems.fatal(failure.origin(), "", String.valueOf(failure.getMessage()));
    } catch (CharacterCodingException failure) {
      throw problems.fatal(Origin.whole(file), "", "is not text in UTF-8");
    } catch (IOException failure) {
      throw problems.fatal(mention, mentionKey, unreadable(file, mentionKey, failure));
    }
  }

  private String text(Path file) throws IOException, CampaignException {
    if (Files.isDirectory(file)) {
      throw problems.fatal(Origin.whole(file), "", "is a directory, not a campaign file");
    }
    try (InputStream stream = Files.newInputStream(file)) {
      byte[] content = stream.readNBytes(LARGEST_FILE + 1);
      if (content.length > LARGEST_FILE) {
        throw problems.fatal(
            Origin.whole(file), "", "is larger than 1MiB, so it is hardly a campaign file");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
    }
  }

  private static String unreadable(Path file, String mentionKey, IOException failure) {
    String name = mentionKey.isEmpty() ? "" : "'" + file + "' ";
    if (failure instanceof NoSuchFileException) {
      return name + "does not exist";
    }
    if (failure instanceof AccessDeniedException) {
      return name + "may not be read; check its permissions";
    }
    return name + "cannot be read: " + failure.getMessage();
  }

  private static String names(List<Path> chain) {
    return chain.stream()
        .map(path -> String.valueOf(path.getFileName()))
        .collect(Collectors.joining(" -> "));
  }
}
