// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.loading;

import io.powercut.campaign.Campaign;
import io.powercut.campaign.Problems;
import io.powercut.campaign.binding.FormerNames;
import io.powercut.campaign.binding.Suggestions;
import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.YamlNode;
import io.powercut.campaign.yaml.YamlNode.Entry;
import io.powercut.campaign.yaml.YamlNode.Kind;
import io.powercut.campaign.yaml.YamlNode.Mapping;
import io.powercut.campaign.yaml.YamlNode.Scalar;
import io.powercut.campaign.yaml.YamlNode.Sequence;
import io.powercut.campaign.yaml.YamlReader;
import io.powercut.campaign.yaml.YamlSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Applies {@code --set key=value} to a campaign's tree. The binding checks that the keys exist. */
final class Overrides {
  private static final String PARAMETERS = "parameters";

  /** No key is deeper than this. */
  private static final int DEEPEST = 50;

  private static final int LONGEST_SHOWN = 200;

  private final Problems problems;
  private final FormerNames formerNames;

  Overrides(Problems problems, FormerNames formerNames) {
    this.problems = problems;
    this.formerNames = formerNames;
  }

  /** The tree with all overrides; the last one for a key wins. */
  Mapping apply(Mapping campaign, List<String> overrides) {
    Mapping changed = campaign;
    for (String override : overrides) {
      changed = apply(changed, override);
    }
    return changed;
  }

  private static String shown(String override) {
    String text = override.replaceAll("\\p{Cntrl}", "?");
    return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
  }

  private Mapping apply(Mapping campaign, String override) {
    Origin origin = Origin.argument("--set " + shown(override));
    int equals = override.indexOf('=');
    String path = equals < 0 ? override : override.substring(0, equals);
    List<String> segments = List.of(path.split("\\.", DEEPEST + 2));
    if (equals < 0 || segments.contains("")) {
      problems.report(origin, "", "is not KEY=VALUE; write for example --set target.timeout=5m");
      return campaign;
    }
    if (segments.size() > DEEPEST) {
      problems.report(origin, "", "names a key more than " + DEEPEST + " levels deep; no key is");
      return campaign;
    }
    if (segments.get(0).equals(CampaignFiles.EXTENDS)) {
      problems.report(origin, path, "cannot be set here; write a file that extends another one");
      return campaign;
    }
    if (segments.get(0).equals(PARAMETERS) && !isKnownParameter(campaign, segments, origin, path)) {
      return campaign;
    }
    return value(override.substring(equals + 1), origin, path)
        .map(value -> formerNames.replaceIn(segments, value, Campaign.class))
        .map(setting -> (Mapping) set(campaign, setting.path(), setting.value(), path))
        .orElse(campaign);
  }

  /** Nothing would use a new parameter, so it must be a typing error. */
  private boolean isKnownParameter(
      Mapping campaign, List<String> segments, Origin origin, String path) {
    if (segments.size() != 2
        || !(campaign.get(PARAMETERS).orElse(null) instanceof Mapping parameters)
        || parameters.entries().containsKey(segments.get(1))) {
      return true;
    }
    String hint = Suggestions.hint(segments.get(1), parameters.entries().keySet());
    problems.report(origin, path, "is not a parameter of this campaign; " + hint);
    return false;
  }

  private Optional<YamlNode> value(String text, Origin origin, String path) {
    try {
      YamlNode empty = new Scalar(origin, Kind.STRING, "");
      return Optional.of(YamlReader.read(text, origin, problems).orElse(empty));
    } catch (YamlSyntaxException failure) {
      problems.report(origin, path, String.valueOf(failure.getMessage()));
      return Optional.empty();
    }
  }

  private YamlNode set(YamlNode node, List<String> segments, YamlNode value, String path) {
    if (segments.isEmpty()) {
      return value;
    }
    String segment = segments.get(0);
    List<String> rest = segments.subList(1, segments.size());
    return node.match(
        replaced -> setKey(new Mapping(value.origin(), Map.of()), segment, rest, value, path),
        sequence -> setItem(sequence, segment, rest, value, path),
        mapping -> setKey(mapping, segment, rest, value, path));
  }

  private Mapping setKey(
      Mapping mapping, String segment, List<String> rest, YamlNode value, String path) {
    YamlNode below = mapping.get(segment).orElseGet(() -> new Mapping(value.origin(), Map.of()));
    return mapping.with(segment, new Entry(value.origin(), set(below, rest, value, path)));
  }

  private YamlNode setItem(
      Sequence sequence, String segment, List<String> rest, YamlNode value, String path) {
    int size = sequence.items().size();
    int index = segment.matches("[0-9]{1,9}") ? Integer.parseInt(segment) : size;
    if (index >= size) {
      problems.report(
          value.origin(),
          path,
          String.format(
              "is a list of %d; '%s' is not one of its elements, which are numbered from 0",
              size, segment));
      return sequence;
    }
    List<YamlNode> items = new ArrayList<>(sequence.items());
    items.set(index, set(items.get(index), rest, value, path));
    return new Sequence(sequence.origin(), items);
  }
}
