// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistingBodyTest {
  private static boolean onlyPersists(String text) {
    return new PersistingBody(text, Set.of("p", "len", "end", "f"), "helper"::equals)
        .onlyPersists();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "asm_clflush(p);",
        "asm_mfence(); asm_clflush(p); asm_mfence();",
        "_mm_clwb(p); _mm_sfence();",
        "_mm_sfence();",
        "for (int i = 0; i < len; i += 64) asm_clflush(p + i); asm_mfence();",
        "char *q = (char *)((unsigned long)p & ~(CACHE_LINE_SIZE - 1));\n"
            + "for (; q < (char *)p + len; q += CACHE_LINE_SIZE) { asm volatile( : +(*(volatile char *)q)); }",
        "volatile char *q = (char*)((uint64_t)p &(~(kCacheLineSize-1)));\nmfence();\n"
            + "for (; q < p + len; q += kCacheLineSize) {\n unsigned long etsc = read_tsc() + "
            + "(unsigned long)(write_latency_in_ns*CPU_FREQ_MHZ/1000);\n"
            + "asm volatile( : (*(volatile char *)q)); while (read_tsc() < etsc) cpu_pause();\n"
            + "++clflush_cnt; } mfence();",
        "uintptr_t line = getcacheline(p), last = getcacheline(end);\n"
            + "do { clwb((char *)line); line += 64; } while (line <= last);",
        "#ifdef CLWB\n _mm_clwb(p);\n#elif defined(X) \\\n  && Y\n _mm_clflushopt(p);\n#else\n"
            + " _mm_clflush(p);\n#endif",
        "if (use_clwb) CLWB(p); else CLFLUSH(p); WMB();",
        "if (len == 0) return; pmflush(p, len); std::atomic_thread_fence(std::memory_order_seq_cst);",
        "auto q = reinterpret_cast<std::uintptr_t>(p); flush_it(reinterpret_cast<void *>(q));",
        "clwb(&p[0]); clwb(&p[len - 1]);",
        "helper(p); fence();",
        "return pwb(p);",
        "f(); pmem_persist(p, len);",
        "std::forward<F>(f)(p); pmem_persist(p, len);",
        "let mut a = p as usize & !63; while a < p as usize + len {"
            + " unsafe { _mm_clwb(a as *const u8) }; a += 64; } _mm_sfence();",
        "asm volatile( :: [q] (*(const char *)(p)));",
      })
  void bodyThatFlushesWhatItIsToldShouldBeOne(String text) {
    assertThat(onlyPersists(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "return;",
        "f();",
        "fill(); pmem_persist(p, len);",
        "f(); *p = 1; pmem_persist(p, len);",
        "len++;",
        "wait(p);",
        "*p = 1; asm_clflush(p);",
        "p[0] = 1; asm_clflush(p);",
        "p->key = 1; asm_clflush(p);",
        "count++; asm_clflush(p);",
        "pool_size = len; asm_clflush(p);",
        "(*p)++; asm_clflush(p);",
        "memcpy(p, text, len); asm_clflush(p);",
        "memset(p, 0, len); asm_clflush(p);",
        "put(p, 0); asm_clflush(p);",
        "flush_log(p); fence();",
        "ST(8); _mm_clwb(p + 0); _mm_sfence();",
        "STORE(p, len); CLWB(p); SFENCE();",
        "kStore(p, len); CLWB(p); SFENCE();",
        "min_insert(p); fence();",
        "asm_clflush(log);",
        "asm_clflush(&log->head); asm_mfence();",
        "asm_clflush(&p->head); asm_clflush(&p->tail); asm_mfence();",
        "asm_clflush(&p.head);",
        "asm_clflush(*p);",
        "for (int i = 0; i < TIMES; i++) persist(p);",
        "for (int i = 0; i < 8; i++) asm volatile( : (*(volatile char *)p));",
        "asm_clflush(p); asm_clflush(p);",
        "volatile int lock = 0; int old = 1; asm volatile( : (old), (lock) : : );",
        "asm_clflush(p[len]);",
        "asm_clflush(POOL);",
        "char *q = POOL; for (int i = 0; i < 8; i++) asm_clflush(q + 64 * i);",
        "char *q = log_begin; while (q < log_end) { asm_clflush(q); q += 64; }",
        "if (dirty) { asm_clflush(p); asm_mfence(); }",
        "for (; p; p = p->next) asm_clflush(p);",
        "while (*p != 1) asm volatile( ::: );",
        "while (xchg(p, 1)) asm volatile( ::: );",
        "asm volatile( : (*pool) : (len));",
        "static char *q = 0; asm_clflush(p);",
        "switch (len) { case 1: asm_clflush(p); }",
        "movnti(p, 1); asm_mfence();",
        "pmem_memcpy_persist(p, one, 8);",
        "store_fence(p, 1); cas(p, 1, 2);",
        "log.append(p); asm_mfence();",
        "flush(p = next);",
      })
  void bodyThatStoresOrDecidesShouldBeNone(String text) {
    assertThat(onlyPersists(text)).isFalse();
  }
}
