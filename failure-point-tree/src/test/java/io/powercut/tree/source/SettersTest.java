// SPDX-License-Identifier: Apache-2.0
package io.powercut.tree.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettersTest {
  @TempDir private Path folder;

  private String file(String source) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(file, source);
    return file.toString();
  }

  private boolean contain(String source) throws IOException {
    return Setters.contain(file(source), "put", 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "static void put(uint64_t *to, uint64_t value) { *to = value; }",
        "void put(long *to, long value)\n{\n\t*to = value; /* not == yet; */ // { \n}",
        "void put(long *, long);\nvoid put(long *to, long by) { *to += by; }\nint f() { put(&x, 1); }",
        "template<class T> struct Cell { T v; void put(T x) noexcept { v = x; } T get() { return v; } };",
        "fn put(to: &mut u64, value: u64) { *to = value; }",
        "static inline void put(void *p) { __asm__ volatile(\"clwb (%0); \" : : \"r\"(p) : \"memory\"); }",
        "auto put(int *p, int v) -> int { return *p = v; }",
        "void put(long to[4], const struct pair from[2]) { to[1] = from[0].x + 1; }",
        "void put(struct user *user, const char *name) { strncpy(user->name, name, 16); }",
        "void put(struct pool *pool, long by) { atomic_fetch_add(&pool->sum, by); }",
        "void put(user &user, const char *name) { std::memcpy(user.name, name, 16); }",
        "void put(user &user, const char *name) { std::copy(name, name + 16, user.name); }",
        "fn put(&mut self, name: &[u8]) { self.name[..16].copy_from_slice(name); }",
        "fn put(to: &mut [u8], byte: u8) { to.fill(byte); }",
        "void raw(long *to, long v) { *to = v; }\nvoid put(struct n *n, long v) { raw(&n->key, v); }",
      })
  void functionOfOneAssignmentShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "T *put(void *to, A &&...args) { return new (to) T(std::forward<A>(args)...); } | true  | true",
        "void put(Node *to, const Node &n) { ::new (static_cast<void *>(to)) Node(n); } | true  | true",
        "void put(Node *to, long n) { new (to) Node{n}; }                               | true  | true",
        "void put(T *to, const T &v) { new (to) T(v); pmem_persist(to, sizeof(T)); }    | false | true",
        "void put(Node *to, Key k, Value v) { new (to) Node{k, v}; }                    | false | false",
        "void put(Node *to, Key k, Value v) { new (to) Node(k, v); }                    | false | false",
        "void put(Pool *pool, Key k) { new (pool->next++) Node(k); }                    | false | false",
        "void put(T *to, T v) { new (to) T(v); to->used = 1; }                          | false | false",
        "Node *put(Key k) { return new Node(k); }                                       | false | false",
        "void put(char *t, long v) { n = snprintf(line, 9, t, v); write(1, line, n); }  | false | false",
      })
  void objectThatIsMadeWhereItIsToldShouldBeAStore(String source, boolean isOne, boolean mayPersist)
      throws IOException {
    assertThat(contain(source)).isEqualTo(isOne);
    assertThat(Setters.mayPersist(file(source), "put", 0)).isEqualTo(mayPersist);
  }

  /** What does nothing does not make a function more than that. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(struct s *t, int x, int i, long v)\n{\n\t(void)x;\n\tt->s[i] = v;\n}",
        "void put(struct s *t, int x, long v) { t->a.b[1] = v; (void)(x); }",
        "void put(struct s *t, int x, int y, long v) { (void)x, (void)y; t->key = v; }",
        "void put(struct s *t, int x, long v) { UNUSED(x); t->key = v; }",
        "void put(struct s *t, int x, long v) { Q_UNUSED(x) ; t->key = v; }",
        "void put(struct s *t, int x, long v) { boost::ignore_unused(x); t->key = v; }",
        "void put(struct s *t, int x, long v) { std::ignore = x; t->key = v; }",
        "void put(struct s *t, long v) { assert(t != NULL && is_leaf(t)); t->key = v; }",
        "void put(struct s *t, int i, long v) { t->s[i] = v; ASSERT(i <= 8); }",
        "void put(struct s *t, int i, long v) { static_assert(sizeof(v) == 8, \"\"); t->s[i] = v; }",
        "void put(long *to, long v) { assert(to); *to = v; count++; }",
        "void put(struct s *t, long v) { [[maybe_unused]] const auto old = t->key; t->key = v; }",
        "void put(struct s *t, long v) { long old __attribute__((unused)) = 1; assert(old);"
            + " t->key = v; }",
        "void put(struct s *t, long v) { ; t->key = v;; }",
        "void put(struct s *t, long v) { /* (void) */ t->key = v; // x = 1;\n return; }",
        "struct s *put(struct s *t, long v) { t->key = v; return t; }",
        "struct s { long k; s &put(int x, long v) { (void)x; this->k = v; return *this; } };",
        "fn put(&mut self, x: u64, v: u64) { let _ = x; debug_assert!(v > 0); self.key = v; }",
        "void raw(long *to, long v) { *to = v; }\n"
            + "void put(struct n *n, int x, long v) { (void)x; raw(&n->key, v); }",
      })
  void functionThatDoesNothingBesideItsStoreShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(struct s *t, int x, long v) { (void)x; t->key = v; t->n = v; }",
        "void put(struct s *t, long v) { (void)(t->n = v); t->key = v; }",
        "void put(struct s *t, long v) { (void)flush(t); t->key = v; }",
        "void put(struct s *t, long v) { (void)t->n++; t->key = v; }",
        "void put(struct s *t, long v) { t->key = v; assert(persist(t) == 0); }",
        "void put(struct s *t, long v) { assert(t->n = v); t->key = v; }",
        "void put(struct s *t, long v) { t->key = v; assert_persisted(t); }",
        "void put(struct s *t, int x, long v) { (void)x; t->key = v; flush(t); }",
        "void put(struct s *t, int x, long v) { if (x) v = 0; t->key = v; }",
        "void put(struct s *t, int x, long v) { if (x) (void)x; t->key = v; }",
        "void put(struct s *t, int x, long v) { if (x) return; t->key = v; }",
        "long put(struct s *t, long v) { t->key = v; return t->n = v; }",
        "long put(struct s *t, long v) { t->key = v; return sum(t); }",
        "long put(struct s *t, long v) { t->key = v; return t->n++; }",
        "void put(struct s *t, long v) { [[maybe_unused]] long old = next(t); t->key = v; }",
        "void put(struct s *t, long v) { [[maybe_unused]] long *p = &t->s[3]; *p = v; }",
        "void put(struct s *t, int x, long v) { (void)x; (void)t; (void)v; }",
        "void put(struct s *t, int x, long v) { (void)x; while (x) t->key = v; }",
      })
  void functionThatDoesMoreThanThatShouldBeNone(String source) throws IOException {
    assertThat(contain(source)).isFalse();
  }

  /** A compiler may say that what is computed there is stored there, too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "static uint64_t put(uint64_t a, uint64_t b) { return 7 * a + (uint64_t)b + 1; } | true",
        "fn put(a: u64, b: u64) -> u64 { 7 * a + (b >> 1) } | true",
        "double put(uint64_t a, uint64_t b) { return (a >= b ? a : b) * 0.5; } | true",
        "long put(const struct pool *pool) { return pool->count >= 1 ? pool->count : 0; } | false",
        "long put(const struct pool *pool) { return 2 * *words; } | false",
        "long put(struct pool pool) { return pool.count; } | false",
        "long put(void) { return X; } | false",
        "long put(long key) { return key * scale; } | false",
        "long put(struct pool *pool) { return pool->count = 1; } | false",
        "long put(struct pool *pool) { return pool->count++; } | false",
        "long put(struct pool *pool) { return --pool->count; } | false",
        "long put(long key) { return list_insert(&list, key); } | false",
        "long put(long key) { key ^= 1; return key; } | false",
        "void put(long key) { } | false",
      })
  void functionThatOnlyComputesShouldBeOne(String source, boolean isOne) throws IOException {
    assertThat(contain(source)).isEqualTo(isOne);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long *to, long value) { *to = value; count++; }",
        "void put(long *to, long value) { *to = value; statistics.bytes += sizeof *to; }",
        "void put(uint64_t *to, uint64_t v, int later) { n++; *to = v; if (later) d[m++] = to; }",
        "void put(char *to, const char *from, size_t n) { total += n; memcpy(to, from, n); }",
        "fn put(to: &mut u64, value: u64) { unsafe { ptr::write_volatile(to, value) }; N += 1; }",
        "void put(std::atomic<int> *to, int v) { to->store(v, relaxed); ++count; }",
      })
  void functionThatStoresAndCountsShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  /** They fill what they are given. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "void put(std::array<long, 9> &to, long v) { for (auto &x : to) x = v; } | true",
        "void put(struct wide &to, long v) { for (auto &x : to.words) { x = v; } } | true",
        "void put(struct wide *to, long v) { for (long &x : to->words) x = v; } | true",
        "void put(rows &to, long v) { for (auto &row : to) for (auto &x : row) x = v; } | true",
        "void put(rows &to, long v) { for (auto &row : to) row.key = v; } | true",
        "fn put(to: &mut [u64], v: u64) { for x in to.iter_mut() { *x = v; } } | true",
        "fn put(to: &mut Wide, v: u64) { for x in &mut to.words { *x = v; } } | true",
        "void put(rows &to, long v) { for (auto &row : to) { row.key = v; row.sum = v; } } | false",
        "void put(wide &to, long v) { for (auto &x : to.a) x = v; for (auto &x : to.b) x = v; } | false",
        "void put(wide &to, long v) { for (auto &x : to) { x = v; p->n = v; } } | false",
        "void put(wide &to) { for (auto &x : to) x = 0; } | true",
        "void put(wide &to) { for (auto &x : to.words) x = 0; } | false",
        "void put(long v) { for (auto &x : pool.words) x = v; } | false",
        "void put(wide &to, long v) { for (auto x : to) pool->last = v; } | false",
        "void put(wide &to, long v) { for (auto &x : to) { x = v; flush(&x); } } | false",
      })
  void loopOverElementsShouldBeOneIfItStoresOnce(String source, boolean isOne) throws IOException {
    assertThat(contain(source)).isEqualTo(isOne);
  }

  /** Which of the two is first, its callers cannot say. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(struct line *l, long v) { l->slot[l->count++] = v; }",
        "void put(struct line *l, long v) { l->slot[--l->free] = v; }",
        "void put(struct line *l, long v) { l->slot[l->count += 1] = v; }",
        "void put(struct line *l, long v) { l->last = l->slot[0] = v; }",
        "void put(struct line *l, long v) { l->count++, l->slot[0] = v; }",
        "void put(struct line *l, char *v) { memcpy(l->text[l->count++], v, 8); }",
        "void put(long *to, long *n, long v) { to[(*n)++] = v; }",
        "void put(long *to, long *n, long v) { sum += v; to[(*n)++] = v; }",
        "void put(long *to, long *from, long n) { while (n--) *to++ = from[from->at++]; }",
      })
  void statementOfTwoStoresShouldBeNone(String source) throws IOException {
    assertThat(contain(source)).isFalse();
    assertThat(mayPersist(source)).isFalse();
    assertThat(Setters.makeOneStore(file(source), "put", 0)).isFalse();
  }

  /** It stores to memory as well: which is first, its callers cannot say. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long *to, long *n, long v) { (*n)++; *to = v; }",
        "void put(long *to, long *n, long v) { ++*n; *to = v; }",
        "void put(long *to, long *n, long v) { *n += 1; *to = v; }",
        "void put(long *to, long *n, long v) { *n <<= 1; *to = v; }",
        "void put(long *to, long *n, long v) { n[0]++; *to = v; }",
        "void put(long *to, long *n, long v) { *to = v; if (v) { --n[1]; } }",
        "void put(long *to, struct head *h, long v) { sum += h->n--; *to = v; }",
        "void put(long *to, long *n, long k) { for (long i = 0; i < k; i++) { to[i] = k; (*n)++; } }",
      })
  void countThroughAPointerShouldBeAStore(String source) throws IOException {
    assertThat(contain(source)).isFalse();
    assertThat(mayPersist(source)).isFalse();
    assertThat(Setters.makeOneStore(file(source), "put", 0)).isFalse();
  }

  /** What it counts is volatile, or goes from place to place. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long v) { pool->slot[used++] = v; }",
        "void put(long v) { pool->slot[state.used++] = v; }",
        "void put(char **to, char v) { *(*to)++ = v; }",
        "void put(struct cursor *c, char v) { *c->to++ = v; }",
        "void put(long *to, long v) { *to += 2 * v; }",
        "long put(long *to, long v) { return *to = v <= 3 ? v : 3; }",
        "void put(long *to, struct head *h, long v) { if (h->full) n++; *to = v; }",
      })
  void storeAndCountOfAVariableShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "struct L { long n, at[7]; void put(long v) { at[n++] = v; } };  | false",
        "struct L { long n, at[7]; void put(long v) { at[n] = v; } };    | true",
        "void put(long *to, long &n, long v) { to[n++] = v; }            | false",
        "void put(line &to, long v) { to.at[to.n++] = v; }               | false",
        "void put(char *&to, char v) { *to++ = v; }                      | true",
      })
  void nameMayBeOfAMemberWhereThereAreClasses(String source, boolean isOne) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".cc");
    Files.writeString(file, source);

    assertThat(Setters.contain(file.toString(), "put", 0)).isEqualTo(isOne);
  }

  /** Who says that it need not be persisted has to know. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long *to, long v, bool now) { *to = v; if (now) persist(to); }",
        "void put(long *to, long v, int flags)\n{\n\t*to = v;\n\tif (flags & NOW) {\n\t\tflush(to);\n"
            + "\t\tfence();\n\t}\n}",
        "void put(long *to, long v, bool later) { *to = v; if (later) return; persist(to); }",
        "void put(void *to, void *from, size_t n, bool now) { memcpy(to, from, n); if (is(now)) flush(to); }",
        "struct C { long v; void put(long x, bool now = true) { v = x; if (now) persist(&v); } };",
        "struct C { long v; void put(long x, bool now) { this->v = x; if (now) { persist(&v); } } };",
        "fn put(&mut self, x: u64, now: bool) { self.v = x; if now { flush(&self.v); } }",
        "fn put(to: &mut u64, value: u64, now: bool) { *to = value; if now { flush(to); fence(); } }",
      })
  void functionThatPersistsIfItsCallerWantsThatShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long *to, long v) { *to = v; if (ready) persist(to); }",
        "struct C { long v, n; void put(long x, bool now) { v = x; n++; if (now) persist(&v); } };",
        "struct C { long v, n; void put(long x, bool now) { v = x; n = x; if (now) persist(&v); } };",
        "struct C { long v; void put(long x) { v = x; persist(&v); } };",
        "void put(long x, bool now) { x = 2 * x; if (now) persist(&pool); }",
        "void put(long *to, long v) { *to = v; if (to) persist(to); }",
        "void put(long *to, long v) { *to = v; if (v) persist(to); }",
        "void put(long *to, long v, bool now) { *to = v; if (now) persist(to); else fence(); }",
        "void put(long *to, long v, bool now) { *to = v; if (now) { persist(to); } else { fence(); } }",
        "void put(long *to, long v, bool now) { *to = v; flush(to); if (now) fence(); }",
        "void put(long *to, long v, bool now) { *to = v; if (now) { pool->count++; persist(to); } }",
        "void put(long *to, long v, bool now) { if (now) while (*to) wait(to); *to = v; }",
      })
  void conditionThatIsNotTheCallersShouldBeNone(String source) throws IOException {
    assertThat(contain(source)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "static void put(long *p, long v) __attribute__((noinline)) { *p = v; }",
        "void put(long *p, long v) [[gnu::cold]] { *p = v; }",
        "void put(long *p, long v) noexcept(noexcept(f(p))) { *p = v; }",
        "struct T : U { void put(long *p, long v) const & noexcept final { *p = v; } };",
        "template <class T = map<int, int>, int N = (3 > 2)> void put(T *p, T v = T{}) { *p = v; }",
        "template <class T> void put(T *p, T v) requires (sizeof(T) == 8) { *p = v; }",
        "void put(long *p, long v) throw() { *p = v; }",
        "auto put(long *p, long v) noexcept -> long & { return *p = v; }",
        "void put(long *p, long v) NO_THROW GUARDED(a(1)) { *p = v; }",
        "void put(p, v)\n\tlong *p, v;\n{\n\t*p = v;\n}",
        "void put(p, v)\n\tstruct node *p;\n\tlong v;\n{\n\tp->key = v;\n}",
        "void put(long *p, long v) { do { *p = v; } while (0); }",
        "void put(long *p) { do { asm_clflush(p); asm_mfence(); } while (0); }",
      })
  void definitionsOfAllKindsShouldBeRead(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  /** Else the definition beside it would speak for both. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "static void put(long *p, long v) __attribute__((noinline)) { *p = v; flush(p); n(p); }",
        "void put(long *p, long v) noexcept(noexcept(f(p))) { *p = v; pool->count++; }",
        "int put(p, v) long *p, v; { *p = v; pool->count++; return 0; }",
        "void put(long *p, long v) { do { *p = v; pool->count++; } while (0); }",
        "#define DEFINE(name) void name(long *p, long v) { *p = v; pool->count++; }\nDEFINE(put)",
        "void put(long *p) { WRAP(p); WRAP(p + 1); }",
        "int f(long *p) { return put(p); } long *put;",
      })
  void definitionsThatDoMoreShouldBeReadAsSuch(String source) throws IOException {
    assertThat(contain(source)).isFalse();
    assertThat(contain(source + "\nvoid put(long *p, long v) { *p = v; }"))
        .isEqualTo(source.startsWith("#") || source.startsWith("int f"));
  }

  @Test
  void conditionShouldBeNoDefinition() throws IOException {
    Path file = folder.resolve("source.rs");
    Files.writeString(
        file,
        "fn put(to: &mut u64, value: u64) { *to = value; }\n"
            + "fn f() { if put(x) { pool.count += 1; flush(x); } }");

    assertThat(Setters.contain(file.toString(), "put", 0)).isTrue();
  }

  /** A constant goes wherever its callers say. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "static void put(char *p) { *(volatile long *)p = 1; }",
        "static void put(long *flag) { *flag = 1; }",
        "static void put(char *p) { memset(p, 0, 64); }",
        "static void put(void *p) { static const long one = 1; memcpy(p, &one, sizeof one); }",
        "void put(long *flag) { count++; *flag = VALID; }",
        "int put(bool *flag) { *flag = false; return 0; }",
        "void put(long *n) { (*n)++; }",
        "void put(long *n) { ++*n; }",
        "void put(unsigned *flags) { *flags |= 4; }",
        "void put(char *bits, int i) { bits[i] = 1; }",
        "void put(long *to) { to[0] = 1; }",
        "void put(atomic_int *lock) { atomic_store_explicit(lock, 0, memory_order_release); }",
        "void put(std::atomic<int> *lock) { lock->store(0, std::memory_order_release); }",
        "long put(long *n) { return __sync_fetch_and_add(n, 1); }",
        "void put(node **head) { *head = nullptr; }",
        "fn put(flag: &mut u64) { *flag = 1; }",
        "fn put(flag: *mut u64) { unsafe { *flag = 1 } }",
      })
  void storeOfAConstantThroughAParameterShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long *p) { *p = 1; p[1] = 2; }",
        "void put(long *p) { *p = 1; *p = 2; }",
        "void put(long *p) { *p = 1; (*p)++; }",
        "void put(long *p) { *p = 1; flush(p); }",
        "void put(long *p) { *p = 1; pool->count++; }",
        "void put(long *p) { *p = 1; atomic_fetch_add(&pool->count, 1); }",
        "void put(long *p) { *p = 1; asm volatile(\"clwb %0\" : : \"m\"(*p)); }",
        "void put(long *p) { *p = next; }",
        "void put(long *p) { *p = pool->next; }",
        "void put(long *p) { *p = ++serial; }",
        "void put(long *p) { *p = time(0); }",
        "void put(long *p) { long *last = pool->last; *last = 1; }",
        "void put(long *p) { p[3] = 1; }",
        "void put(char *p) { p[8 * slot] = 1; }",
        "void put(char *p) { *(long *)(p + 8) = 1; }",
        "void put(struct pool *pool) { pool->used |= 1; }",
        "void put(long *p) { if (ready) *p = 1; }",
        "void put(long *p) { while (*p) *p = 0; }",
        "void put(long n) { *newest = 1; }",
        "void put(long n) { newest = 1; }",
      })
  void storeThatTheFunctionDecidesOnShouldBeNone(String source) throws IOException {
    assertThat(contain(source)).isFalse();
  }

  /** The undo log gets what the caller says, too. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long *p, long v) { pmemobj_tx_add_range_direct(p, sizeof(*p)); *p = v; }",
        "void put(long *p) { if (pmemobj_tx_add_range_direct(p, 8)) { abort(); } ++*p; }",
        "static void snapshot(void *p, size_t n) { pmemobj_tx_add_range_direct(p, n); }\n"
            + "void put(long *p, long v) { snapshot(p, 8); *p = v; }",
        "static void commit() { pmemobj_tx_commit(); }\nvoid put() { commit(); }",
      })
  void storeIntoATransactionShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long *p, long v) { pmemobj_tx_add_range_direct(p, 8); *p = v; p[1]++; }",
        "void put(struct s *p, long v) { pmemobj_tx_add_range_direct(&p->a, 8); *p = v; }",
        "void put(long *p, long v) { TX_BEGIN(pop); *p = v; TX_END; pmemobj_tx_commit(); }",
        "static void snapshot(void *p) { root->used++; }\n"
            + "void put(long *p, long v) { snapshot(p); *p = v; }",
      })
  void transactionOfItsOwnShouldBeNone(String source) throws IOException {
    assertThat(contain(source)).isFalse();
  }

  /** Assembly may be in a macro, and that in another file. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(uint64_t *addr) { asm_clflush(addr); }",
        "static inline void put(char *p, int len) { for (int i = 0; i < len; i += 64)"
            + " asm_clflush(p + i); asm_mfence(); }",
        "void put(uint64_t *addr) { asm_mfence(); asm_clflush(addr); asm_mfence(); }",
        "static void line(char *p) { CLWB(p); }\nvoid put(char *p) { line(p); line(p + 64); }",
      })
  void functionThatOnlyPersistsShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(int fd, const void *p, size_t n, off_t at) { if (pwrite(fd, p, n, at) != n) die(); }",
        "void put(const char *p, size_t n)\n{\n  while (n) {\n    ssize_t r = write(fd, p, n);\n"
            + "    if (r < 0) perror(\"write\");\n    p += r; n -= r;\n  }\n}",
      })
  void writeWithChecksShouldBeOne(String source) throws IOException {
    assertThat(contain(source)).isTrue();
  }

  /** As in git: the one calls the other, which waits. */
  @Test
  void loopOverAFunctionThatWritesShouldBeOne() throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(
        file,
        """
        static int handle_nonblock(int fd, short events, int err)
        {
          struct pollfd pfd;
          if (err != EAGAIN && err != EWOULDBLOCK) return 0;
          pfd.fd = fd; pfd.events = events;
          poll(&pfd, 1, -1);
          return 1;
        }
        ssize_t xwrite(int fd, const void *buf, size_t len)
        {
          ssize_t nr;
          if (len > MAX_IO_SIZE) len = MAX_IO_SIZE;
          while (1) {
            nr = write(fd, buf, len);
            if (nr < 0) {
              if (errno == EINTR) continue;
              if (handle_nonblock(fd, POLLOUT, errno)) continue;
            }
            return nr;
          }
        }
        ssize_t write_in_full(int fd, const void *buf, size_t count)
        {
          const char *p = buf;
          ssize_t total = 0;
          while (count > 0) {
            ssize_t written = xwrite(fd, p, count);
            if (written < 0) return -1;
            if (!written) { errno = ENOSPC; return -1; }
            count -= written; p += written; total += written;
          }
          return total;
        }
        ssize_t write_record(int fd, const void *buf, size_t count)
        {
          ssize_t n = xwrite(fd, buf, count);
          fsync(fd);
          return n;
        }
        ssize_t record_all(int fd, const void *buf, size_t count)
        {
          while (write_record(fd, buf, count) < 0) continue;
        }
        """);

    assertThat(List.of("xwrite", "write_in_full"))
        .allMatch(name -> Setters.contain(file.toString(), name, 0));
    assertThat(List.of("write_record", "record_all", "handle_nonblock"))
        .noneMatch(name -> Setters.contain(file.toString(), name, 0));
  }

  @Test
  void storeThatIsPersistedShouldBeOneOfItsOwnKind() throws IOException {
    assertThat(mayPersist("void put(long *to, long v) { *to = v; n++; flush(to); FENCE(); }"))
        .isTrue();
    assertThat(
            mayPersist(
                "fn put(c: &mut Cell, v: u64) { unsafe { std::ptr::write_volatile(&mut c.v, v) };"
                    + " clwb!(c); sfence!(); }"))
        .isTrue();
    assertThat(mayPersist("void put(long *to, long v) { *to = v; to[1] = v; flush(to); }"))
        .isFalse();
    assertThat(mayPersist("void put(long *to, long v) { for (;;) *to = v; flush(to); }")).isFalse();
    assertThat(mayPersist("void put(struct n *n, long v) { n->key = v; flush(n); }")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true  | void put(struct n *n, long v) { n->key = v; flush(n); }",
        "true  | void put(struct n *n, long v) { n->keys[3].low = v; flush(&n->keys); fence(); }",
        "true  | void put(struct n &n, long v) { n.key = v; flush(&n); }",
        "true  | void put(long *to, long v) { *to = v; flush(to); }",
        "false | void put(struct n *n, long v) { n->key = v; n->used = 1; flush(n); }",
        "false | void put(struct n *n, long v) { n->key = v; n->count++; flush(n); }",
        "false | void put(struct n *n, long v) { n->key = 1; flush(n); }",
        "false | void put(struct n *n, long v) { other->key = v; flush(n); }",
        "false | void put(struct n *n, long v) { if (n->key == v) { n->key = v; } flush(n); }",
      })
  void storeToAMemberShouldBeOneStore(boolean expected, String source) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(file, source);

    assertThat(Setters.storeOnce(file.toString(), "put", 0)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "true  @ void put(struct slot *slot) { slot->valid = 1; flush(slot); fence(); }",
        "true  @ void put(void) { struct slot *at = &pool->slots[last]; at->valid = 1; flush(at); }",
        "true  @ int put(struct n *n, long v) { if (n->full) return -1; n->key = v; flush(n); return 0; }",
        "true  @ void put(struct pool *p) { p->count++; persist(&p->count, 8); }",
        "true  @ void put(long *to, long v) { *to = v; flush(to); }",
        "true  @ struct C { long v; void put() { v = 1; persist(&v); } };",
        "true  @ struct C { long v; void put() { long was = v; ++v; persist(&v); } };",
        "false @ struct C { long v, w; void put() { v = 1; persist(&v); w++; } };",
        "false @ void put(struct n *n, long v) { n->key = v; n->used = 1; flush(n); }",
        "false @ void put(struct n *n, long v) { n->key = v; flush(n); pool->count++; }",
        "false @ void put(struct n *n) { for (int i = 0; i < 4; i++) n->keys[i] = 1; flush(n); }",
        "false @ void put(struct n *n) { memcpy(n->text, text, 8); n->used = 1; flush(n); }",
        "true  @ void put(std::atomic<int> &n) { n.store(1, std::memory_order_release); flush(&n); }",
        "false @ void put(struct n *n) { n->used = 1; atomic_fetch_add(&n->count, 1); flush(n); }",
        "false @ void put(struct n *n) { n->used = 1; asm volatile(\"stosb\"); }",
        "false @ void put(struct n *n) { fill(n); persist(n); }",
      })
  void functionThatMakesOneStoreShouldBeOneWhateverItStores(boolean expected, String source)
      throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(file, source);

    assertThat(Setters.makeOneStore(file.toString(), "put", 0)).isEqualTo(expected);
  }

  /** A fence is the business of callers, then. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "true  @ void put(long *to, long v) { *to = v; _mm_clwb(to); }",
        "true  @ void put(struct c *c, long at, void *p, long n) { char *to = c->map + at; memcpy(to, p, n); pmem_flush(to, n); }",
        "true  @ void put(long *to, long v) { *to = v; lines(to, sizeof *to); }"
            + " void lines(char *p, long n) { for (char *l = p; l < p + n; l += 64) _mm_clwb(l); }",
        "false @ void put(long *to, long v) { *to = v; lines(to, sizeof *to); }"
            + " void lines(char *p, long n) { for (char *l = p; l < p + n; l += 64) _mm_clwb(l); _mm_sfence(); }",
        "false @ void put(long *to, long v, long *other) { *to = v; _mm_clwb(other); }",
        "false @ void put(char *to, void *p, long n) { memcpy(to, p, n); pmem_flush(to, 64); }",
        "false @ void put(struct n *to, long v) { to->a = v; to->b = v; pmem_flush(to, sizeof *to); }",
        "false @ void put(long *to, long v) { *to = v; _mm_clwb(to); pool->n++; }",
      })
  void functionThatStoresAndFlushesShouldBeOneIfItFlushesJustThat(boolean expected, String source)
      throws IOException {
    assertThat(contain(source)).isEqualTo(expected);
  }

  /** Whether callers call it, or what it calls. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "true  @ int to(struct c *c, long at, void *p, long n) { if (at > c->n) return -1; memcpy(c->map + at, p, n);"
            + " persist(c->map + at, n); return 0; } int put(struct c *c, long at, long v) { return to(c, at, &v, 8); }",
        "true  @ int to(struct c *c, long at, void *p, long n) { memcpy(c->map + at, p, n); persist(c->map + at, n); }"
            + " int put(struct c *c, long at, long v) { long le = htole64(v); int rc = to(c, at, &le, 8); if (rc) return rc; return 0; }",
        "true  @ void to(long *p, long v) { *p = v; persist(p); } void via(long *p, long v) { to(p, v); }"
            + " void put(struct c *c, long v) { via(&c->n, v); }",
        "false @ void to(struct c *c, long v) { c->a = v; c->b = v; persist(c); } void put(struct c *c, long v) { to(c, v); }",
        "false @ void put(long *p, long v) { put(p, v); }",
        "false @ void to(long *p, long v) { *p = v; } void put(long *p, long v) { to(p, v); to(p + 1, v); }",
      })
  void functionThatOnlyCallsSuchShouldPassOn(boolean expected, String source) throws IOException {
    assertThat(Setters.passOn(file(source), "put", 0)).isEqualTo(expected);
  }

  /** In Rust and Go, methods and functions of packages store. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rs | fn put(p: *mut T, v: T) { p.write_volatile(v); persist(p, size_of::<T>()); } | true",
        "rs | fn put(p: *mut u64, v: u64) { write_volatile(p, v); _mm_clwb(p); _mm_sfence(); } | true",
        "rs | fn put(&self, at: usize, s: &[u8]) { copy_nonoverlapping(s.as_ptr(), self.base.add(at),"
            + " s.len()); self.persist(at, s.len()); } | true",
        "rs | fn put(p: *mut u64, q: *mut u64, v: u64) { p.write_volatile(v); q.write_volatile(v);"
            + " persist(p, 8); } | false",
        "rs | fn put(p: *mut u64, v: u64) { HEAD.write_volatile(v); persist(p, 8); } | false",
        "rs | fn put(p: *mut u64, v: u64) { p.write_volatile(v); *COUNT += 1; persist(p, 8); } | false",
        "rs | fn put(f: &mut File, key: &str) -> R { writeln!(f, , key)?; f.sync_all() } | true",
        "rs | fn put(&self, f: &mut File) -> R { writeln!(f, , self.seq)?; f.sync_all() } | false",
        "go | func put(m []byte, at int, b []byte) error { copy(m[at:], b); return unix.Msync(m, 4) }"
            + " | true",
        "go | func put(m []byte, at int, b []byte) error { copy(m[at:], b);"
            + " binary.LittleEndian.PutUint64(m[0:], at); return unix.Msync(m, 4) } | false",
      })
  void methodsAndPackagesShouldStoreWhatTheyAreGiven(String kind, String source, boolean expected)
      throws IOException {
    Path file = folder.resolve("source." + kind);
    Files.writeString(file, source);

    assertThat(
            Setters.mayPersist(file.toString(), "put", 0)
                || Setters.passOn(file.toString(), "put", 0))
        .isEqualTo(expected);
  }

  /** Names have the module and the class. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "void put(int f, const(void)* p, size_t n, ulong at) { if (pwrite(f, p, n, at) != n) exit(3); } | true",
        "void put(ulong* p, ulong v) { *p = v; }                                                        | true",
        "void put(ulong* p, ulong v) { *p = v; p[1] = v; }                                              | false",
      })
  void functionOfDThatStoresWhatItIsGivenShouldBeOne(String source, boolean expected)
      throws IOException {
    Path file = folder.resolve("source.d");
    Files.writeString(file, source);

    assertThat(Setters.contain(file.toString(), "log.Log.put", 1)).isEqualTo(expected);
  }

  @Test
  void copyBesideAStoreToAMemberShouldBeTwoStores() throws IOException {
    String source =
        "void put(struct s *s, char *p, long n) { memcpy(p, s, n); s->n = n; persist(s); }";

    assertThat(Setters.storeOnce(file(source), "put", 0)).isFalse();
  }

  private boolean mayPersist(String source) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".c");
    Files.writeString(file, source);
    return Setters.mayPersist(file.toString(), "put", 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void put(long *to, long value) { *to = value; flush(to); }",
        "void put(long *to, long value) { *to = value; asm(\"clwb\"); }",
        "void put(long *to, long value) { *to = value; to[1] = 2; }",
        "void put(long *to, long value) { *to = value; pool->count++; }",
        "void put(long *to, long value) { *to = value; if (value) pool->count += 1; }",
        "void put(long *to, long value) { *to = value; *last = 1; }",
        "void put(struct node **to, struct node *new) { *to = new; head->next = new; }",
        "void put(int fd, void *p, long n, long at) { pwrite(fd, p, n, at); head->end = at + n; }",
        "void put(struct node *n, long key, long value) { n->key = key; n->value = value; }",
        "void put(long *to, long value) { count++; if (value > *to) *to = value; }",
        "void put(int fd, struct entry *e) { pwrite(fd, e, sizeof *e, 64 * e->slot); }",
        "void put(int fd, void *p, long n, long at) { pwrite(fd, p, n, at); fsync(fd); }",
        "void put(int fd, char *p, long n) { memcpy(pool, p, n); write(fd, p, n); }",
        "void put(int fd, void *p, long n) { pwrite(fd, p, n, 0); pwrite(fd, p, n, 64); }",
        "void put(long *to, long value) { if (to) { *to = value; } }",
        "void put(volatile int *next)\n{\n\twhile (*next != 1)\n\t\t*next += 2; // hangs here\n}",
        "void put(long *to, long value) { if (to) *to = value; }",
        "void put(struct pool *pool) { pool->newest = 1; }",
        "void put(void) { X = Y; }",
        "long put(long *to) { return *to; }",
        "int put(long *to) { return *to == 1; }",
        "void put(long *to, long value) { store(to, value); }",
        "void put(list &list, long value) { list.insert(value); }",
        "void raw(long *to, long v) { *to = v; flush(to); }\nvoid put(long *to, long v) { raw(to, v); }",
        "void put(long *to, long v) { put(to, v); }",
        "void put(void) { clwb(&log->head); sfence(); }",
        "void put(struct node *n) { clwb(&n->key); clwb(&n->next); sfence(); }",
        "static void one(long *p) { *p = 1; }\nvoid put(long *p) { one(p); one(p + 1); clwb(p); }",
        "void put(long *to, long v) { *to = v; pool->bytes += sizeof *to; }",
        "void put(long *to, long v) { *to = v; }\nvoid T::put(long *to, long v) { *to = v; flush(to); }",
        "int f() { put(&x, 1); }",
        "void input(long *to, long v) { *to = v; }",
        "#define put(to) { to = 1; ",
        "",
      })
  void allElseShouldNot(String source) throws IOException {
    assertThat(contain(source)).isFalse();
  }

  @Test
  void whatCannotBeReadShouldHaveNone() {
    assertThat(Setters.contain("", "put", 0)).isFalse();
    assertThat(Setters.contain("relative.c", "put", 0)).isFalse();
    assertThat(Setters.contain("/nowhere/source.c", "put", 0)).isFalse();
    assertThat(Setters.contain("/dev/zero", "put", 0)).isFalse();
    assertThat(Setters.contain("/dev/null", "a+(", 0)).isFalse();
  }

  /** Generated sources hold whole files in a text or a comment. */
  @Test
  void longTextsShouldBePassedOver() throws IOException {
    String text = "put(x) { x = 1; \\n".repeat(50_000);

    assertThat(contain("char t[] = \"" + text + "\";\n/*" + text + "*/ void put(int x) { y = x; }"))
        .isTrue();
    assertThat(contain("/*" + text)).isFalse();
  }

  /** Generated code has long statements, and the threads that read it may have small stacks. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "*to = v%s;",
        "if (v%s) *to = v;",
        "to[v%s] = v; if (later%s) flush(to);",
        "for (long i = 0; i < v%s; i++) to[i] = v%s;",
        "call(to%s);",
        "pwrite(to%s, v, later);",
      })
  void longStatementsShouldBeRead(String body) throws Exception {
    Path file = Files.createTempFile(folder, "source", ".c");
    String text =
        body.replace(
            "%s", " + (v * x.y->z)".repeat(body.indexOf("%s") < body.lastIndexOf("%s") ? 50 : 110));
    Files.writeString(file, "void put(long *to, long v, int later) { " + text + " }");
    List<Throwable> thrown = new ArrayList<>();
    Thread small =
        new Thread(
            null,
            () -> {
              Setters.contain(file.toString(), "put", 0);
              Setters.mayPersist(file.toString(), "put", 0);
              Setters.storeOnce(file.toString(), "put", 0);
              Setters.makeOneStore(file.toString(), "put", 0);
            },
            "small",
            512 << 10);
    small.setUncaughtExceptionHandler((thread, problem) -> thrown.add(problem));
    small.start();
    small.join();

    assertThat(thrown).isEmpty();
  }

  /** As are those of tables of functions. */
  @Test
  void longDefinitionsShouldBeRead() throws Exception {
    Path file = Files.createTempFile(folder, "source", ".cc");
    Files.writeString(
        file,
        "#define MANY(T) \\\n"
            + "void put_##T(T *to, T v) { } \\\n".repeat(1000)
            + "\nMANY(long)\n"
            + ("put::put(long v) : m(v)" + ", m(v)".repeat(5000) + " {}\n")
            + ("T &operator=(long v) { " + "if (v) { m = v; } ".repeat(100) + "}\n")
            + "auto f = [](long v) { m = v; };\n".repeat(1000));
    List<Throwable> thrown = new ArrayList<>();
    List<Boolean> found = new ArrayList<>();
    Thread small =
        new Thread(
            null,
            () -> {
              found.add(Setters.contain(file.toString(), "put", 0));
              found.add(Setters.isOperatorOfItsOwn(file.toString(), "operator=", 1005));
              found.add(Setters.contain(file.toString(), "operator()", 1500));
              found.add(Setters.contain(file.toString(), "put_long", 0));
            },
            "small",
            512 << 10);
    small.setUncaughtExceptionHandler((thread, problem) -> thrown.add(problem));
    small.start();
    small.join();

    assertThat(thrown).isEmpty();
    assertThat(found).containsExactly(true, true, true, false);
  }

  /** Methods of different types have one name, and not one purpose. */
  @Test
  void lineShouldTellFunctionsOfOneNameApart() throws IOException {
    Path file = Files.createTempFile(folder, "source", ".cc");
    Files.writeString(
        file,
        """
        /* Two
           lines. */
        struct Cell {
          long v;
          void put(long x) { v = x; persist(&v); }
        };
        void Name::put(const char *text)
        {
          memcpy(this->text, text, 16);
        }
        void Log::put(long x) { v = x; persist(&v); n = 1; persist(&n); }
        """);
    String name = file.toString();

    assertThat(Setters.isAmbiguous(name, "put")).isTrue();
    assertThat(Setters.mayPersist(name, "put", 5)).isTrue();
    assertThat(Setters.contain(name, "put", 5)).isFalse();
    assertThat(Setters.contain(name, "put", 9)).isTrue();
    assertThat(Setters.makeOneStore(name, "put", 11)).isFalse();
    assertThat(Setters.contain(name, "put", 0)).as("it may be any of them").isFalse();
    assertThat(Setters.contain(name, "put", 3)).as("none of them is there").isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "struct put { long key; explicit put(long k) : key(k) {} };                   | true",
        "struct put { long key; put(long k) noexcept : key{k} { } };                  | true",
        "put::put(long k, const T &v) : key(k), value(std::move(v)), next(nullptr) {} | true",
        "struct put : Base<put> { put(long k) : Base<put>(k), next{} {} };            | true",
        "struct put { put(long k) : key(hash(k)) {} };                                | true",
        "struct put { put(long k) : valid(1), key(k) {} };                            | false",
        "struct put { put(long k) : key(k), serial(++last) {} };                      | false",
        "struct put { put(long k) : key(k), owner(current) {} };                      | false",
        "struct put { put() : key(0) {} };                                            | false",
        "struct put { put(long k) : next(0) { key = k; } };                           | false",
        "struct put { put(long k) : key(k) { flush(this); } };                        | false",
        "int f(long k) { switch (k) { case put(1): g(); } }                           | false",
      })
  void constructorThatOnlyStoresWhatItIsGivenShouldBeOne(String source, boolean isOne)
      throws IOException {
    Path file = Files.createTempFile(folder, "source", ".cc");
    Files.writeString(file, source);

    assertThat(Setters.contain(file.toString(), "put", 0)).isEqualTo(isOne);
  }

  /** Its line is that of the macro's use. */
  @Test
  void functionThatAMacroDefinesShouldBeReadWhereItIsUsed() throws IOException {
    String source =
        """
        #define SETTER(T) static void put_##T(T *to, T value) { *to = value; }
        #define KEEPER(T, n) static void keep_##T(T *to, T v) { *to = v; pool->n = v; }
        #define DEFINE(name) void name(long *to, long v) { \\
          *to = v; \\
        }

        SETTER(uint64_t)
        KEEPER(uint64_t, last)
        DEFINE(assign)
        void put_int(int *to, int value) { *to = value; flush(to); }
        void f(void) { put_uint64_t(&x, 1); }
        """;
    String file = file(source);

    assertThat(Setters.contain(file, "put_uint64_t", 7)).isTrue();
    assertThat(Setters.contain(file, "keep_uint64_t", 8)).isFalse();
    assertThat(Setters.contain(file, "assign", 9)).isTrue();
    assertThat(Setters.contain(file, "put_int", 10)).isFalse();
    assertThat(Setters.contain(file, "put_int8_t", 7)).as("made nowhere").isFalse();
  }

  @Test
  void macroOfAHeaderShouldBeReadAsWell() throws IOException {
    Files.writeString(
        folder.resolve("setters.h"),
        """
        #define SETTER(T) static void put_##T(T *to, T value) { *to = value; }
        #define SAVER(T) static void save_##T(T *to, T v) { *to = v; flush(to); }
        """);
    String file = file("#include \"setters.h\"\nSETTER(long)\nSAVER(long)\n");

    assertThat(Setters.contain(file, "put_long", 2)).isTrue();
    assertThat(Setters.contain(file, "save_long", 3)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "größe_setzen | void größe_setzen(uint64_t *wo, uint64_t größe) { *wo = größe; }              | true",
        "größe_setzen | void größe_setzen(uint64_t *wo, uint64_t größe) { *wo = größe; spülen(wo); }  | false",
        "größe_setzen | void größe_setzen(struct maß *wo, long ö) { wo->länge = ö; wo->gültig = 1; }  | false",
        "setzen       | void größe_setzen(uint64_t *wo, uint64_t größe) { *wo = größe; }              | false",
        "записать     | void записать(long *куда, long что) { всего++; *куда = что; }                 | true",
        "записать     | void записать(long *куда, long *всего, long что) { (*всего)++; *куда = что; } | false",
      })
  void namesMayBeOfAnyLanguage(String name, String source, boolean isOne) throws IOException {
    assertThat(Setters.contain(file(source), name, 1)).isEqualTo(isOne);
  }

  private boolean containGo(String source) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".go");
    Files.writeString(file, source);
    boolean is = Setters.contain(file.toString(), "main.pool.put", 0);
    assertThat(Setters.contain(file.toString(), "put", 1)).isEqualTo(is);
    return is;
  }

  /** Names have the package and the type of the receiver. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "func (p *pool) put(off int, v uint64) { binary.LittleEndian.PutUint64(p.data[off:], v) }",
        "func put(to *uint64, v uint64) {\n\t*to = v\n}",
        "func put(to, v *uint64) error {\n\tatomic.StoreUint64(to, *v)\n}",
        "func (p *pool) put(off int, v uint64) (int, error) {\n\tp.data[off] = v\n}",
        "func (p *pool) put(off int, b []byte) {\n\tcopy(p.data[off:off+len(b)], b)\n}",
        "func put[T any](to *T, v T) { *to = v }",
        "func (p *pool) put(b []byte) error {\n\t_, err := p.file.Write(b)\n\treturn err\n}",
        "func (p *pool) put(b []byte) {\n\tp.file.Write(b)\n\tp.size += int64(len(b))\n}",
        "func (p *pool) put(b []byte, off int64) error {\n\tif _, err := p.file.WriteAt(b, off); err != nil {"
            + "\n\t\treturn fmt.Errorf(\"at %d: %w\", off, err)\n\t}\n\treturn nil\n}",
        "func put(f *os.File, b []byte) {\n\tn, err := f.Write(b)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}"
            + "\n\tif n < len(b) {\n\t\tpanic(errors.New(\"short\"))\n\t}\n}",
        "func (w *counted) put(p []byte) (n int, err error) {\n\tn, err = w.Writer.Write(p)"
            + "\n\tatomic.AddUint64(&w.c.bytes, uint64(n))\n\treturn n, err\n}",
        "func (p *pool) put(b []byte, at int64) error {\n\tif _, err := p.file.Seek(at, io.SeekStart); err !="
            + " nil {\n\t\treturn err\n\t}\n\t_, err := p.file.Write(b)\n\treturn err\n}",
      })
  void functionOfGoThatStoresWhatItIsGivenShouldBeOne(String source) throws IOException {
    assertThat(containGo(source)).isTrue();
  }

  /** Statements end where lines do. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "func (p *pool) put(off int, v uint64) {\n\tp.a = v\n\tp.b = v\n}",
        "func (p *pool) put(v uint64) {\n\tx := slot(v)\n\tp.put64(x, uint64(len(p.text)))\n}",
        "func (p *pool) put(off int, v uint64) { p.data[off] = 1 }",
        "func put(off int, v uint64) {\n\tfor i := range data {\n\t\tdata[i] = v\n\t}\n}",
        "func other(v uint64) {\n\tp.put(v)\n}",
        "func (p *pool) put(b []byte) error {\n\tif _, err := p.file.Write(b); err != nil {\n\t\treturn err"
            + "\n\t}\n\treturn p.file.Sync()\n}",
        "func (p *pool) put(b []byte) {\n\tp.file.Write(head(b))\n\tp.file.Write(b)\n}",
        "func (p *pool) put(b []byte) {\n\tp.file.Write(p.header)\n}",
        "func (p *pool) put(b []byte) {\n\tp.file.WriteAt(b, 64)\n}",
        "func (p *pool) put(b []byte) {\n\tp.file.Write(b)\n\tp.root.size += int64(len(b))\n}",
        "func (p *pool) put(n int, b []byte) {\n\tf := p.files[n]\n\tf.Write(b)\n}",
        "func (p *pool) put(n int, b []byte) {\n\tp.files[n].Write(b)\n}",
        "func (p *pool) put(b []byte) {\n\tp.file.Seek(64, 0)\n\tp.file.Write(b)\n}",
      })
  void otherFunctionOfGoShouldBeNone(String source) throws IOException {
    assertThat(containGo(source)).isFalse();
  }

  private boolean containRust(String source) throws IOException {
    Path file = Files.createTempFile(folder, "source", ".rs");
    Files.writeString(file, source);
    return Setters.contain(file.toString(), "put", 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fn put(&mut self, at: usize, b: &[u8]) { self.map[at..at + b.len()].copy_from_slice(b); }",
        "fn put(&self, at: usize, v: u64) { unsafe { *(self.base.add(at) as *mut u64) = v; } }",
        "fn put(&self, at: usize, v: u64) { unsafe { (self.base.add(at) as *mut u64).write(v) } }",
        "fn put(&self, at: usize, v: u64) { unsafe { ptr::write_volatile(self.at(at), v) } }",
        "fn put(at: *mut u8, b: &[u8]) { unsafe { std::ptr::copy_nonoverlapping(b.as_ptr(), at, b.len()) } }",
        "fn put(&self, at: usize, v: u64) { self.word(at).store(v, Ordering::Release); }",
        "fn put<T: Into<u64>>(to: &mut u64, v: T) -> Result<(), Box<dyn Error + 'static>>\nwhere\n    T: Copy,\n{"
            + " *to = v; }",
        "fn put(&mut self, b: &[u8]) -> io::Result<()> { self.file.write_all(b) }",
        "fn put(&mut self, b: &[u8]) -> io::Result<()> { self.file.write_all(b)?; Ok(()) }",
        "fn put(f: &File, b: &[u8], at: u64) { f.write_all_at(b, at).expect(\"cannot write\"); }",
        "fn put(&mut self, b: &[u8], at: u64) -> io::Result<()> { self.file.seek(SeekFrom::Start(at))?;"
            + " self.file.write_all(b) }",
        "fn put(&mut self, b: &[u8]) -> io::Result<()> { self.file.seek(SeekFrom::End(0))?;"
            + " self.file.write_all(b) }",
      })
  void functionOfRustThatStoresWhatItIsGivenShouldBeOne(String source) throws IOException {
    assertThat(containRust(source)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fn put(&self, at: usize, v: u64) { unsafe { self.at(at).write(v); self.at(8).write(v + 1) } }",
        "fn put(&mut self, b: &[u8]) -> io::Result<()> { self.file.write_all(b)?; self.file.sync_all() }",
        "fn put(&mut self, b: &[u8]) -> io::Result<()> { self.file.write_all(&self.head)?; Ok(()) }",
        "fn put(&mut self, b: &[u8]) -> io::Result<()> { self.file.write_all_at(b, 0) }",
        "fn put(&mut self, b: &[u8]) -> io::Result<()> { self.file.write_all_at(b, self.end) }",
        "fn put(&mut self, n: usize, b: &[u8]) -> io::Result<()> { self.files[n].write_all(b) }",
        "fn put(&mut self, b: &[u8]) -> io::Result<()> { self.file.seek(SeekFrom::Start(HEAD))?;"
            + " self.file.write_all(b) }",
      })
  void otherFunctionOfRustShouldBeNone(String source) throws IOException {
    assertThat(containRust(source)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "void put(struct q *q, long v) { q->e[q->n].v = v; flush(q); q->n = q->n + 1; }  | true",
        "void put(long v) { q->e[q->n] = 1; q->n++; }                                    | true",
        "void put(atomic_t *a, long v) { a->counter = v; flush(a); }                     | false",
        "void put(void *to, void *from, long n) { memcpy(to, from, n); flush(to); }      | false",
        "void put(const char *why) { root->dead = 1; root->why = 2; flush(root); abort(); } | false",
        "void get(long v) { q->n++; }                                                    | false",
      })
  void functionThatStoresMoreThanItIsToldShouldBeNoHelper(String source, boolean isNone)
      throws IOException {
    Path file = Files.writeString(Files.createTempFile(folder, "source", ".c"), source);
    assertThat(Setters.storeTheirOwn(file.toString(), "put", 0)).isEqualTo(isNone);
  }

  @Test
  void functionThatAMacroNamesShouldBeFoundByItsLine() throws IOException {
    String source =
        "void a(long v) { f(v); }\nvoid NAME(long v)\n{\n if (v) {\n  q->e[q->n].v = v; q->n++;\n }\n}";
    Path file = Files.writeString(Files.createTempFile(folder, "source", ".c"), source);
    assertThat(Setters.isAmbiguous(file.toString(), "put")).isTrue();
    assertThat(Setters.isAmbiguous(file.toString(), "a")).isFalse();
    assertThat(Setters.storeTheirOwn(file.toString(), "put", 5)).isTrue();
    assertThat(Setters.storeTheirOwn(file.toString(), "put", 1)).isFalse();
    Files.writeString(folder.resolve("b.c"), source.replace("NAME", "other"));
    assertThat(Setters.storeTheirOwn(folder.resolve("b.c").toString(), "put", 5)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "long put(struct s *p, long v) { p->v = v; return v; }                            | true",
        "long put(struct s *p, long v) { struct e *e = find(p, v); return e ? e->v : 0; } | false",
        "long put(struct s *p, long v) { long e = p->v; return e; }                       | false",
      })
  void functionThatOnlyReturnsWhatItFindsShouldBeNoSetter(String source, boolean isSetter)
      throws IOException {
    Path file = Files.writeString(Files.createTempFile(folder, "source", ".c"), source);
    assertThat(Setters.contain(file.toString(), "put", 1)).isEqualTo(isSetter);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ".c  | void put(int fd, void *b, long n) { if (write(fd, b, n) != n) die(); fsync(fd); }              | true",
        ".c  | void put(int fd, void *b, long n) { if (write(fd, b, n) != n) die(); next(fd); }               | false",
        ".c  | void put(int fd, long v) { long le = htole64(v); if (pwrite(fd, &le, 8, 0) < 8) die(); sync(); } | false",
        ".c  | void put(int fd, long v, long at) { long le = htole64(v); pwrite(fd, &le, 8, at); fdatasync(fd); } | true",
        ".rs | fn put(f: &File, b: &[u8], at: u64) { f.write_all_at(b, at)?; f.sync_data() }                  | true",
        ".rs | fn put(f: &File, v: u64, at: u64) { let b = v.to_le_bytes(); f.write_all_at(&b, at)?; f.sync_all() } | true",
        ".rs | fn put(f: &File, b: &[u8], at: u64) { f.write_all_at(b, at)?; f.set_len(at) }                  | false",
      })
  void writeOfWhatIsGivenMayBeSynchronised(String language, String source, boolean isOne)
      throws IOException {
    Path file = Files.createTempFile(folder, "source", language);
    Files.writeString(file, source);

    assertThat(Setters.mayPersist(file.toString(), "put", 1)).isEqualTo(isOne);
    assertThat(Setters.storeOnce(file.toString(), "put", 1)).isEqualTo(isOne);
    assertThat(Setters.contain(file.toString(), "put", 1)).isFalse();
  }

  @Test
  void functionMayPassOnWhatItIsGiven() throws IOException {
    String raw = "void raw(void *b, long n) { if (write(fd, b, n) != n) die(); fsync(fd); }\n";

    assertThat(Setters.passOn(file(raw + "void put(long v) { raw(&v, 8); }"), "put", 2)).isTrue();
    assertThat(Setters.passOn(file(raw + "void put(long v) { raw(&v, 8); n++; }"), "put", 2))
        .isFalse();
    assertThat(Setters.passOn(file("void put(long v) { raw(&v, 8); }"), "put", 1)).isFalse();
  }

  @Test
  void functionOfPythonMaySynchroniseWhatItWrites() throws IOException {
    Path file = folder.resolve("store.py");
    Files.writeString(
        file, "def put(f, b):\n    f.write(b)\n    f.flush()\n    os.fsync(f.fileno())\n");

    assertThat(Setters.mayPersist(file.toString(), "put", 2)).isTrue();
    assertThat(Setters.mayPersist(file.toString(), "Store.put", 2)).isTrue();
    assertThat(Setters.contain(file.toString(), "put", 2)).isFalse();
  }

  @Test
  void allocatorShouldBeNone() throws IOException {
    assertThat(
            contain("long put(struct pool *p) { long n = p->used; p->used = n + 64; return n; }"))
        .isFalse();
    assertThat(
            contain("void *put(long size) { long n = *used; *used = n + size; return base + n; }"))
        .isFalse();
  }
}
