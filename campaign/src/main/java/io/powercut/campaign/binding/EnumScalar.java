// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.yaml.Origin;
import io.powercut.campaign.yaml.YamlNode.Kind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One of a few words, which are what the constants' {@code toString()} returns. */
final class EnumScalar<E extends Enum<E>> implements ScalarType<E> {
  private final Map<String, E> constants = new LinkedHashMap<>();

  EnumScalar(Class<E> type) {
    for (E constant : type.getEnumConstants()) {
      constants.put(constant.toString(), constant);
    }
  }

  @Override
  public String noun() {
    return "one of " + String.join(", ", constants.keySet());
  }

  @Override
  public String remedy() {
    return "";
  }

  @Override
  public Set<Kind> kinds() {
    return Set.of(Kind.STRING);
  }

  @Override
  public Optional<E> parse(String text, Origin origin) {
    return Optional.ofNullable(constants.get(text));
  }

  @Override
  public String format(E value) {
    return value.toString();
  }

  @Override
  public String pattern() {
    return "";
  }

  @Override
  public Set<String> words() {
    return Collections.unmodifiableSet(constants.keySet());
  }
}
