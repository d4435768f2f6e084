// SPDX-License-Identifier: Apache-2.0
package io.powercut.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A campaign that a program puts together; the keys are those of a campaign file. It never changes:
 * each method gives another one. Whether it is a right one is said by the run: exit code 2.
 */
public final class Campaign {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Map<String, Object> keys;

  private Campaign(Map<String, Object> keys) {
    this.keys = keys;
  }

  /**
   * A campaign without commands.
   *
   * @param name the name of its folder of runs
   * @param workingDirectory where commands are started, and where relative paths of them begin
   */
  public static Campaign named(String name, Path workingDirectory) {
    return new Campaign(Map.of())
        .with("name", name)
        .with("workingDirectory", workingDirectory.toAbsolutePath().toString());
  }

  /** The command that makes the state in front of each run; {@code {pm}} is its PM directory. */
  public Campaign setup(String... command) {
    return with("setup", Map.of("command", List.of(command)));
  }

  /** The command that is tested. */
  public Campaign target(String... command) {
    return with("target", Map.of("command", List.of(command)));
  }

  /** The command that judges what a power cut leaves: it ends with 0 if all is well. */
  public Campaign recovery(String... command) {
    return with("recovery", Map.of("command", List.of(command)));
  }

  /**
   * Sets a key at the top of the file.
   *
   * @param value a text, a number, a boolean, or a map or a list of these
   */
  public Campaign with(String key, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(keys);
    all.put(key, value);
    return new Campaign(all);
  }

  /** The campaign file. JSON is YAML. */
  public String toYaml() {
    try {
      return MAPPER.writeValueAsString(keys) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a value is no text, number, boolean, map or list", e);
    }
  }
}
