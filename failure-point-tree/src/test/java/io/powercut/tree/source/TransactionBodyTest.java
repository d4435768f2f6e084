// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionBodyTest {
  private static final TransactionBody.Others OTHERS =
      new TransactionBody.Others() {
        @Override
        public boolean areHere(String function) {
          return Set.of("begin", "insert", "left", "right").contains(function);
        }

        @Override
        public boolean areSuch(String function) {
          return function.equals("begin");
        }
      };

  private static boolean isForCallers(String text) {
    return new TransactionBody(text, Set.of("pop", "f", "p", "size", "arg"), OTHERS).isForCallers();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pmemobj_tx_commit(); pmemobj_tx_end();",
        "if (pmemobj_tx_begin(pop, nullptr, TX_PARAM_NONE)) throw std::runtime_error(msg);",
        "pmemobj_tx_commit(); done = true;",
        "pmemobj_tx_commit(); this->done = true;",
        "if (!done) pmemobj_tx_abort(-1); pmemobj_tx_end();",
        "TX_BEGIN(pop) { f(arg); } TX_ONABORT { abort(); } TX_END",
        "TX_BEGIN(pop) { (*f)(arg); } TX_END",
        """
        if (pmemobj_tx_begin(pop, nullptr, TX_PARAM_NONE)) throw std::runtime_error(msg);
        try { f(); } catch (...) {
          if (pmemobj_tx_stage() == TX_STAGE_WORK) pmemobj_tx_abort(-1);
          pmemobj_tx_end();
          throw;
        }
        pmemobj_tx_commit();
        pmemobj_tx_end();""",
        "Transaction tx(pop); std::forward<F>(f)(tx); tx.commit();",
        "std::lock_guard<std::mutex> guard(mutex); begin(); f(); pmemobj_tx_commit();",
        "for (int tries = 0; tries < 3; tries++) { int rc = pmemobj_tx_begin(pop, env); if (!rc) break; }",
        "if (pmemobj_tx_add_range_direct(p, size)) abort();",
        "if (pmemobj_tx_stage() == TX_STAGE_WORK) pmemobj_tx_add_range_direct(this, sizeof(*this));",
        "PMEMoid oid = pmemobj_tx_zalloc(size, 1); if (OID_IS_NULL(oid)) abort(); return oid;",
        "let tx = pop.begin(); let result = f(&tx); tx.commit(); result",
      })
  void functionsThatRunTransactionsShouldBeForTheirCallers(String text) {
    assertThat(isForCallers(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // They store, or say what is added to the transaction.
        "pmemobj_tx_commit(); p->done = 1;",
        "TX_BEGIN(pop) { *arg = 1; } TX_END",
        "TX_BEGIN(pop) { count++; } TX_END",
        "TX_BEGIN(pop) { total = size; } TX_END",
        "pmemobj_tx_commit(); this->head = p;",
        "TX_BEGIN(pop) { TX_FREE(p->head); } TX_END",
        "pmemobj_tx_add_range_direct(&root->total, 8);",
        "TX_BEGIN(pop) { memcpy(p, arg, size); } TX_END",
        "pmemobj_tx_begin(pop); asm volatile(code);",
        // They call others, of which nothing is known.
        "pmemobj_tx_begin(pop); insert(p, arg); pmemobj_tx_commit();",
        "begin(left, arg); begin(right, arg);",
        "in_transaction(left, arg); in_transaction(right, arg);",
        "List list(pop); f(list); pmemobj_tx_commit();",
        // They have nothing to do with transactions.
        "f(arg);",
        "for (int i = 0; i < size; i++) f(i);",
        "pthread_mutex_lock(p); f(arg); pthread_mutex_unlock(p);",
        "return;",
      })
  void functionsThatDoMoreShouldNotBe(String text) {
    assertThat(isForCallers(text)).isFalse();
  }
}
