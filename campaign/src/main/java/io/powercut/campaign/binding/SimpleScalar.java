// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.YamlNode.Kind;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A scalar type whose values do not depend on where they are written. */
record SimpleScalar<T>(
    String noun,
    String remedy,
    Set<Kind> kinds,
    String pattern,
    Function<String, Optional<T>> parser,
    Function<T, String> formatter)
    implements ScalarType<T> {

  @Override
  public Optional<T> parse(String text, Origin origin) {
    return parser.apply(text);
  }

  @Override
  public String format(T value) {
    return formatter.apply(value);
  }
}
