// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionNameTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pmemobj_tx_commit",
        "pmemobj_tx_end",
        "commit",
        "Log::commitAll(int)",
        "~tx",
        "pm::Transaction::~Transaction()",
        "finish_transaction",
        "<store::Txn as core::ops::drop::Drop>::drop"
      })
  void endOfATransactionShouldBeKnownByItsName(String name) {
    assertThat(FunctionName.of(name).endsTransaction()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"pmemobj_tx_begin", "tx::tx(Pool&)", "~list", "append", "list_end", "drop_node"})
  void otherNamesShouldNotSpeakOfIt(String name) {
    assertThat(FunctionName.of(name).endsTransaction()).isFalse();
  }
}
