// SPDX-License-Identifier: Apache-2.0
package io.powercut.orchestrator.untested;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisassemblyTest {
  private static final String TEXT =
      """

      workloads/map:     file format elf64-x86-64

      Disassembly of section .plt:

      0000000000001060 <pmem_persist@plt>:
          1060:\tjmp    *0x2f2a(%rip)        # 3fa0 <pmem_persist@LIBPMEM_1.0>

      Disassembly of section .text:

      0000000000001219 <list::push(int)>:
          1219:\tpush   %rbp
          121a:\tcall   1060 <pmem_persist@plt>
          121f:\tret

      0000000000001220 <caller>:
          1220:\tje     1230 <caller+0x10>
          1222:\tcall   1219 <list::push(int)>
          1230:\tjmp    1300 <other [clone .part.0]>

      0000000000001300 <other [clone .part.0]>:
          1300:\tclwb   (%rdi)
          1304:\tmovntdqa (%rdi),%xmm0

      0000000000001310 <reader>:
          1310:\tmovntdqa (%rdi),%xmm0
          1314:\tcall   *0x2f(%rip)        # 3fe8 <read@GLIBC_2.2.5>
      """;

  @Test
  void functionsShouldBeKnownByWhatTheyCallAndWhetherTheyPersist() {
    List<Disassembly.Function> functions = Disassembly.functions(TEXT.lines());

    assertThat(functions)
        .extracting(Disassembly.Function::name)
        .containsExactly("list::push(int)", "caller", "other", "reader");
    assertThat(functions)
        .extracting(Disassembly.Function::persists)
        .containsExactly(true, false, true, false);
    assertThat(functions.get(1).calls()).containsExactlyInAnyOrder("list::push(int)", "other");
    assertThat(functions.get(1).start()).isEqualTo(0x1220);
    assertThat(functions.get(1).end()).isGreaterThan(0x1230).isLessThanOrEqualTo(0x1300);
  }

  @ParameterizedTest
  @CsvSource({
    "__memmove_avx_unaligned_erms, false",
    "__memset_evex_unaligned, false",
    "runtime.memmove, false",
    "runtime.memclrNoHeapPointers, false",
    "SYSTEM_$$_MOVE$formal$formal$INT64, false",
    "SYSTEM_$$_FILLCHAR$formal$INT64$BYTE, false",
    "P$STORE_$$_MOVE$INT64, true",
    "memcpy_persist, true",
    "pmem_memcpy, true"
  })
  void copiesOfTheSystemShouldNotPersist(String function, boolean persists) {
    String text = "0000000000001219 <%s>:\n    1219:\tsfence".formatted(function);

    assertThat(Disassembly.functions(text.lines()))
        .extracting(Disassembly.Function::persists)
        .containsExactly(persists);
  }

  @Test
  void fileWithoutSymbolsShouldHaveNoFunctions() {
    assertThat(Disassembly.functions("0000000000001219 <.text>:\n    1219:\tclwb   (%rdi)".lines()))
        .isEmpty();
  }
}
