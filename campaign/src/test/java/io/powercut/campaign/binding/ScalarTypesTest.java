// SPDX-License-Identifier: Apache-2.0
package io.powercut.campaign.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.campaign.yaml.Origin;
import io.powercut.process.DataSize;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalarTypesTest {
  private static final Origin HERE = Origin.argument("test");

  @ParameterizedTest
  @CsvSource({
    "0s, PT0S, 0ms",
    "500ms, PT0.5S, 500ms",
    "90s, PT1M30S, 1m30s",
    "10m, PT10M, 10m",
    "1h30m, PT1H30M, 1h30m",
    "1d2h3m4s5ms, PT26H3M4.005S, 1d2h3m4s5ms",
    "36h, PT36H, 1d12h",
    "365d, PT8760H, 365d"
  })
  void shouldReadAndWriteDurations(String text, Duration duration, String canonical) {
    assertThat(parse(Duration.class, text)).contains(duration);
    assertThat(format(duration)).isEqualTo(canonical);
    assertThat(parse(Duration.class, canonical)).contains(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "10x",
        "s",
        "1.5h",
        "1 h",
        " 1h",
        "-1s",
        "30m1h",
        "1m1m",
        "1H",
        "10 m",
        "9999999999999999d",
        "99999999999999999999s",
        "1h30"
      })
  void shouldRefuseOtherDurations(String text) {
    assertThat(parse(Duration.class, text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0B, 0, 0B",
    "512B, 512, 512B",
    "1KiB, 1024, 1KiB",
    "1KB, 1000, 1KB",
    "64MiB, 67108864, 64MiB",
    "2GiB, 2147483648, 2GiB",
    "2GB, 2000000000, 2GB",
    "1TiB, 1099511627776, 1TiB",
    "3TB, 3000000000000, 3TB",
    "1536MiB, 1610612736, 1536MiB",
    "12345678901B, 12345678901, 12345678901B"
  })
  void shouldReadAndWriteSizes(String text, long bytes, String canonical) {
    DataSize size = new DataSize(bytes);
    assertThat(parse(DataSize.class, text)).contains(size);
    assertThat(format(size)).isEqualTo(canonical);
    assertThat(parse(DataSize.class, canonical)).contains(size);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "512",
        "1.5GiB",
        "1 GiB",
        "1gib",
        "1G",
        "GiB",
        "-1B",
        "9999999TiB",
        "1GiB512MiB"
      })
  void shouldRefuseOtherSizes(String text) {
    assertThat(parse(DataSize.class, text)).isEmpty();
  }

  private static <T> Optional<T> parse(Class<T> type, String text) {
    return ScalarTypes.find(type).orElseThrow().parse(text, HERE).map(type::cast);
  }

  @SuppressWarnings("unchecked")
  private static <T> String format(T value) {
    return ((ScalarType<T>) ScalarTypes.find(value.getClass()).orElseThrow()).format(value);
  }
}
