// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.target;

import io.powercut.campaign.binding.Suggestions;
import io.powercut.campaign.sections.FailurePointsSection;
import io.powercut.exit.PowercutException;
import io.powercut.trace.TraceEvent.MarkKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Finds out whether a recorded run tested anything, and if not, why. */
public final class NothingTested {
  private final FailurePointsSection section;
  private final Observation observation;

  /**
   * @param observation saw the whole trace
   */
  public NothingTested(FailurePointsSection section, Observation observation) {
    this.section = section;
    this.observation = observation;
  }

  /**
   * Refuses a run that tested nothing, or whose bounds are not those that were meant.
   *
   * @param failurePoints how many there are
   * @throws PowercutException with the reason and what to do
   */
  public void refuse(int failurePoints) {
    section.begin().flatMap(name -> unknown("begin", name, MarkKind.BEGIN)).ifPresent(this::stop);
    section.end().flatMap(name -> unknown("end", name, MarkKind.END)).ifPresent(this::stop);
    if (failurePoints == 0) {
      stop(reason());
    }
  }

  private void stop(String reason) {
    throw PowercutException.notTrustworthy("nothing was tested: " + reason);
  }

  private String reason() {
    Activity activity = observation.activity();
    if (section.begin().isPresent() && !activity.reached(MarkKind.BEGIN)) {
      return "failurePoints.begin is %s, which this run did not call. Name a function that it calls."
          .formatted(section.begin().get());
    }
    if (!activity.stores()) {
      return "the target stored nothing to the files below {pm}. Check that its workload changes something, and"
          + " that its files are there, as in \"{pm}/pool\".";
    }
    return "the target reached no flush, fence or msync after a store to persistent memory"
        + (section.begin().isPresent() || section.end().isPresent()
            ? " between failurePoints.begin and end."
            : section.exclude().isEmpty()
                ? "."
                : " that failurePoints.exclude does not leave out.");
  }

  /** That no function has the name; nothing if one has, or that cannot be told. */
  private Optional<String> unknown(String key, String pattern, MarkKind mark) {
    if (observation.activity().reached(mark)) {
      return Optional.empty();
    }
    Set<String> names = new TreeSet<>();
    for (Path module : observation.modules()) {
      Optional<FunctionNames> table = FunctionNames.of(module);
      if (table.isEmpty()) {
        continue;
      }
      names.addAll(table.get().names());
      if (!table.get().isWhole() && isSearched(module)) {
        return Optional.empty();
      }
    }
    String wanted = identifier(pattern);
    if (names.isEmpty() || names.stream().anyMatch(name -> name.contains(wanted))) {
      return Optional.empty();
    }
    return Optional.of(
        ("failurePoints.%s is %s, but no function of the target or its libraries has that name (inlined"
                + " functions do not count)%s")
            .formatted(
                key,
                pattern,
                Suggestions.closest(wanted, names)
                    .map(near -> "; did you mean " + near + "?")
                    .orElse(".")));
  }

  /** Libraries of the system have no symbols of their own, and nobody means a function in them. */
  private static boolean isSearched(Path module) {
    return !module.startsWith("/usr/lib") && !module.startsWith("/lib");
  }

  /** The longest part of a name without wildcards, namespaces, templates and parameters. */
  private static String identifier(String pattern) {
    String name = pattern.replaceAll("[(<].*", "");
    String last = name.substring(name.lastIndexOf(':') + 1);
    List<String> parts = new ArrayList<>(List.of(last.split("[*?]", -1)));
    parts.sort(Comparator.comparingInt(String::length).reversed());
    return parts.get(0);
  }
}
