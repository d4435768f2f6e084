// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import io.powercut.campaign.locks.CallValue;
import io.powercut.campaign.locks.LockTest;
import io.powercut.campaign.locks.MemorySize;
import io.powercut.campaign.template.Regex;
import io.powercut.campaign.template.TextTemplate;
import io.powercut.campaign.yaml.YamlNode.Kind;
import io.powercut.process.DataSize;
import io.powercut.process.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** All types that are written as one scalar. */
final class ScalarTypes {
  private static final Set<Kind> STRINGS = Set.of(Kind.STRING);
  private static final Set<Kind> ANY = Set.of(Kind.STRING, Kind.NUMBER, Kind.BOOLEAN);
  private static final int LAST_NAMED_SIGNAL = 31;
  private static final long KIBI = 1024;
  private static final Units SIZES =
      new Units(
          descending(
              "TiB",
              KIBI * KIBI * KIBI * KIBI,
              "TB",
              1_000_000_000_000L,
              "GiB",
              KIBI * KIBI * KIBI,
              "GB",
              1_000_000_000,
              "MiB",
              KIBI * KIBI,
              "MB",
              1_000_000,
              "KiB",
              KIBI,
              "KB",
              1000,
              "B",
              1),
          false);

  private static final Map<Class<?>, ScalarType<?>> TYPES =
      Map.ofEntries(
          Map.entry(String.class, strings()),
          Map.entry(Boolean.class, booleans()),
          Map.entry(Integer.class, integers()),
          Map.entry(Duration.class, durations()),
          Map.entry(DataSize.class, sizes()),
          Map.entry(Signal.class, signals()),
          Map.entry(Path.class, new PathScalar()),
          Map.entry(TextTemplate.class, templates()),
          Map.entry(Regex.class, expressions()),
          Map.entry(CallValue.class, callValues()),
          Map.entry(MemorySize.class, memorySizes()),
          Map.entry(LockTest.class, lockTests()));

  private ScalarTypes() {}

  /** How values of this class are written, if it is as a scalar. */
  static Optional<ScalarType<?>> find(Class<?> type) {
    if (type.isEnum()) {
      return Optional.of(enumeration(type));
    }
    return Optional.ofNullable(TYPES.get(boxed(type)));
  }

  private static Class<?> boxed(Class<?> type) {
    if (type == boolean.class) {
      return Boolean.class;
    }
    return type == int.class ? Integer.class : type;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static ScalarType<?> enumeration(Class<?> type) {
    return new EnumScalar(type.asSubclass(Enum.class));
  }

  private static ScalarType<String> strings() {
    return new SimpleScalar<>(
        "a string", "write it in quotes", STRINGS, "", Optional::of, text -> text);
  }

  private static ScalarType<Boolean> booleans() {
    return new SimpleScalar<>(
        "true or false",
        "write one of these words, without quotes",
        Set.of(Kind.BOOLEAN),
        "",
        text -> Optional.of(Boolean.valueOf(text)),
        Object::toString);
  }

  private static ScalarType<Integer> integers() {
    return new SimpleScalar<>(
        "a whole number",
        "write its digits, without quotes or a unit",
        Set.of(Kind.NUMBER),
        "",
        text ->
            text.matches("-?[0-9]{1,9}") ? Optional.of(Integer.valueOf(text)) : Optional.empty(),
        Object::toString);
  }

  private static ScalarType<Duration> durations() {
    return new SimpleScalar<>(
        "a duration",
        DurationText.HINT,
        STRINGS,
        DurationText.pattern(),
        DurationText::parse,
        DurationText::format);
  }

  private static ScalarType<DataSize> sizes() {
    return new SimpleScalar<>(
        "a size",
        "write for example 512MiB or 2GiB",
        STRINGS,
        SIZES.pattern(),
        text -> SIZES.parse(text).map(DataSize::new),
        value -> SIZES.format(value.bytes()));
  }

  private static ScalarType<Signal> signals() {
    String names =
        IntStream.rangeClosed(1, LAST_NAMED_SIGNAL)
            .mapToObj(number -> shortName(new Signal(number)))
            .collect(Collectors.joining("|"));
    String pattern = "(SIG)?(" + names + ")";
    return new SimpleScalar<>(
        "a signal",
        "write its name, for example TERM or KILL",
        STRINGS,
        pattern,
        text -> text.matches(pattern) ? Optional.of(Signal.parse(text)) : Optional.empty(),
        ScalarTypes::shortName);
  }

  private static String shortName(Signal signal) {
    return signal.name().replaceFirst("SIG", "");
  }

  private static ScalarType<TextTemplate> templates() {
    return new SimpleScalar<>(
        "a string", "", ANY, "", text -> Optional.of(new TextTemplate(text)), TextTemplate::text);
  }

  private static ScalarType<Regex> expressions() {
    return new SimpleScalar<>(
        "a regular expression",
        "write it in quotes",
        STRINGS,
        "",
        text -> Optional.of(new Regex(text)),
        Regex::text);
  }

  private static ScalarType<MemorySize> memorySizes() {
    return new SimpleScalar<>(
        "a size of memory",
        MemorySize.REMEDY,
        ANY,
        "",
        text -> Optional.of(new MemorySize(text)),
        MemorySize::text);
  }

  private static ScalarType<CallValue> callValues() {
    return new SimpleScalar<>(
        "a value of a call",
        CallValue.REMEDY,
        STRINGS,
        "",
        text -> Optional.of(new CallValue(text)),
        CallValue::text);
  }

  private static ScalarType<LockTest> lockTests() {
    return new SimpleScalar<>(
        "a sign of success",
        LockTest.REMEDY,
        ANY,
        "",
        text -> Optional.of(new LockTest(text)),
        LockTest::text);
  }

  private static Map<String, Long> descending(Object... unitsAndFactors) {
    Map<String, Long> units = new LinkedHashMap<>();
    for (int index = 0; index < unitsAndFactors.length; index += 2) {
      Number factor = (Number) unitsAndFactors[index + 1];
      units.put((String) unitsAndFactors[index], factor.longValue());
    }
    return units;
  }
}
