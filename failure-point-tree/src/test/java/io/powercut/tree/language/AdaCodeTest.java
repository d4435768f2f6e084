// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdaCodeTest {
  @ParameterizedTest
  @CsvSource({
    "_ada_pool, pool, pool",
    "pool__numbers__append, pool.numbers.append, append",
    "pool__numbers__append__2, pool.numbers.append, append",
    "pool__points__append__fill.12, pool.points.append.fill, fill",
    "pool__tasks__account__addN, pool.tasks.account.add, add",
    "pool__tasks__account__add_allP, pool.tasks.account.add_all, add_all",
    "pool__workerTB.2, pool.worker, worker",
    "pool__workerTKB, pool.worker, worker",
  })
  void functionShouldBeNamedAsInItsSource(String symbol, String name, String simple) {
    assertThat(AdaCode.name(symbol, "/src/pool.adb")).contains(name);
    assertThat(AdaCode.simpleName(symbol, "/src/pool.ads")).contains(simple);
  }

  @ParameterizedTest
  @CsvSource({
    "list__push, list.c",
    "list__push, ''",
    "main, b.adb.c",
    "pool___elabb, pool.adb",
    "system__Main, pool.adb",
  })
  void otherNamesShouldStay(String symbol, String file) {
    assertThat(AdaCode.name(symbol, file)).isEmpty();
    assertThat(AdaCode.simpleName(symbol, file)).isEmpty();
  }
}
