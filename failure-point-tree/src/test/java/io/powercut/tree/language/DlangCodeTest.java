// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.language;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DlangCodeTest {
  @ParameterizedTest
  @CsvSource({
    "_D5store5Store3putMFmZv, store.Store.put",
    "_D5store4saveFAyaiZv, store.save",
    "_D5store5Store__T3putTmZQhMFmZv, store.Store.put",
    "_D5store5Store13__T3putTmZ3putMFmZv, store.Store.put",
    "_D5store__T5StoreTmZQj3putMFmZv, store.Store.put",
    "_D5store5Store6__ctorMFAyaZCQyQv, store.Store.this",
    "_D5store4saveFAyaiZ5innerMFZv, store.save.inner",
    "_D3std5array__TQjTSQr4convZ3putMFZv, _D3std5array__TQjTSQr4convZ3putMFZv",
    "_D5store4saveFS5store4PairZ5innerMFZv, _D5store4saveFS5store4PairZ5innerMFZv",
    "_Dmain, _Dmain",
    "_D, _D",
    "_D99x, _D99x",
    "_D5storeQ, store",
    "_DQa, _DQa",
    "_D__TZ, _D__TZ",
    "put, put"
  })
  void functionShouldBeNamedAsInItsSource(String symbol, String name) {
    assertThat(DlangCode.name(symbol)).isEqualTo(name);
  }
}
