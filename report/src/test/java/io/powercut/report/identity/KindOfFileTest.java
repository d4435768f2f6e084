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
    "tmp/tmp.aB3kQz, tmp.*",
    "pack/tmp_pack_rRs3il, tmp_pack_*",
    "89/tmp_obj_qwerty, tmp_obj_*",
    "folder.tmp/put, put",
    "log.tmp, log.tmp",
    ".file.aB3kQz, .file.*",
    "check.tmp-1234567, check.tmp-*",
    "pack-e35558fd24.pack, *.pack",
    "89/b24ecec50c07aef0, ''",
    "store-4711.backup, store-*",
    "'', ''",
  })
  void shouldBeWhatIsTheSameInEveryRun(String path, String kind) {
    assertThat(KindOfFile.of(path)).isEqualTo(kind);
  }
}
