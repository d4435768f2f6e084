// SPDX-License-Identifier: Apache-2.0
package io.powercut.report.identity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindOfFileTest {
  @ParameterizedTest
  @CsvSource({
    "log, log",
    "folder/check.new, check.new",
    "000012.log, *.log",
    "MANIFEST-000005, ''",
    "tmp/tmp.aB3kQz, ''",
    "store-4711.backup, ''",
    "'', ''",
  })
  void shouldBeWhatIsTheSameInEveryRun(String path, String kind) {
    assertThat(KindOfFile.of(path)).isEqualTo(kind);
  }
}
