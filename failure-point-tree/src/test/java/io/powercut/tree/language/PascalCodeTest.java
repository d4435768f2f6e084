// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PascalCodeTest {
  @ParameterizedTest
  @CsvSource({
    "P$STORE_$$_ADDENTRY$PTABLE$QWORD, STORE.ADDENTRY",
    "LOG_$$_PLAIN, LOG.PLAIN",
    "M$_$TBOX_$__$$_CREATE$LONGINT$$TBOX, M.TBOX.CREATE",
    "M$_$TBOX_$_PUT$LONGINT_$$_INNER, M.TBOX.PUT.INNER",
    "P$STORE$_$ADDENTRY$QWORD_$$_INNER, STORE.ADDENTRY.INNER",
    "main, main",
    "fpc_do_exit, fpc_do_exit",
    "add_$_entry, add_$_entry"
  })
  void functionShouldBeNamedAsInItsSource(String symbol, String name) {
    assertThat(PascalCode.name(symbol)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "SYSTEM_$$_FPSYSCALL$INT64$INT64$$INT64, '', true",
    "SYSUTILS$_$TSTRINGHELPER_$__$$_PADRIGHT$INT64$$ANSISTRING, '', true",
    "WRPR_$SYSUTILS_$$_TSYNC_$_IREADWRITESYNC_$_3_$_SYSUTILS_$$_BEGINREAD, '', true",
    "fpc_do_exit, '', true",
    "FPC_DO_EXIT, '', true",
    "P$SYSTEM_$$_PUT, '', false",
    "SYSTEMLOG_$$_PUT, '', false",
    "UNIX_$$_FPWRITE, unix.pp, false",
    "fpc_put, put.c, false"
  })
  void unitsOfTheCompilerShouldBeALibrary(String symbol, String file, boolean isLibrary) {
    assertThat(PascalCode.isLibrary(symbol, file)).isEqualTo(isLibrary);
  }
}
