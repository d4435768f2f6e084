// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.YamlNode.Kind;
import java.util.Optional;
import java.util.Set;

/**
 * A type whose values are written as one scalar.
 *
 * @param <T> the type
 */
interface ScalarType<T> {
  /** What a value is, for messages and the reference: {@code a duration}. */
  String noun();

  /**
   * How to write one: {@code write for example 10m, 90s or 1h30m}. Empty if that goes without
   * saying.
   */
  String remedy();

  /** What YAML may take a value for. */
  Set<Kind> kinds();

  /**
   * The value written so, or nothing if it is not one.
   *
   * @throws IllegalArgumentException if more can be said than {@link #noun()} and {@link #remedy()}
   *     do; the message is a whole clause
   */
  Optional<T> parse(String text, Origin origin);

  /** How a value is written, so that parsing gives the same value. */
  String format(T value);

  /** The pattern of values written as strings, as a whole; empty if any string will do. */
  String pattern();

  /** The values that there are, if they can be listed. */
  default Set<String> words() {
    return Set.of();
  }
}
