// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.template.Placeholder;
import io.powercut.campaign.template.TextTemplate;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Whether every placeholder of a string has a value where the string is used. */
public final class PlaceholderCheck {
  private final Map<String, TextTemplate> parameters;

  /** Knows the campaign's parameters. */
  public PlaceholderCheck(Map<String, TextTemplate> parameters) {
    this.parameters = new TreeMap<>(parameters);
  }

  /** What is wrong with the placeholders of a string, if anything is. */
  Optional<String> complaint(TextTemplate template, Scope scope) {
    return template.placeholders().stream()
        .flatMap(name -> complaint(name, scope).stream())
        .findFirst();
  }

  private Optional<String> complaint(String name, Scope scope) {
    Optional<Placeholder> placeholder = Placeholder.named(name);
    if (placeholder.isPresent()) {
      return placeholder.filter(known -> !scope.has(known)).map(PlaceholderCheck::outOfPlace);
    }
    TextTemplate parameter = parameters.get(name);
    if (parameter == null || !scope.hasParameters()) {
      return Optional.of(unknown(name, scope));
    }
    return parameter.placeholders().stream()
        .flatMap(inner -> Placeholder.named(inner).stream())
        .filter(inner -> !scope.has(inner))
        .map(
            inner ->
                "the parameter {" + name + "} holds {" + inner.key() + "}: " + outOfPlace(inner))
        .findFirst();
  }

  private String unknown(String name, Scope scope) {
    if (parameters.containsKey(name)) {
      return "{" + name + "} is another parameter, which a parameter cannot hold; write its value";
    }
    Set<String> known = new LinkedHashSet<>(Placeholder.keys());
    if (scope.hasParameters()) {
      known.addAll(parameters.keySet());
    }
    return "{"
        + name
        + "} is not a placeholder; "
        + Suggestions.hint(name, known)
        + " (a literal brace is {{)";
  }

  private static String outOfPlace(Placeholder placeholder) {
    return String.format(
        "{%s} has no value here, because it is %s and this runs before any execution",
        placeholder.key(), placeholder.meaning());
  }
}
