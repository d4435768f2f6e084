// SPDX-License-Identifier: Apache-2.0
package io.powercut.races;

import io.powercut.races.found.Race;
import io.powercut.races.found.RaceEvidence;
import io.powercut.tree.CallStack;
import io.powercut.tree.CodePlace;
import io.powercut.tree.UserCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a program of {@code workloads/races} says of its races, in comments (see the README there).
 */
final class ExpectedRaces {
  static final String RACY = "racy";
  static final String CORRECT = "correct";

  private static final Pattern RACE =
      Pattern.compile("(RACE|TWIN|BOTH) ([\\w|]+): (\\S+, .+, \\S+)$");
  private static final Pattern PLACE = Pattern.compile("/\\*.*?\\bAT ([-\\w]+)");

  /** One race; it has several kinds of evidence if they depend on the order of threads. */
  private record Expected(Set<RaceEvidence> evidence, String places) {
    boolean isMetBy(Race race, String racePlaces) {
      return places.equals(racePlaces) && evidence.contains(race.evidence());
    }

    @Override
    public String toString() {
      return evidence.stream()
              .map(evidence -> evidence.name().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining("|"))
          + ": "
          + places;
    }
  }

  private final Path source;
  private final Map<Integer, String> places = new HashMap<>();
  private final List<Expected> races = new ArrayList<>();

  private ExpectedRaces(Path source) {
    this.source = source;
  }

  static ExpectedRaces of(Path source, String variant) throws IOException {
    ExpectedRaces expected = new ExpectedRaces(source);
    List<String> lines = Files.readAllLines(source);
    for (int index = 0; index < lines.size(); index++) {
      expected.read(lines.get(index), index + 1, variant);
    }
    return expected;
  }

  private void read(String line, int number, String variant) {
    Matcher race = RACE.matcher(line);
    Matcher place = PLACE.matcher(line);
    if (race.find()) {
      if (!race.group(1).equals(variant.equals(RACY) ? "TWIN" : "RACE")) {
        Set<RaceEvidence> evidence =
            Arrays.stream(race.group(2).toUpperCase(Locale.ROOT).split("\\|"))
                .map(RaceEvidence::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
        races.add(new Expected(evidence, race.group(3)));
      }
    } else if (place.find()) {
      if (places.containsValue(place.group(1))) {
        throw new IllegalStateException("two lines of " + source + " are AT " + place.group(1));
      }
      places.put(number, place.group(1));
    }
  }

  /** What was found and is not expected, and what was expected and is not found. */
  List<String> differences(List<Race> found) {
    List<String> differences = new ArrayList<>();
    List<Expected> missing = new ArrayList<>(races);
    for (Race race : found) {
      String text = placesOf(race);
      Optional<Expected> met =
          missing.stream().filter(expected -> expected.isMetBy(race, text)).findFirst();
      met.ifPresentOrElse(
          missing::remove,
          () ->
              differences.add(
                  "not expected: "
                      + race.evidence().name().toLowerCase(Locale.ROOT)
                      + ": "
                      + text));
    }
    missing.forEach(expected -> differences.add("missing: " + expected));
    return differences;
  }

  private String placesOf(Race race) {
    return place(race.store())
        + ", "
        + race.end().name().toLowerCase(Locale.ROOT)
        + race.ended().map(stack -> " " + place(stack)).orElse("")
        + ", "
        + place(race.load());
  }

  /** The name of a line, or where it is if it has none. */
  private String place(CallStack stack) {
    CodePlace place = UserCode.placeOf(stack);
    boolean isHere = place.position().fileName().equals(source.getFileName().toString());
    String name = isHere ? places.get(place.position().line()) : null;
    return name != null ? name : place.function() + "@" + place.identity().replaceFirst(".*/", "");
  }
}
