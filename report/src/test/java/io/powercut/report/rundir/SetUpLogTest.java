// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.rundir;

import static org.assertj.core.api.Assertions.assertThat;

import io.powercut.report.format.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a later set-up gave the same files, and which does not agree. */
class SetUpLogTest {
  private static final SetUpLog RUN =
      SetUpLog.of(
          Map.of(
              "a", "directory",
              "a/log", "file 10 00ff",
              "current", "link a/log of today",
              "pool", "file 8 0123"));

  private static SetUpLog with(String name, String said) {
    SetUpLog log = SetUpLog.of(RUN.contents());
    log.contents().put(name, said);
    return log;
  }

  @ParameterizedTest
  @CsvSource({
    "pool, file 8 0124, holds other bytes",
    "pool, file 9 0123, has 9 bytes instead of 8",
    "pool, link other, was a file and is a link",
    "current, link a/log of yesterday, leads to another place",
    "b, directory, which the run did not have"
  })
  void firstDifferenceShouldBeNamed(String name, String said, String words) {
    assertThat(RUN.unlike(with(name, said)).orElseThrow())
        .isEqualTo(
            "set-up gave other files than in the run, the first is %s, which %s"
                .formatted(name, words.replace("which ", "")));
  }

  @Test
  void whatIsMissingShouldBeNamedAndTheFirstOfSeveral() {
    SetUpLog later = with("pool", "file 8 0124");
    later.contents().remove("a/log");

    assertThat(RUN.unlike(later).orElseThrow()).endsWith("the first is a/log, which is missing");
    assertThat(RUN.unlike(SetUpLog.of(RUN.contents()))).isEmpty();
  }

  @Test
  void bytesShouldNotCountWhereNothingDependsOnThem() {
    assertThat(RUN.unlikeInNameOrSize(with("pool", "file 8 0124"))).isEmpty();
    assertThat(RUN.unlikeInNameOrSize(with("pool", "file 9 0123")).orElseThrow())
        .endsWith("pool, which has 9 bytes instead of 8");
    assertThat(RUN.unlikeInNameOrSize(with("current", "link other")).orElseThrow())
        .endsWith("current, which leads to another place");
  }

  @Test
  void fileShouldKeepIt(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("setup.json");

    Json.write(file, RUN);

    assertThat(Json.read(file, SetUpLog.class)).isEqualTo(RUN);
  }
}
