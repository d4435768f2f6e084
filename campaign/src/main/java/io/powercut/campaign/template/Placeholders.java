// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.template;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What placeholders stand for in one execution: the campaign's parameters and those of {@link
 * Placeholder} that were given a value. Parameters may use the latter.
 */
public final class Placeholders {
  private final Map<String, TextTemplate> parameters;
  private final Map<String, String> values;

  private Placeholders(Map<String, TextTemplate> parameters, Map<String, String> values) {
    this.parameters = Map.copyOf(parameters);
    this.values = Map.copyOf(values);
  }

  /** Only the campaign's parameters. */
  public static Placeholders of(Map<String, TextTemplate> parameters) {
    return new Placeholders(parameters, Map.of());
  }

  /** These, and {@code {pm}}. */
  public Placeholders withPm(Path directory) {
    return with(Placeholder.PM, directory.toString());
  }

  /** These, and {@code {run}}. */
  public Placeholders withRun(Path directory) {
    return with(Placeholder.RUN, directory.toString());
  }

  /** These, and {@code {home}}. */
  public Placeholders withHome(Path directory) {
    return with(Placeholder.HOME, directory.toString());
  }

  /** These, and {@code {acknowledged}}. */
  public Placeholders withAcknowledged(Path file) {
    return with(Placeholder.ACKNOWLEDGED, file.toString());
  }

  /**
   * These, and {@code {port}}.
   *
   * @param port from 1 to 65535
   */
  public Placeholders withPort(int port) {
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("bad port: " + port + ", want [1, 65535]");
    }
    return with(Placeholder.PORT, Integer.toString(port));
  }

  /** These, and a value for one more. */
  public Placeholders with(Placeholder placeholder, String value) {
    requireNonNull(value, "value is null");
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(placeholder.key(), value);
    return new Placeholders(parameters, more);
  }

  /**
   * The value of a placeholder.
   *
   * @throws IllegalArgumentException if it has none
   */
  public String get(String name) {
    String value = values.get(name);
    if (value != null) {
      return value;
    }
    TextTemplate parameter = parameters.get(name);
    if (parameter == null) {
      throw new IllegalArgumentException("the placeholder {" + name + "} has no value here");
    }
    return parameter.expand(new Placeholders(Map.of(), values));
  }
}
