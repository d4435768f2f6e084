// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One key of a section, read from its record.
 *
 * @param name as written in the file
 * @param type what the record holds
 * @param key what is said of it
 */
public record KeyDescription(RecordComponent component, String name, Type type, Key key) {
  /** Read once: the annotations are parsed again at each call. */
  private static final ClassValue<List<KeyDescription>> KEYS =
      new ClassValue<>() {
        @Override
        protected List<KeyDescription> computeValue(Class<?> section) {
          return read(section);
        }
      };

  public KeyDescription {
    requireNonNull(component, "component is null");
    requireNonNull(name, "name is null");
    requireNonNull(type, "type is null");
    requireNonNull(key, "key is null");
  }

  /** The keys of a section, in the order in which they are best read. */
  public static List<KeyDescription> of(Class<?> section) {
    return KEYS.get(section);
  }

  /** True if a file without this key is not a campaign. */
  public boolean isRequired() {
    Class<?> raw = raw(type);
    if (!key.defaultValue().isEmpty() || !key.defaultNote().isEmpty() || raw == Optional.class) {
      return false;
    }
    if (raw == List.class) {
      return key.single();
    }
    return raw != Map.class && section().map(KeyDescription::hasRequired).orElse(true);
  }

  /** The section that this key holds, or a list or option of, if it holds one. */
  public Optional<Class<? extends Record>> section() {
    Class<?> raw = raw(element());
    return isSection(raw) ? Optional.of(raw.asSubclass(Record.class)) : Optional.empty();
  }

  /** What it holds when options, lists and maps are taken off. */
  public Type element() {
    Type element = type;
    while (element instanceof ParameterizedType parameterized) {
      Type[] arguments = parameterized.getActualTypeArguments();
      element = arguments[arguments.length - 1];
    }
    return element;
  }

  static boolean isSection(Class<?> type) {
    return type.isRecord() && !KEYS.get(type).isEmpty();
  }

  static Class<?> raw(Type type) {
    Type raw = type instanceof ParameterizedType parameterized ? parameterized.getRawType() : type;
    return (Class<?>) raw;
  }

  private static boolean hasRequired(Class<? extends Record> section) {
    return of(section).stream().anyMatch(KeyDescription::isRequired);
  }

  private static List<KeyDescription> read(Class<?> section) {
    List<RecordComponent> components = List.of(section.getRecordComponents());
    List<KeyDescription> keys =
        components.stream().flatMap(component -> read(component).stream()).toList();
    if (!keys.isEmpty() && keys.size() != components.size()) {
      throw new IllegalArgumentException(section + " has a component without @Key");
    }
    return keys;
  }

  private static Optional<KeyDescription> read(RecordComponent component) {
    return Optional.ofNullable(component.getAnnotation(Key.class))
        .map(
            key ->
                new KeyDescription(
                    component, component.getName(), component.getGenericType(), key));
  }
}
