// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsOfDeedsTest {
  private static boolean onlyPersistOrCopy(String name) {
    return WordsOfDeeds.onlyPersistOrCopy(WordsOfDeeds.words(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pflush",
        "flush_buffer_nocache",
        "do_clflush_opt",
        "CFLUSH",
        "cpersist",
        "PWB",
        "pfence",
        "psync",
        "nvm_persist",
        "nv_flush_range",
        "persist_barrier",
        "wbarrier",
        "dccvap",
        "ntStore64",
      })
  void nameOfTheFieldShouldSayThatItOnlyPersistsOrCopies(String name) {
    assertThat(onlyPersistOrCopy(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flush_log",
        "persist_node",
        "pm_clean",
        "wb",
        "write",
        "store",
        "pflush_list",
        "clean",
        "nv",
        "pcm",
        "sync_pool",
        ""
      })
  void nameThatMaySayMoreShouldNot(String name) {
    assertThat(onlyPersistOrCopy(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "asm_clflush",
        "_mm_clwb",
        "clflushopt_",
        "pmflush",
        "CLFLUSH",
        "flushCacheLine",
        "WB",
        "nvm_wb"
      })
  void whatIsCalledMayJoinItsWords(String name) {
    assertThat(WordsOfDeeds.persist(name)).isTrue();
    assertThat(WordsOfDeeds.order(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fflush",
        "flush_log",
        "memcpy",
        "nt_store",
        "cas",
        "movnti",
        "sync",
        "put",
        "data"
      })
  void whatIsCalledMayDoMore(String name) {
    assertThat(WordsOfDeeds.persist(name)).isFalse();
  }

  @Test
  void whatOrdersNeedNotBeToldWhere() {
    assertThat(WordsOfDeeds.order("asm_mfence")).isTrue();
    assertThat(WordsOfDeeds.order("PM_BARRIER")).isTrue();
    assertThat(WordsOfDeeds.order("pmem_drain")).isTrue();
  }
}
