// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OcamlCodeTest {
  @ParameterizedTest
  @CsvSource({
    "camlStore__add_824, Store.add",
    "camlStore.add_824, Store.add",
    "camlStore__add_824_code, Store.add",
    "camlDune__exe__Main__put_12, Dune.exe.Main.put",
    "camlT__my__f_89, T.my__f",
    "camlT__fun_217, T.fun",
    "camlT__entry, T.entry",
    "camlT__$2b$21_84, T.+!",
    "camlT__f'_3, T.f'",
    "camlT__f1_3, T.f1",
    "caml_main, caml_main",
    "camlT, camlT",
    "camlT__12, camlT__12",
    "camelCase, camelCase"
  })
  void functionShouldBeNamedAsInItsSource(String symbol, String name) {
    assertThat(OcamlCode.name(symbol)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "camlStdlib__output_string_252, ./stdlib/stdlib.ml",
    "camlStdlib__Bytes__blit_162, stdlib.ml",
    "camlCamlinternalFormat__make_printf_5, ''",
    "camlUnix__write_605, ./otherlibs/unix/unix.ml",
    "camlUnix.write_605, unix.ml",
    "camlThread__create_8, ./otherlibs/systhreads/thread.ml"
  })
  void modulesOfOcamlShouldBeALibrary(String symbol, String file) {
    assertThat(OcamlCode.isLibrary(symbol, file)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "camlStore__add_824, store.ml",
    "camlUnixStore__add_824, unixStore.ml",
    "camlEvent__add_824, lib/event.ml",
    "unix_write, ''",
    "caml_write_fd, otherlibs/io.ml"
  })
  void codeOfTheUserShouldNotBe(String symbol, String file) {
    assertThat(OcamlCode.isLibrary(symbol, file)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "unix_write, '', true",
    "caml_write_fd, runtime/io.c, true",
    "caml_unix_fsync, /build/ocaml/otherlibs/unix/fsync.c, true",
    "caml_store_put, stubs.c, false",
    "store_put, '', false"
  })
  void runtimeShouldBeKnown(String function, String file, boolean mayBe) {
    assertThat(OcamlCode.mayBeRuntime(function, file)).isEqualTo(mayBe);
  }
}
