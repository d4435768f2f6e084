// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.yaml;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A piece of YAML and where it was written. */
public sealed interface YamlNode {
  /** Where this piece begins. */
  Origin origin();

  /** What it is, for an error message: {@code a list}. */
  String noun();

  /** What the function for its kind says. */
  <R> R match(
      Function<Scalar, R> scalar, Function<Sequence, R> sequence, Function<Mapping, R> mapping);

  /** What YAML took a scalar for. */
  enum Kind {
    STRING("a string"),
    NUMBER("a number"),
    BOOLEAN("true or false"),
    /** {@code null} or {@code ~}: as if the key were not there, also if it is inherited. */
    NULL("null"),
    /** A key with nothing after it. */
    EMPTY("nothing");

    private final String noun;

    Kind(String noun) {
      this.noun = noun;
    }
  }

  /**
   * A single value.
   *
   * @param text as written, without quotes
   */
  record Scalar(Origin origin, Kind kind, String text) implements YamlNode {
    public Scalar {
      requireNonNull(origin, "origin is null");
      requireNonNull(kind, "kind is null");
      requireNonNull(text, "text is null");
    }

    @Override
    public String noun() {
      return kind.noun;
    }

    @Override
    public <R> R match(
        Function<Scalar, R> scalar, Function<Sequence, R> sequence, Function<Mapping, R> mapping) {
      return scalar.apply(this);
    }
  }

  /** A list. */
  record Sequence(Origin origin, List<YamlNode> items) implements YamlNode {
    public Sequence {
      requireNonNull(origin, "origin is null");
      items = List.copyOf(items);
    }

    @Override
    public String noun() {
      return "a list";
    }

    @Override
    public <R> R match(
        Function<Scalar, R> scalar, Function<Sequence, R> sequence, Function<Mapping, R> mapping) {
      return sequence.apply(this);
    }
  }

  /** A map; its keys are in the order in which they were written. */
  record Mapping(Origin origin, Map<String, Entry> entries) implements YamlNode {
    public Mapping {
      requireNonNull(origin, "origin is null");
      entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    /** The value of a key, unless there is none. */
    public Optional<YamlNode> get(String key) {
      return Optional.ofNullable(entries.get(key)).map(Entry::value);
    }

    /** This map with one value replaced or added. */
    public Mapping with(String key, Entry entry) {
      Map<String, Entry> changed = new LinkedHashMap<>(entries);
      changed.put(key, entry);
      return new Mapping(origin, changed);
    }

    /** This map without one key. */
    public Mapping without(String key) {
      Map<String, Entry> changed = new LinkedHashMap<>(entries);
      changed.remove(key);
      return new Mapping(origin, changed);
    }

    /**
     * Lays this map over another: maps are merged key by key, anything else is replaced. The result
     * keeps the origins of both.
     */
    public Mapping over(Mapping base) {
      Map<String, Entry> merged = new LinkedHashMap<>(base.entries);
      entries.forEach((key, entry) -> merged.merge(key, entry, Mapping::merge));
      return new Mapping(origin, merged);
    }

    @Override
    public String noun() {
      return placeholder()
          .map(
              text ->
                  "a map: YAML takes %1$s without quotes for one; write \"%1$s\"".formatted(text))
          .orElse("a map of keys and values");
    }

    /** The placeholder that somebody meant who wrote this; a map has values. */
    private Optional<String> placeholder() {
      return entries.size() == 1
          ? entries.entrySet().stream()
              .filter(
                  one ->
                      one.getValue().value() instanceof Scalar value && value.kind() == Kind.EMPTY)
              .map(one -> "{" + one.getKey() + "}")
              .findFirst()
          : Optional.empty();
    }

    private static Entry merge(Entry below, Entry above) {
      if (below.value() instanceof Mapping belowMapping
          && above.value() instanceof Mapping aboveMapping) {
        return new Entry(above.keyOrigin(), aboveMapping.over(belowMapping));
      }
      return above;
    }

    @Override
    public <R> R match(
        Function<Scalar, R> scalar, Function<Sequence, R> sequence, Function<Mapping, R> mapping) {
      return mapping.apply(this);
    }
  }

  /**
   * What a map holds under one key.
   *
   * @param keyOrigin where the key itself was written
   */
  record Entry(Origin keyOrigin, YamlNode value) {
    public Entry {
      requireNonNull(keyOrigin, "keyOrigin is null");
      requireNonNull(value, "value is null");
    }
  }
}
